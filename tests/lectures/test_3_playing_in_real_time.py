"""Block 3, playing in real time: depth and estimates, deepening, tables, quiescence, pruning, books, chess."""

import io

import pytest
from spent import AT_ONCE, spent

import zermelo
from zermelo import BadParameter, Limit, Tree, chance, game
from zermelo.bits import popcount
from zermelo.play.book import own_book
from zermelo.protocols.uci import UciServer
from zermelo.searches.engine.techniques import INEXACT, TECHNIQUES

CHESS = game("chess")
FEATURES = game("chess", learned=False)
PLAIN = dict.fromkeys(INEXACT, False)
"""Switches that leave alpha-beta with good ordering: nothing that could change a value."""


def test_3_6_three_first_moves_instead_of_nine():
    of = game("tic_tac_toe")
    for device in ("python", "cpu"):
        plain = zermelo.alphabeta(of, depth=4, device=device)
        pruned = zermelo.alphabeta(of, depth=4, symmetry=True, device=device)
        assert list(plain.moves) == list(range(9))
        assert list(pruned.moves) == [0, 1, 4], "a corner, an edge, the centre"
        assert pruned.value == plain.value
        assert pruned.nodes < plain.nodes


def test_3_6_same_value_to_the_end():
    of = game("tic_tac_toe")
    plain, pruned = (zermelo.alphabeta(of, symmetry=symmetry, device="cpu") for symmetry in (False, True))
    assert (pruned.value, pruned.bound) == (plain.value, plain.bound) == (0.0, "exact")
    assert pruned.nodes < plain.nodes / 4
    assert list(pruned.moves) == [0, 1, 4]


def test_3_6_the_pruned_twins_are_shown():
    found = zermelo.alphabeta(game("tic_tac_toe"), depth=1, symmetry=True, record=True)
    pruned = [node for node in found.tree.root.children if node.pruned]
    assert [node.action for node in pruned] == [2, 3, 5, 6, 7, 8]
    assert all("mirror image" in node.pruned for node in pruned)


def test_3_6_a_position_without_symmetry_keeps_its_moves():
    of = game("tic_tac_toe")
    s = of.parse_state("XO./.../...")
    found = zermelo.alphabeta(of, s, symmetry=True)
    assert list(found.moves) == [2, 3, 4, 5, 6, 7, 8]
    mirrored = zermelo.alphabeta(of, of.parse_state("OXX/.O./..."), symmetry=True)
    assert mirrored.value == zermelo.alphabeta(of, of.parse_state("OXX/.O./...")).value


@pytest.mark.parametrize("heaps", [(2, 2), (3, 3), (2, 1, 2), (1, 2, 3)])
def test_3_6_equal_heaps_of_nim(heaps):
    of = game("nim", heaps=heaps)
    plain, pruned = (zermelo.alphabeta(of, symmetry=symmetry) for symmetry in (False, True))
    assert pruned.value == plain.value == zermelo.minimax(of).value
    assert pruned.nodes <= plain.nodes


def test_3_6_connect_four_has_one_mirror():
    of = game("connect_four")
    found = zermelo.alphabeta(of, depth=5, symmetry=True)
    assert list(found.moves) == [0, 1, 2, 3]
    assert found.value == zermelo.alphabeta(of, depth=5).value


def test_3_6_needs_a_symmetry():
    with pytest.raises(BadParameter, match="halving defines no transform"):
        zermelo.alphabeta(game("halving"), symmetry=True)


# --- the cut-off test: depth and evaluate ----------------------------------------------------------------------------


def lines_open(s):
    """For each line that X can still fill one, less those of O."""
    score = 0.0
    for line in (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):
        if not s.o & line:
            score += 1.0
        if not s.x & line:
            score -= 1.0
    return score / 8


def mean_of_lines(game, s):
    """The same, in the form that takes the game first."""
    return lines_open(s)


def test_3_6_depth_and_evaluation():
    of = game("tic_tac_toe")
    for device in ("python", "cpu"):
        found = zermelo.minimax(of, depth=1, evaluate=lines_open, device=device)
        assert (found.value, found.action_name, found.bound) == (0.5, "b2", "estimate")
        assert found.moves == {0: 3 / 8, 1: 2 / 8, 2: 3 / 8, 3: 2 / 8, 4: 4 / 8, 5: 2 / 8, 6: 3 / 8, 7: 2 / 8, 8: 3 / 8}
        assert all(move.bound == "estimate" for move in found.moves.values())
        assert (found.nodes, found.depth, found.line) == (10, 1, (4,))


def test_3_6_alphabeta_evaluates_as_minimax_does():
    of = game("tic_tac_toe")
    for depth in (1, 2, 3):
        plain = zermelo.minimax(of, depth=depth, evaluate=lines_open)
        pruned = zermelo.alphabeta(of, depth=depth, evaluate=mean_of_lines)
        assert (pruned.value, pruned.action) == (plain.value, plain.action)
        assert pruned.nodes <= plain.nodes


