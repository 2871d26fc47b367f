"""Files that are written: through links, whole or not at all, and never in the place of what is no regular file."""

import os
import stat
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from command_line import refused

import zermelo
from zermelo import files
from zermelo.cli import main
from zermelo.errors import BadParameter
from zermelo.play.book import Book
from zermelo.protocols.gtp import GtpServer

KUHN = ("cfr", "kuhn_poker", "--iterations", "5", "--device", "python")
MATCH = ("match", "tic_tac_toe", "random", "random", "--games", "2")
WRITERS = {
    "policy": (*KUHN, "--save"),
    "picture": ("tree", "[[3, 5], [2, 9]]", "--svg"),
    "form": ("form", "share", "--to"),
    "store": (*MATCH, "--store"),
    "pgn": (*MATCH, "--pgn"),
}
NAMES = {"form": "share.efg"}
"""A form is written to files of certain names."""


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "zermelo", *arguments], capture_output=True, timeout=60, stdin=subprocess.DEVNULL
    )


@pytest.fixture(params=WRITERS)
def writer(request, tmp_path):
    """A verb that writes a file, and the name of the file."""
    return WRITERS[request.param], tmp_path / NAMES.get(request.param, "written")


def test_a_link_stays_and_its_target_is_written(writer, tmp_path):
    verb, path = writer
    (tmp_path / "below").mkdir()
    target = tmp_path / "below" / "target"
    path.symlink_to("below/target")
    assert main([*verb, str(path)]) == 0  # a target that is not there yet is made
    first = target.read_bytes()
    assert first
    target.chmod(0o640)
    assert main([*verb, str(path)]) == 0
    assert path.readlink().as_posix() == "below/target"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert {p.name for p in tmp_path.rglob("*")} == {path.name, "below", "target"}


def test_what_is_no_regular_file_is_refused(writer, capsys):
    verb, path = writer
    os.mkfifo(path)
    assert "FIFO" in refused(capsys, *verb, str(path))
    assert stat.S_ISFIFO(path.stat().st_mode)
    link = path.with_name("link" + path.suffix)
    link.symlink_to(path)
    assert "FIFO" in refused(capsys, *verb, str(link))
    path.unlink()
    path.mkdir()
    assert "folder" in refused(capsys, *verb, str(path))


def test_a_device_is_refused(writer, capsys):
    verb, path = writer
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    except OSError:
        pytest.skip("only root makes devices")
    assert "device" in refused(capsys, *verb, str(path))
    assert stat.S_ISCHR(path.stat().st_mode)


def test_links_in_a_circle(writer, capsys):
    verb, path = writer
    path.symlink_to(path.name)
    assert "leads to itself" in refused(capsys, *verb, str(path))


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1"])
@pytest.mark.parametrize("kind", ["policy", "picture", "form", "pgn"])
def test_the_standard_output(kind, name, tmp_path):
    verb = WRITERS[kind]
    found = run(*verb, name)
    assert (found.returncode, found.stderr == b"") == (0, False)
    begins = {"policy": b"PK", "picture": b"<svg", "form": b"EFG 2 R", "pgn": b"[Event "}
    assert found.stdout.startswith(begins[kind])
    if kind == "picture":
        ElementTree.fromstring(found.stdout)
    # Redirected to a file, it is that file that is written, from where it stands.
    place = tmp_path / "out"
    with place.open("wb") as out:
        out.write(b"before\n")
        out.flush()
        subprocess.run([sys.executable, "-m", "zermelo", *verb, name], stdout=out, stderr=subprocess.PIPE, check=True)
    assert place.read_bytes().startswith(b"before\n" + begins[kind])


def test_a_link_to_the_standard_output(tmp_path):
    link = tmp_path / "tree.svg"
    link.symlink_to("/dev/stdout")
    found = run("tree", "[3, 5]", "--svg", str(link))
    assert ElementTree.fromstring(found.stdout).tag.endswith("svg")
    assert link.is_symlink()


def test_the_standard_output_holds_one_thing(capsys):
    assert "name a file" in refused(capsys, "tree", "[3, 5]", "--svg", "-", "--json")
    assert "name a file" in refused(capsys, *MATCH, "--store", "/dev/stdout")


def test_a_table_on_the_standard_output():
    assert run("form", "share", "--normal", "--to", "-").stdout.startswith(b"NFG 1 R")


def test_books_and_recorded_games(tmp_path, capsys):
    target, fifo = tmp_path / "target", tmp_path / "fifo"
    os.mkfifo(fifo)
    chess = zermelo.game("chess")
    book = Book(chess)
    book.add(chess.initial(), chess.parse_action(chess.initial(), "e2e4"))
    server = GtpServer(zermelo.game("go"))
    for write in (
        book.save_polyglot,
        lambda path: server.answer(f"printsgf {path}"),
        lambda path: files.write(path, "text"),
        lambda path: files.append(path, "text", apart=""),
    ):
        target.write_bytes(b"")
        link = tmp_path / "link"
        link.symlink_to(target)
        write(link)
        assert link.is_symlink()
        assert target.stat().st_size > 0
        link.unlink()
        capsys.readouterr()
        try:
            write(fifo)
            said = capsys.readouterr().out
        except BadParameter as error:
            said = str(error)
        assert "cannot be written: it is a FIFO" in said
        assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_half_a_file_is_none(tmp_path):
    """A file that grows too large, as on a full disk: what was there stays, and nothing lies about."""
    path = tmp_path / "tree.svg"
    path.write_text("before")
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
        f"from zermelo.cli import main; sys.exit(main(['tree', '[3, 5]', '--svg', {str(path)!r}]))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "File too large" in ran.stderr
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["tree.svg"]


def test_a_store_on_a_full_disk(tmp_path):
    path = tmp_path / "games.jsonl"
    for room in (100, 1000):
        program = (
            f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}));"
            f"from zermelo.cli import main; sys.exit(main([*{MATCH!r}, '--games', '9', '--store', {str(path)!r}]))"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
        assert "cannot be written: File too large" in ran.stderr
    assert main([*MATCH, "--games", "9", "--store", str(path)]) == 0  # what was cut off is left out
