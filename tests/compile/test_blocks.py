"""Memory with names means the same on every machine, and so do options that are compiled in."""

import threading
from dataclasses import dataclass
from typing import Any

import pytest
from for_gpu import require_compiler

from zermelo.bits import u64
from zermelo.compile import (
    Array,
    Block,
    Memory,
    Setup,
    array,
    cuda,
    exchange_if,
    fetch_add,
    kernel,
    machine,
    make_room,
    part,
)  # fmt: skip
from zermelo.compile.block import LINE, shape_of
from zermelo.compile.machine import stop
from zermelo.compile.memory import Words
from zermelo.compile.program import STOPPED, program
from zermelo.errors import CompileError
from zermelo.games.tic_tac_toe import TicTacToe

GAME = TicTacToe()
DEVICES = ("python", "cpu")


class Frame(Block):
    static: int  # the estimate
    worth: float  # half of it
    line: Array[int] = array(3)  # what follows


class Desk(Block):
    frames: Array[Frame] = array(8, aligned=True)  # one a ply
    nodes: int
    first: Frame
    key: u64
    table: Memory  # shared with others
    status: int
    cells: Array[int] = array(lambda game, setup: game.max_actions + 1)
    worths: Array[float] = array(lambda game: 4)


@dataclass(frozen=True, slots=True)
class Options(Setup):
    doubled: bool
    weight: Any = None
    record: Any = None


def weight(game, x):
    return x * game.max_actions


@kernel
def at_work(game, setup, desk, ply):
    for i in range(ply):
        frame = desk.frames[i]
        frame.static = i * 2 if setup.doubled else i
        frame.worth = 0.5 * frame.static
        frame.line[1], frame.static = 7, frame.static + 1
        desk.nodes += 1
        if setup.record is not None:
            setup.record.told(i)
    desk.first.worth += desk.frames[ply - 1].worth
    desk.key = desk.key ^ u64((1 << 63) + 5)
    desk.worths[2] = 3
    desk.cells[3] += 4
    desk.table[1] = 9
    before = fetch_add(desk, "nodes", 10)
    changed = exchange_if(desk.first, "static", 0, 4) and not exchange_if(desk.first, "static", 0, 5)
    weighed = setup.weight(game, 2) if setup.weight is not None else -1
    return desk.first.worth, last_of(game, setup, desk.frames[0], 3), weighed, before, changed


@kernel
def last_of(game, setup, frame, x):
    low, frame.static = frame.line[1], x
    return low + frame.static


def worked(device, setup):
    """What the kernel answers, and the memory that it leaves."""
    place = machine(device)
    desk = place.block(Desk, GAME, setup)
    desk.table = place.memory(5)
    answer = place.call(at_work, game=GAME, setup=setup, desk=desk, ply=5)
    report = desk.report()
    assert list(report.pop("table"))[:2] == [0, 9] if device == "python" else report.pop("table")[1] == 9
    return answer, report, len(desk.cells), desk.frames[4].line[:3], desk.worths[1:3]


@pytest.mark.parametrize("setup", [Options(True), Options(False, weight)], ids=["doubled", "weighed"])
def test_machines_agree(setup):
    python, native = (worked(device, setup) for device in DEVICES)
    assert python == native
    assert python[0][0] == (4.0 if setup.doubled else 2.0)
    assert python[1]["nodes"] == 15
    assert python[1]["key"] == (1 << 63) + 5
    assert python[2] == GAME.max_actions + 1
    assert python[3] == [0, 7, 0]


@pytest.mark.parametrize("device", DEVICES)
def test_callers_write_and_read(device):
    desk = machine(device).block(Desk, GAME)
    desk.nodes, desk.key, desk.worths[3] = -3, u64(1 << 63), 0.25
    desk.frames[7].line[:3] = [1, 2, 3]
    assert (desk.nodes, int(desk.key), desk.worths[3], desk.worths[-1]) == (-3, 1 << 63, 0.25, 0.25)
    assert desk.frames[7].line[1:] == [2, 3]
    assert list(desk.worths) == [0.0, 0.0, 0.0, 0.25]
    with pytest.raises(AttributeError, match="nods"):
        desk.nods = 1
    with pytest.raises(IndexError):
        desk.frames[8]


def test_a_layout_can_be_read():
    shape = shape_of(Desk, GAME, None)
    places = {place.name: place.offset for place in shape.places}
    assert [places[name] for name in ("nodes", "key", "table", "status")] == [0, 1, 2, 3], "single words come first"
    assert places["frames"] % LINE == 0, "aligned"
    assert shape_of(Desk, GAME, None) is shape, "alike layouts are one object"
    assert shape.size % LINE == 0


@kernel
def with_a_float(desk):
    desk.nodes = 2.5
    return desk.nodes


@kernel
def with_no_such_field(desk):
    return desk.nods


def test_a_float_is_refused_in_a_field_of_integers():
    with pytest.raises(TypeError, match="nodes is an int"):
        machine("python").call(with_a_float, desk=Desk(GAME))
    with pytest.raises(CompileError, match="test_blocks"):
        machine("cpu").call(with_a_float, desk=machine("cpu").block(Desk, GAME))
    with pytest.raises(TypeError, match="nodes is an int"):
        machine("cpu").block(Desk, GAME).nodes = 2.5


def test_fields_that_are_not_there_are_refused():
    with pytest.raises(AttributeError, match="nods"):
        machine("python").call(with_no_such_field, desk=Desk(GAME))
    with pytest.raises(CompileError, match="test_blocks"):
        machine("cpu").call(with_no_such_field, desk=machine("cpu").block(Desk, GAME))


