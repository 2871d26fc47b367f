"""The command line: what each verb prints, its JSON, and its exit codes."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from command_line import refused
from small_games import Subtraction, written

import zermelo
from zermelo.cli import VERBS, main
from zermelo.cli.shared_arguments import open_game

TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"

OWN_GAME = written(Subtraction)


@pytest.fixture(autouse=True)
def _plain_errors(monkeypatch):
    monkeypatch.delenv("ZERMELO_DEBUG", raising=False)


@pytest.fixture
def own_game(tmp_path):
    path = tmp_path / "subtraction.py"
    path.write_text(OWN_GAME)
    return path


def command(*arguments, **environment):
    """The command in a process of its own."""
    space = {k: v for k, v in os.environ.items() if k != "ZERMELO_DEBUG"} | environment
    return subprocess.run(
        [sys.executable, "-m", "zermelo", *arguments], capture_output=True, text=True, env=space, timeout=60
    )


def answer(capsys, *arguments):
    """The JSON document that the command prints, and nothing else."""
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


# --- the command itself ----------------------------------------------------------------------------------------------


def test_alone_it_prints_a_short_help(capsys):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert all(verb in out for verb in VERBS)
    assert len(out.splitlines()) <= 25


def test_version(capsys):
    import zermelo

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"zermelo {zermelo.__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_json(verb, capsys):
    assert main([verb, "--help"]) == 0
    first = capsys.readouterr().out
    assert f"usage: zermelo {verb}" in first
    assert "--json" in first
    assert main(["help", verb]) == 0
    assert capsys.readouterr().out == first


def test_mistakes_are_one_line(capsys):
    assert "did you mean analyse" in refused(capsys, "anlyse")
    assert "the verbs are" in refused(capsys, "xyz")
    assert "tic_tac_toe" in refused(capsys, "analyse", "tic_tac_to")
    assert "GAME" in refused(capsys, "analyse")
    assert "rows" in refused(capsys, "analyse", "connect_four:rows=0")
    assert "no such file" in refused(capsys, "analyse", "missing.py")
    assert "no tree" in refused(capsys, "analyse", "[[1, 2], [3")
    assert "whole number" in refused(capsys, "perft", "nim", "x")
    assert "seconds" in refused(capsys, "analyse", "nim", "--time", "nan")
    assert "--position" in refused(capsys, "analyse", "nim", "--position", "((1, 1), 0)", "--moves", "x")


def test_debug_shows_the_traceback():
    ran = command("analyse", "nothing_like_it", ZERMELO_DEBUG="1")
    assert ran.returncode == 2
    assert "Traceback" in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("zermelo: no game")


def test_rules_that_raise_are_one_line(capsys, own_game):
    own_game.write_text(OWN_GAME.replace("s.left - action", "s.left // (action - action)"))
    line = refused(capsys, "perft", str(own_game), "3", "--device", "python")
    assert "ZeroDivisionError" in line
    assert "subtraction.py" in line


def test_in_a_process_of_its_own():
    ran = command("analyse", TREE)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "value  3, exact" in ran.stdout
    ran = command("analyse", "no_such_game")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "program",
    [
        "import zermelo",
        "from zermelo.cli import main; main(['analyse', 'tic_tac_toe'])",
        "from zermelo.cli import main; main(['analyse', 'tic_tac_toe', '--json'])",
    ],
)
def test_light_verbs_load_nothing_heavy(program):
    heavy = ("numba", "llvmlite", "numpy", "scipy", "torch", "ray", "rich")
    check = f"import sys; {program}; print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, timeout=60)
    assert ran.stderr.strip() == "[]"


def test_a_closed_pipe_is_no_error():
    space = {k: v for k, v in os.environ.items() if k != "ZERMELO_DEBUG"}
    line = f"{sys.executable} -m zermelo games --json | head -1; echo ${{PIPESTATUS[0]}}"
    ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=space, timeout=60)
    assert ran.stdout.splitlines() == ["{", "0"]
    assert ran.stderr == ""


def test_output_that_knows_only_ascii():
    ran = command("tree", TREE, PYTHONIOENCODING="ascii")
    assert ran.returncode == 0
    assert ran.stdout.isascii()


def test_interrupted_is_130(monkeypatch):
    from zermelo.cli import games

    def interrupted(options):
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "run", interrupted)
    assert main(["games"]) == 130


# --- games -----------------------------------------------------------------------------------------------------------


def test_games_lists_all(capsys):
    import zermelo

    code, found = answer(capsys, "games")
    assert code == 0
    assert [row["game"] for row in found["games"]] == list(zermelo.games)
    assert main(["games"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(list(zermelo.games)) + 2


def test_games_shows_one(capsys, own_game):
    code, found = answer(capsys, "games", "connect_four:rows=5")
    assert code == 0
    assert found["parameters"] == {"rows": 5, "cols": 7, "line": 4}
    assert found["traits"]["zero_sum"] is True
    assert main(["games", str(own_game)]) == 0
    out = capsys.readouterr().out
    assert "whoever takes the last one wins" in out
    assert "n=7" in out


# --- analyse ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "method", "value", "best"),
    [
        (TREE, "alphabeta", 3, "0"),
        ("tic_tac_toe", "alphabeta", 0, "a1"),
        ("nim", "alphabeta", -1, "1 from heap 1"),
        ("bucket", "alphabeta", 1, "B"),
        ("coin_bucket", "expectiminimax", -2, "C"),
        ("share", "maxn", 2, "keep"),
        ("alliance", "maxn", 0.5, "attack 2"),
        ("kuhn_poker", "sequence form", -1 / 18, None),
        ("trails", "sequence form", 1, None),
    ],
)
def test_auto_picks_the_method_that_fits(capsys, game, method, value, best):
    code, found = answer(capsys, "analyse", game)
    assert code == 0
    assert found["method"] == method
    assert found["bound"] == "exact"
    assert found["value"] == pytest.approx(value)
    assert best is None or found["action_name"] == best


def test_analyse_says_what_it_found(capsys):
    assert main(["analyse", "bucket", "--method", "expectimax"]) == 0
    out = capsys.readouterr().out
    assert "value  5, exact" in out
    assert "best   C" in out


def test_equilibrium_play_is_listed(capsys):
    code, found = answer(capsys, "analyse", "rock_paper_scissors")
    assert code == 0
    assert [x["player"] for x in found["policy"]] == [0, 1]
    for situation in found["policy"]:
        assert list(situation["odds"].values()) == pytest.approx([1 / 3] * 3)
    assert main(["analyse", "kuhn_poker"]) == 0
    assert "player 1 on ? K | pass: bet 1" in capsys.readouterr().out


def test_trees_typed_by_hand_know_chance_labels_and_fractions(capsys):
    text = '{"bet": chance({"win": (1/3, 6), "lose": (2/3, -1)}), "stay": 1}'
    code, found = answer(capsys, "analyse", text)
    assert code == 0
    assert (found["value"], found["action_name"]) == (pytest.approx(4 / 3), "bet")
    assert "no tree" in refused(capsys, "analyse", "[__import__('os')]")
    assert "no tree" in refused(capsys, "analyse", "[1/0, 2]")


@pytest.mark.parametrize(
    ("moves", "position"),
    [("b2 a1", "O../.X./..."), ("b2, a1,", "O../.X./..."), (" b2;a1 ", "O../.X./..."), ("", ".../.../...")],
)
def test_moves_lead_to_a_position(capsys, moves, position):
    code, found = answer(capsys, "analyse", "tic_tac_toe", "--moves", moves, "--depth", "2")
    assert code == 0
    assert found["position"] == position
    code, again = answer(capsys, "analyse", "tic_tac_toe", "--position", position, "--depth", "2")
    assert {**found, "seconds": 0} == {**again, "seconds": 0}


def test_names_of_moves_may_hold_spaces(capsys):
    code, found = answer(capsys, "analyse", "nim", "--moves", "1 from heap 1, 2 from heap 2")
    assert code == 0
    assert found["position"] == "((1, 0), 0)"
    assert "move 2" in refused(capsys, "analyse", "nim", "--moves", "1 from heap 1, 3 from heap 9")
    assert "over" in refused(capsys, "analyse", "bucket", "--moves", "A 50 A")


def test_a_position_where_the_game_is_over(capsys):
    code, found = answer(capsys, "analyse", "bucket", "--moves", "A 50")
    assert code == 0
    assert (found["value"], found["action"], found["moves"]) == (50, None, {})


def test_options_reach_their_method(capsys):
    _, plain = answer(capsys, "analyse", "tic_tac_toe", "--method", "alphabeta")
    _, mirrored = answer(capsys, "analyse", "tic_tac_toe", "--method", "alphabeta", "--symmetry")
    assert mirrored["nodes"] < plain["nodes"]
    assert len(mirrored["moves"]) == 3
    _, bounded = answer(capsys, "analyse", "nim:heaps=(1,2)", "--method", "alphabeta", "--bounds")
    assert bounded["value"] == 1
    _, star = answer(capsys, "analyse", "coin_bucket", "--prune", "star2")
    assert (star["value"], star["method"]) == (-2, "expectiminimax (star2)")
    _, lost = answer(capsys, "analyse", "nim", "--when-lost", "hope")
    assert "chosen: 1 from heap 1 (hope)" in lost["note"]


def test_options_of_another_method_are_refused(capsys):
    assert "--prune belongs to expectiminimax" in refused(capsys, "analyse", "nim", "--prune", "star1")
    assert "--symmetry belongs to" in refused(capsys, "analyse", "nim", "--symmetry", "--method", "minimax")
    assert "--depth makes no sense" in refused(capsys, "analyse", "kuhn_poker", "--depth", "3")
    assert "--when-lost makes no sense" in refused(capsys, "analyse", "kuhn_poker", "--when-lost", "hope")


def test_sampling(capsys):
    options = ["--method", "mcts", "--simulations", "300", "--seed", "4", "--device", "python"]
    _, found = answer(capsys, "analyse", "tic_tac_toe", "--position", "XX./OO./...", *options)
    assert (found["method"], found["nodes"], found["action"]) == ("mcts", 300, 2)
    assert answer(capsys, "analyse", "tic_tac_toe", "--position", "XX./OO./...", *options)[1]["moves"] == found["moves"]
    _, solved = answer(
        capsys, "analyse", "tic_tac_toe", "--position", "XX./OO./...", *options, "--solver", "--c", "0.7"
    )
    assert (solved["bound"], solved["value"]) == ("exact", 1)
    # Games with playouts of their own are sampled unless somebody wants something else.
    _, found = answer(capsys, "analyse", "hex:size=3", "--simulations", "50", "--no-rave", "--device", "python")
    assert (found["method"], found["nodes"]) == ("mcts", 50)
    _, found = answer(capsys, "analyse", "tic_tac_toe", "--method", "mcts", "--time", "0.1", "--device", "python")
    assert "alphabeta" in answer(capsys, "tree", "hex:size=2")[1]["method"]
    _, drawn = answer(capsys, "tree", "tic_tac_toe", "--method", "mcts", "--simulations", "40", "--device", "python")
    assert (drawn["method"], len(drawn["tree"]["children"])) == ("mcts", 9)
    assert "mcts is limited by --simulations" in refused(
        capsys, "tree", "tic_tac_toe", "--method", "mcts", "--depth", "3"
    )


def test_sampling_what_is_hidden(capsys):
    """Averaging open games says B; who sees nothing takes A."""
    _, averaged = answer(capsys, "analyse", "trails", "--method", "pimc")
    _, searched = answer(
        capsys, "analyse", "trails", "--method", "ismcts", "--simulations", "500", "--seed", "1", "--c", "1"
    )
    assert [(found["method"], found["action_name"]) for found in (averaged, searched)] == [
        ("pimc", "B"),
        ("ismcts", "A"),
    ]
    assert (searched["nodes"], searched["seed"]) == (500, 1)
    assert "play" not in searched
    _, poker = answer(capsys, "analyse", "kuhn_poker", "--method", "ismcts", "--simulations", "50", "--moves", "J Q")
    assert poker["nodes"] == 50
    for words, *arguments in (
        ("--depth makes no sense here: pimc takes --time, --simulations, --seed", "trails", "--depth", "3"),
        ("--c makes no sense here", "trails", "--c", "1"),
        ("--solver makes no sense here", "trails", "--solver"),
        ("if chance moves there first, give the state after it", "kuhn_poker"),
        ("has a rule about repeated positions", "chess"),
    ):
        assert words in refused(capsys, "analyse", *arguments, "--method", "pimc")
    assert "pimc keeps no tree" in refused(capsys, "tree", "trails", "--method", "pimc")


def test_sampling_that_is_refused(capsys):
    for words, *arguments in (
        ("mcts is limited by --time or --simulations", "--method", "mcts", "--depth", "3"),
        ("--simulations belongs to mcts, and alphabeta answers", "--simulations", "9"),
        ("--seed belongs to mcts", "--seed", "0"),
        ("--c belongs to mcts", "--c", "0"),
        ("--lines belongs to search, and mcts answers", "--method", "mcts", "--lines", "3"),
        ("defines no prior", "--method", "mcts", "--prior"),
        ("no number from 0 on", "--method", "mcts", "--c", "-1"),
        ("no whole number", "--method", "mcts", "--simulations", "0"),
    ):
        assert words in refused(capsys, "analyse", "tic_tac_toe", *arguments)
    assert "hides" in refused(capsys, "analyse", "kuhn_poker", "--method", "mcts")
    assert "--rave makes no sense" in refused(capsys, "analyse", "kuhn_poker", "--rave")


def test_techniques_of_the_engine_are_switched_off(capsys):
    toe = ("analyse", "tic_tac_toe", "--method", "search", "--depth", "5", "--device", "python")
    _, usual = answer(capsys, *toe)
    _, bare = answer(capsys, *toe, "--without", "table, symmetry")
    assert (bare["value"], bare["depth"]) == (usual["value"], usual["depth"])
    assert bare["nodes"] > 1.3 * usual["nodes"]
    for names in ("magic", "", "table,", "limit"):
        assert "search knows no technique" in refused(capsys, *toe, "--without", names)
    assert "--without belongs to search" in refused(capsys, "analyse", "tic_tac_toe", "--without", "table")


def test_methods_that_do_not_fit_are_refused(capsys):
    assert "expectiminimax" in refused(capsys, "analyse", "pig", "--method", "minimax", "--depth", "2")
    assert "no zero-sum game of two" in refused(capsys, "analyse", "prisoners_dilemma")
    assert "hides" in refused(capsys, "analyse", "kuhn_poker", "--method", "alphabeta")
    assert "view" not in refused(capsys, "analyse", "kuhn_poker:players=3")


def test_large_games_are_searched_for_a_while():
    """In a process of its own: the depth for which there was no time is left behind when it ends."""
    ran = command("analyse", "pig:target=50", "--time", "0.3", "--device", "python", "--json")
    found = json.loads(ran.stdout)
    assert ran.returncode == 0
    assert found["bound"] == "estimate"
    assert found["depth"] >= 1
    assert "as deep as 0.3 s allow" in found["note"]


def test_the_machine_can_be_chosen(capsys):
    for device in ("python", "cpu"):
        _, found = answer(capsys, "analyse", "tic_tac_toe", "--method", "alphabeta", "--device", device)
        assert (found["device"], found["value"], found["nodes"]) == (device, 0, 18297)


def test_a_game_in_a_file(capsys, own_game):
    code, found = answer(capsys, "analyse", f"{own_game}:Subtraction:n=6")
    assert code == 0
    assert (found["value"], found["game"]) == (-1, "subtraction")


# --- tree ------------------------------------------------------------------------------------------------------------


def test_tree_as_text(capsys):
    assert main(["tree", TREE]) == 0
    out = capsys.readouterr().out
    assert out.count("✂ cut off") == 1
    assert "tree, alphabeta, 11 nodes, 2 branches cut off" in out


def test_one_tree_has_one_number_of_nodes(capsys):
    for game in (TREE, "nim", "tic_tac_toe"):
        count = zermelo.alphabeta(open_game(game)).nodes
        recorded = zermelo.alphabeta(open_game(game), record=True)
        assert len(recorded.tree) == recorded.nodes == count
        for verb in ("tree", "analyse"):
            assert main([verb, game, "--method", "alphabeta", "--json", *(["--depth", "9"] * (game != TREE))]) == 0
            assert json.loads(capsys.readouterr().out)["nodes"] == count
    assert main(["analyse", "nim"]) == 0
    assert "the last of deeper and deeper searches looked at 25 nodes" in capsys.readouterr().out


def test_tree_as_a_picture(capsys, tmp_path):
    path = tmp_path / "tree.svg"
    assert main(["tree", TREE, "--svg", str(path)]) == 0
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert [p.name for p in tmp_path.iterdir()] == ["tree.svg"]


def test_a_picture_that_cannot_be_written_leaves_nothing(capsys, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for place in (folder, tmp_path / "missing" / "tree.svg"):
        assert "cannot be written" in refused(capsys, "tree", TREE, "--svg", str(place))
    assert "cannot be written" in refused(capsys, "tree", TREE, "--svg", "")
    assert [p.name for p in tmp_path.rglob("*")] == ["folder"]


def test_tree_as_json(capsys):
    code, found = answer(capsys, "tree", "[[3, 5], [2, 9]]")
    assert code == 0
    assert (found["nodes"], found["cut_off"]) == (6, 1)
    assert found["tree"]["value"] == 3
    assert found["tree"]["children"][1]["children"][1]["pruned"].startswith("cut off")
    _, folded = answer(capsys, "tree", "tic_tac_toe", "--depth", "4", "--max-nodes", "50")
    assert sum("hidden" in child for child in folded["tree"]["children"]) > 0


def test_trees_of_large_games_stay_small(capsys):
    _, found = answer(capsys, "tree", "connect_four", "--max-nodes", "20")
    assert 1_000 < found["nodes"] < 50_000
    assert "--depth" in found["note"]


def test_hidden_games_are_shown_whole(capsys):
    _, found = answer(capsys, "tree", "kuhn_poker")
    assert found["nodes"] == 58
    assert found["tree"]["value"] == pytest.approx(-1 / 18)
    _, open_end = answer(capsys, "tree", "prisoners_dilemma")
    assert (open_end["nodes"], open_end["method"]) == (7, "whole tree")
    first = found["tree"]["children"][0]["children"][0]
    assert first["information_set"] == "J ?"
    assert {"name": "J ?", "player": 0, "sees": "J ?", "nodes": 2} in found["information_sets"]
    assert len(found["information_sets"]) == 12
    assert "never comes" in found["note"]
    assert main(["tree", "kuhn_poker", "--depth", "2"]) == 0
    assert "depth limit" in capsys.readouterr().out
    assert main(["tree", "kuhn_poker"]) == 0
    assert "▼ {? Q | bet}" in capsys.readouterr().out


def test_a_random_opponent_is_drawn_as_chance(capsys):
    assert main(["tree", "bucket", "--method", "expectimax"]) == 0
    out = capsys.readouterr().out
    assert "├── A ○ 0 (Min at random)\n│  ├── -50 (1/2) ■ -50" in out
    assert "▼" not in out
    _, found = answer(capsys, "tree", "bucket", "--method", "expectimax")
    child = found["tree"]["children"][0]
    assert (child["kind"], child["player"], child["random_player"]) == ("chance", -1, 1)
    assert [below["odds"] for below in child["children"]] == [0.5, 0.5]


def test_sampled_trees_have_wins_and_visits(capsys):
    _, found = answer(capsys, "tree", "tic_tac_toe", "--method", "mcts", "--simulations", "100")
    assert found["tree"]["visits"] == 100
    assert 0 < found["tree"]["wins"] < 100
    assert all(child["wins"] <= child["visits"] for child in found["tree"]["children"])
    assert main(["analyse", "tic_tac_toe", "--method", "mcts", "--simulations", "100"]) == 0
    assert "100 simulations" in capsys.readouterr().out


def test_what_play_never_reaches_is_listed_as_such(capsys):
    assert main(["analyse", "kuhn_poker"]) == 0
    assert capsys.readouterr().out.count(": never reached") == 3
    _, found = answer(capsys, "analyse", "kuhn_poker")
    assert [x["reached"] for x in found["policy"]].count(False) == 3


# --- counting, sampling, checking ------------------------------------------------------------------------------------


def test_perft(capsys):
    _, found = answer(capsys, "perft", "tic_tac_toe", "4", "--device", "python")
    assert found["paths"] == 3024
    _, divided = answer(capsys, "perft", "tic_tac_toe", "4", "--divide", "--device", "python")
    assert list(divided["divide"].values()) == [336] * 9
    assert main(["perft", "tic_tac_toe", "3", "--moves", "a1", "--divide"]) == 0
    assert "336 paths" in capsys.readouterr().out


def test_playouts_repeat_with_the_seed(capsys):
    one, same, other = (
        answer(capsys, "playouts", "pig", "--games", "100", "--seed", seed)[1]["means"] for seed in "775"
    )
    assert one == same != other
    assert main(["playouts", "three_player_tic_tac_toe", "--games", "50"]) == 0
    assert "player 2:" in capsys.readouterr().out


def test_check_says_what_is_wrong_by_its_exit_code(capsys, own_game):
    code, found = answer(capsys, "check", str(own_game), "--python-only")
    assert (code, found["ok"]) == (0, True)
    own_game.write_text(OWN_GAME.replace("yield 2", "yield 1"))
    code, found = answer(capsys, "check", str(own_game), "--python-only")
    assert (code, found["ok"]) == (1, False)
    assert main(["check", str(own_game), "--python-only"]) == 1
    assert "broken" in capsys.readouterr().out
    own_game.write_text(OWN_GAME.replace("def result", "def outcome"))
    assert main(["check", str(own_game), "--python-only"]) == 1
    assert "lacks the method result" in capsys.readouterr().out


def test_bench_counts_the_same_on_all_machines(capsys):
    code, found = answer(capsys, "bench", "tic_tac_toe")
    assert (code, found["agree"]) == (0, True)
    assert found["signature"] == found["rows"][0]["nodes"] == 12664
    assert main(["bench", "kuhn_poker"]) == 0
    assert "signature 58" in capsys.readouterr().out


# --- the tour --------------------------------------------------------------------------------------------------------


def test_the_tour_finds_the_known_values(capsys, tmp_path):
    code = main(["demo", "--quick", "--folder", str(tmp_path / "tour"), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 0
    assert [(row["value"], row["bound"]) for row in found["solved"]] == [
        (value, "exact") for value in (-1, 0, 0, 1, 5, -2, 1)
    ]
    assert [row["hidden"] for row in found["higher_takes"].values()] == [0, 0, -1, -1]
    assert all(row["average"] == 0 for row in found["higher_takes"].values())
    assert found["trails"] == {"hidden": 1, "open": 3}
    assert [(row["delay"], row["hope"]) for row in found["lost"]] == [("1 from heap 1", "1 from heap 1"), ("a3", "b2")]
    assert sorted(p.name for p in (tmp_path / "tour").iterdir()) == sorted(found["pictures"])
    for name in found["pictures"]:
        if name.endswith(".svg"):
            ElementTree.parse(tmp_path / "tour" / name)


def test_the_tour_needs_a_folder(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be made" in refused(capsys, "demo", "--quick", "--folder", str(tmp_path / "file"))