def test_3_6_the_game_may_bring_its_own_evaluation():
    of = game("pig", target=20)
    s = of.State((4, 0), 3, 0, False)
    assert zermelo.expectiminimax(of, s, depth=0).value == of.evaluate(s) == (4 + 3) / 20
    assert zermelo.expectiminimax(of, s, depth=0, evaluate=lambda s: 0.25).value == 0.25


class Hopeful(zermelo.games.Bucket):
    """Everybody thinks well of the bucket that was picked."""

    def evaluate(self, s, player):
        return 2.0 + s.bucket + 10.0 * player


def test_3_6_an_evaluation_may_ask_for_the_player():
    assert zermelo.minimax(Hopeful(), depth=1).moves == {0: 2.0, 1: 3.0, 2: 4.0}
    assert zermelo.alphabeta(Hopeful(), depth=1).value == 4.0
    assert zermelo.maxn(Hopeful(), depth=1).values == (4.0, 14.0)


def test_3_6_without_an_evaluation_nothing_is_known():
    found = zermelo.alphabeta(game("connect_four"), depth=2)
    assert (found.value, found.bound) == (0.0, "estimate")


def test_3_6_what_ends_within_the_depth_is_exact():
    of = game("tic_tac_toe")
    s = of.parse_state("XX./OO./...")
    found = zermelo.alphabeta(of, s, depth=1, evaluate=lambda s: -0.5)
    assert (found.value, found.action_name) == (1.0, "c1")
    whole = zermelo.minimax(of, s, depth=9)
    assert (whole.value, whole.bound) == (1.0, "exact"), "a limit that cut nothing off leaves an exact value"


# --- 3.1 depth limit and evaluation ----------------------------------------------------------------------------------

PASSED_PAWN = "8/8/1kp5/7b/8/p7/5PPR/5NK1 w - - 0 1"
"""The rook can take the bishop, and then comes too late for the pawn. Stockfish: Rh3 +5.0, Rxh5 0.1."""


def material(s):
    """Pawns 1, knights and bishops 3, rooks 5, queens 9; 200 would be a win."""
    total = 0
    for board, worth in ((s.pawns, 1), (s.knights, 3), (s.bishops, 3), (s.rooks, 5), (s.queens, 9)):
        total += worth * (popcount(board & s.white) - popcount(board & s.black))
    return total / 200


def by_material(fen, depth, **techniques):
    """The move that the count of the pieces suggests at this depth, and the pieces that it hopes for."""
    switches = PLAIN | techniques
    limit = Limit(depth=depth)
    found = zermelo.search(CHESS, CHESS.parse_state(fen), limit=limit, evaluate=material, device="python", **switches)
    return found.action_name, round(found.value * 200)


def test_3_1_depth_1_takes_the_bishop_and_depth_4_stops_the_pawn():
    assert by_material(PASSED_PAWN, 1) == ("Rxh5", 8)
    move, hope = by_material(PASSED_PAWN, 4)
    assert move in ("Rh3", "Rh4")
    assert hope == 5


def test_3_1_won_lost_and_drawn_positions_average_to_a_value():
    """Of positions with these features 72 % were won, 20 % lost, 8 % drawn: 0.72 - 0.20 = 0.52."""
    odds = Tree(chance({"won": (0.72, 1), "lost": (0.20, -1), "drawn": (0.08, 0)}))
    assert zermelo.expectiminimax(odds).value == pytest.approx(0.52)


# --- 3.2 linear evaluation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", [None, PASSED_PAWN, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"])
def test_3_2_the_estimate_by_parts(fen):
    s = CHESS.initial() if fen is None else CHESS.parse_state(fen)
    parts = CHESS.explain(s)
    assert {"material", "mobility", "king safety", "pawn structure", "centre"} <= parts.keys()
    assert sum(parts.values()) == CHESS.score(s)
    assert CHESS.evaluate(s) == CHESS.expected(CHESS.score(s))