def test_numbers_are_no_options():
    @dataclass(frozen=True)
    class Depth(Setup):
        depth: int

    with pytest.raises(TypeError, match="a number belongs into a block"):
        Depth(3)


def test_fields_are_declared_with_known_types():
    with pytest.raises(TypeError, match="a field of a block is"):

        class Wrong(Block):
            name: str

    with pytest.raises(TypeError, match="every block has a report already"):

        class Taken(Block):
            report: int


@kernel
def counted(desk, rounds):
    for _ in range(rounds):
        fetch_add(desk, "nodes", 1)
    return 0


def test_threads_count_together():
    desk = machine("cpu").block(Desk, GAME)
    run = [threading.Thread(target=machine("cpu").call, args=(counted,), kwargs={"desk": desk, "rounds": 100_000})]
    run += [threading.Thread(target=machine("cpu").call, args=(counted,), kwargs={"desk": desk, "rounds": 100_000})]
    for thread in run:
        thread.start()
    for thread in run:
        thread.join()
    assert desk.nodes == 200_000


@kernel
def one_row(row, desks):
    desks[row].nodes = row * row


@pytest.mark.parametrize("device", DEVICES)
def test_blocks_lie_side_by_side(device):
    desks = machine(device).blocks(Desk, 4, GAME)
    machine(device).spread(one_row, 4, desks=desks)
    assert [desks[i].nodes for i in range(4)] == [0, 1, 4, 9]
    desks[2].worths[3], desks[1].key = 0.5, u64(1 << 63)
    assert machine(device).column(desks, "nodes") == [0, 1, 4, 9]
    assert machine(device).column(desks, "worths", 3) == [0.0, 0.0, 0.5, 0.0]
    assert machine(device).column(desks, "key") == [0, 1 << 63, 0, 0]
    assert machine(device).column(machine(device).blocks(Desk, 0, GAME), "nodes") == []


@kernel
def one_more(desks, place):
    make_room(desks, place + 1)
    desks[place].nodes += 1
    desks[place].worths[1] += 0.5
    return desks[place].nodes


@pytest.mark.parametrize("device", DEVICES)
def test_blocks_grow_in_plain_python(device):
    desks = machine(device).blocks(Desk, 0 if device == "python" else 9, GAME)
    assert [machine(device).call(one_more, desks=desks, place=place) for place in (3, 3, 8)] == [1, 2, 1]
    assert [desks[i].worths[1] for i in (0, 3, 8)] == [0.0, 1.0, 0.5]
    assert [desks[i].frames[7].line[2] for i in (0, 3, 8)] == [0, 0, 0]
    assert len(desks) == 9


class Room(Block):
    desk: Desk
    desks: Array[Desk] = array(2)


@kernel
def into_tables(room):
    room.desk.table[1] += 7
    room.desks[1].table[1] += 8
    return 0


@pytest.mark.parametrize("device", DEVICES)
def test_memory_inside_of_nested_blocks_lives_as_long_as_the_outermost(device):
    room = machine(device).block(Room, GAME)
    room.desk.table, room.desks[1].table = machine(device).memory(3), machine(device).memory(3)
    machine(device).call(into_tables, room=room)
    assert (room.desk.table[1], room.desks[1].table[1]) == (7, 8)


@kernel
def until_stopped(desk):
    while desk.status == 0:
        desk.nodes += 1
    return desk.nodes


def test_layouts_and_options_are_part_of_what_code_is_called():
    def named(setup):
        desk = machine("cpu").block(Desk, GAME)
        desk.table = machine("cpu").memory(5)
        made, _ = program(at_work, {"game": GAME, "setup": setup, "desk": desk, "ply": 5}, machine("cpu").processor)
        return made.fingerprint()

    assert named(Options(True)) == named(Options(True))
    assert len({named(Options(True)), named(Options(False)), named(Options(True, weight))}) == 3


def test_blocks_compile_for_a_gpu(monkeypatch):
    require_compiler()
    setup = Options(True, weight)

    class Gpu(cuda.Cuda):
        def memory(self, words):
            return Words(words)

        def load(self, made):
            return self.ptx(made)

    from zermelo.compile.machine import NativeMachine

    gpu = NativeMachine(Gpu((9, 0)))
    desk = gpu.block(Desk, GAME, setup)
    desk.table = gpu.memory(5)
    made, _ = program(at_work, {"game": GAME, "setup": setup, "desk": desk, "ply": 5}, gpu.processor)
    _, ptx, _ = made.code
    assert b"atom" in ptx, "steps of threads are one step"
    assert program(until_stopped, {"desk": desk}, gpu.processor)[0].code, "a GPU knows nobody who stops it"


def test_who_stops_a_kernel_finds_its_status():
    desk = machine("cpu").block(Desk, GAME)
    timer = threading.Timer(0.05, stop, [desk])
    machine("cpu").prepare(until_stopped, desk=desk)
    timer.start()
    assert machine("cpu").call(until_stopped, desk=desk) > 0
    assert desk.status == STOPPED


@kernel
def with_memory_of_its_own(row, desks, whole):
    desk = desks[row]
    desk.table = part(whole, 2 * row)
    desk.table[1] = row + 5


@pytest.mark.parametrize("device", DEVICES)
def test_a_kernel_gives_blocks_their_parts_of_a_memory(device):
    place = machine(device)
    desks, whole = place.blocks(Desk, 3, GAME), place.memory(6)
    place.spread(with_memory_of_its_own, 3, desks=desks, whole=whole)
    assert place.read(whole, 0, 6) == [0, 5, 0, 6, 0, 7]