def test_3_2_material_counts():
    knight_up = CHESS.parse_state("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert CHESS.explain(CHESS.initial())["material"] == 0
    assert 200 < CHESS.explain(knight_up)["material"] < 500


# --- 3.3 iterative deepening on a clock ------------------------------------------------------------------------------


def test_3_3_there_is_an_answer_at_any_time():
    seen = list(zermelo.search.stream(CHESS, limit=Limit(depth=6), device="cpu"))
    assert [found.depth for found in seen] == [1, 2, 3, 4, 5, 6]
    assert all(found.action in set(CHESS.actions(CHESS.initial())) for found in seen)


def test_3_3_never_past_its_time():
    engine = zermelo.Engine(CHESS, device="cpu", table=4)
    late = []
    for _ in range(3):
        began = spent()
        engine.search(limit=Limit(time=0.1))
        late.append(spent() - began - 0.1)
    assert sorted(late)[1] < AT_ONCE


def test_3_3_good_order_saves_most_of_the_work():
    limit, bare = Limit(depth=5), dict.fromkeys(TECHNIQUES, False)
    order = zermelo.search(FEATURES, limit=limit, device="cpu", **PLAIN)
    disorder = zermelo.search(FEATURES, limit=limit, device="cpu", **bare)
    assert order.score == disorder.score
    assert order.nodes * 5 < disorder.nodes


# --- 3.4 transposition table -----------------------------------------------------------------------------------------


def test_3_4_same_value_with_fewer_nodes():
    for of, depth, times in ((FEATURES, 4, 1.2), (game("connect_four"), 8, 1.5)):
        limit = Limit(depth=depth)
        on, off = (zermelo.search(of, limit=limit, device="cpu", table=table, **PLAIN) for table in (True, False))
        assert on.score == off.score
        assert on.nodes * times < off.nodes


# --- 3.5 quiescence, the horizon, singular extensions ----------------------------------------------------------------

HORIZON = "8/8/1k6/7b/8/p7/5PPR/6K1 w - - 0 1"
"""The same without the pawn on c6: a check on the sixth rank delays the promotion. Stockfish: Rh1 +3.1, Rxh5 0.0."""


def test_3_5_delaying_checks_push_the_promotion_over_the_horizon():
    for depth in (4, 5):
        assert by_material(HORIZON, depth) == ("Rxh5", 6), "a bishop up, it thinks"
    move, hope = by_material(HORIZON, 4, quiescence=True, check_extensions=True)
    assert move != "Rxh5"
    assert hope == 3


def test_3_5_quiescence_looks_at_the_recapture():
    """At depth 1 the queen takes a pawn that is protected; quiescence sees the answer."""
    fen = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1"
    assert by_material(fen, 1)[0] == "Qxd6"
    assert by_material(fen, 1, quiescence=True)[0] != "Qxd6"


def test_3_5_singular_extensions_look_deeper_where_one_move_matters():
    """The same nominal depth, other nodes, and on some position a longer line."""
    fens = (None, HORIZON, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    deeper, other = 0, 0
    for fen in fens:
        s = CHESS.initial() if fen is None else CHESS.parse_state(fen)
        on, off = (
            zermelo.search(CHESS, s, limit=Limit(depth=12), device="cpu", singular_extensions=switch)
            for switch in (True, False)
        )
        deeper += on.deepest > off.deepest
        other += on.nodes != off.nodes
    assert other == len(fens)
    assert deeper > 0


# --- 3.6 forward pruning, and the engine's symmetry ------------------------------------------------------------------


def test_3_6_forward_pruning_saves_nodes():
    limit = Limit(depth=8)
    on = zermelo.search(CHESS, limit=limit, device="cpu")
    off = zermelo.search(CHESS, limit=limit, device="cpu", null_move=False, margins=False, reductions=False)
    assert on.nodes * 5 < off.nodes


def test_3_6_the_engine_skips_mirror_images_too():
    of = game("tic_tac_toe")
    on, off = (zermelo.search(of, device="python", symmetry=switch) for switch in (True, False))
    assert sorted(on.moves) == [0, 1, 4]
    assert sorted(off.moves) == list(range(9))
    assert on.value == off.value == 0.0
    assert on.nodes < off.nodes


# --- 3.7 look-up instead of search -----------------------------------------------------------------------------------


def test_3_7_the_engine_plays_from_its_book_and_says_so():
    found = zermelo.search(CHESS, book=own_book())
    assert (found.method, found.nodes) == ("book", 0)
    assert found.note.startswith("from the book")
    assert found.action in set(CHESS.actions(CHESS.initial()))
    assert zermelo.search(CHESS, CHESS.parse_state(HORIZON), book=own_book(), limit=Limit(depth=2)).method == "search"


# --- 3.8 a chess program ---------------------------------------------------------------------------------------------


def test_3_8_it_speaks_uci():
    """More of it in tests/protocols/test_uci.py; how strong it is, benchmarks/chess_strength.py measures."""
    out = io.StringIO()
    UciServer(CHESS, out).serve(["uci", "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go depth 3"])
    said = out.getvalue().splitlines()
    assert "uciok" in said
    assert said[-1].startswith("bestmove d1d8")


# --- 3.9 a checkers program ------------------------------------------------------------------------------------------


def test_3_9_checkers_has_as_many_games_as_others_count():
    """The count of depth 8 is in tests/searches/perft/checkers.perft, with those beyond."""
    counts = [7, 49, 302, 1469, 7361, 36768, 179740]
    assert [zermelo.perft(game("checkers"), depth) for depth in range(1, 8)] == counts


def test_3_9_it_gives_a_man_for_two():
    of = game("checkers")
    s = of.parse_state("B:W17,18,19,22,29,32:B4,8,9,10,11,13")
    shallow, deep = (zermelo.search(of, s, limit=Limit(depth=depth)) for depth in (1, 9))
    assert shallow.action_name == "8-12"
    assert deep.line_names[:3] == ("11-15", "18x11", "8x15x24")
    assert deep.score > 100 > of.score(s)
