"""A file as users write them: games of their own, calls of the public functions, and what is read off the answers.

`test_types` gives it to type checkers as strict as they can be; it runs as well.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import zermelo
from zermelo import (
    CHANCE,
    Analysis,
    Behaviour,
    Belief,
    Equilibria,
    Equilibrium,
    Evaluation,
    ExtensiveForm,
    Game,
    Limit,
    MatchResult,
    Move,
    NormalForm,
    Playouts,
    Policy,
    Reachable,
    RecordedTree,
    Report,
    Seen,
    Sight,
    Solved,
    Solver,
    Sprt,
    Traits,
    u64,
)
from zermelo.games.connect_four import ConnectFour
from zermelo.types import Book, Evaluate, Order, Players, Prior, Rollout

POKER = zermelo.game("kuhn_poker")


def short_first(s: tuple[int, int, int, u64], action: int) -> int:
    """Short steps first."""
    return -action


class Race(Game):
    """Two players walk to a goal; a die is thrown now and then."""

    goal: int = 6
    fast: bool = False
    names = ("Ann", "Bob")
    repetition = ("draw", 3)
    utility_sum = 0.0
    policy_size = 3
    evaluations = {
        "steps": Evaluation(
            "who is ahead", {"lead": lambda s: s.ann - s.bob, "turn": lambda s: 1 - 2 * s.player},
            weights={"lead": 1, "turn": 0.5}, half=2.0,
        ),
    }  # fmt: skip
    orders = {"short": short_first}

    class State(NamedTuple):
        """How far both are, who moves, and squares that were visited."""

        ann: int
        bob: int
        player: int
        seen: u64

    @property
    def max_actions(self) -> int:
        return 3 if self.fast else 2

    @property
    def bounds(self) -> tuple[float, float]:
        return -1.0, 1.0

    def validate(self) -> None:
        if self.goal < 1:
            raise zermelo.BadParameter("race: the goal must be 1 or more")

    def initial(self) -> State:
        return self.State(0, 0, 0, u64(0))

    def to_move(self, s: State) -> int:
        return s.player

    def actions(self, s: State) -> Iterator[int]:
        yield from range(self.max_actions)

    def result(self, s: State, action: int) -> State:
        if s.player == 0:
            return s._replace(ann=s.ann + action + 1, player=1)
        return self.State(s.ann, s.bob + action + 1, 0, s.seen | u64(1 << s.bob))

    def is_terminal(self, s: State) -> bool:
        return s.ann >= self.goal or s.bob >= self.goal

    def utility(self, s: State, player: int) -> float:
        return 1.0 if (s.ann >= self.goal) == (player == 0) else -1.0

    def evaluate(self, s: State) -> float:
        return (s.ann - s.bob) / self.goal

    def order(self, s: State, action: int) -> int:
        return action

    def prior(self, s: State, action: int) -> float:
        return 1.0 + action

    def format_action(self, s: State, action: int) -> str:
        return f"{action + 1} steps"


class Coins(Game):
    """A game with chance and a secret."""

    players = 1
    bounds = (0.0, 1.0)

    State = int

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return CHANCE if state == 0 else 0

    def actions(self, state: int) -> list[int]:
        return [1, 2]

    def result(self, state: int, action: int) -> int:
        return 10 * state + action

    def is_terminal(self, state: int) -> bool:
        return state > 10

    def utility(self, state: int, player: int) -> float:
        return float(state == 11)

    def probability(self, state: int, action: int) -> Fraction:
        return Fraction(1, 2)

    def view(self, state: int, player: int) -> int:
        return 0


class Remembered:
    """A book of one position."""

    def lookup(self, game: Game, state: Any) -> Analysis | None:
        return None if state != game.initial() else zermelo.minimax(game, state, depth=2)


def ahead(s: Race.State) -> float:
    """Player 0's estimate."""
    return float(s.ann - s.bob)


def ahead_in(game: Race, s: Race.State) -> float:
    """The same as a share of the way."""
    return (s.ann - s.bob) / game.goal


def ahead_for(s: Race.State, player: int) -> int:
    """Anybody's estimate."""
    return s.ann - s.bob if player == 0 else s.bob - s.ann


def larger_first(s: Race.State, action: int) -> int:
    """Large steps first."""
    return action


def walk(game: Game, state: Race.State, history: Sequence[Any], clock: Any) -> int:
    """A player of a match."""
    return max(game.actions(state))


def read(answer: Analysis) -> list[str]:
    """Every field of an answer."""
    number: float = answer.value + sum(answer.values)
    best: int | None = answer.action
    moves: dict[int, Move] = answer.moves
    bounds = [move.bound for move in moves.values() if move.visits is None]
    lines: tuple[tuple[int, ...], ...] = (answer.line, *answer.lines)
    counts: list[int | None] = [answer.nodes, answer.depth, answer.seed, answer.score, answer.distance, answer.deepest]
    words = [answer.bound, answer.method, answer.device, answer.note, *answer.line_names, answer.game.name]
    if answer.tree is not None:
        words.append(str(answer.tree))
    return [*words, *bounds, f"{number} {best} {lines} {counts} {answer.time:.1f}", str(answer), str(answer.to_json())]


def search(race: Race) -> list[Analysis]:
    """All searches of open games."""
    start = race.play(race.initial(), 0, 1)
    estimate: Evaluate = ahead
    order: Order = larger_first
    hope: Prior = lambda s, action: 1.0 + action  # noqa: E731
    weight: Rollout = larger_first
    book: Book = Remembered()
    soon = Limit(nodes=200)
    few = Limit(simulations=20)
    return [
        zermelo.minimax(race, depth=2, evaluate=ahead, device="python"),
        zermelo.minimax(race, start, depth=2, evaluate=ahead_for, record=True),
        zermelo.alphabeta(race, depth=3, evaluate=ahead_in, order=True, window=(-1.0, 1.0), bounds=True),
        zermelo.alphabeta(race, depth=3, evaluate=estimate, order=order, history=[race.initial()]),
        zermelo.expectiminimax(race, depth=2, evaluate=ahead_in),
        zermelo.maxn(race, depth=2, evaluate=ahead_for, order=larger_first),
        zermelo.paranoid(race, depth=2, player=1),
        zermelo.alphabeta(race, depth=3, evaluate="steps", order="short", keep=2, fail="hard"),
        zermelo.breadth_first_minimax(race, depth=2, evaluate="steps"),
        zermelo.minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
        zermelo.search(race, limit=soon, evaluate=ahead, book=book),
        zermelo.search(race, start, limit=soon, book=[book, book], null_move=False),
        zermelo.mcts(race, limit=few, prior=True, evaluate=estimate, rollout_depth=3, seed=1),
        zermelo.mcts(race, limit=few, prior=hope, rollout=weight),
        *zermelo.search.stream(race, limit=soon),
        *zermelo.Mcts(race, seed=2).stream(limit=few),
        zermelo.Engine(race, evaluate=ahead).search(limit=soon),
    ]


def count(race: Race) -> float:
    """Counting, sampling, matches and checks."""
    report = zermelo.check(race, games=2, machines=False)
    notes: list[str] = report.notes
    sampled = zermelo.playouts(race, games=10, device="python")
    players: Players = ["random", walk]
    match = zermelo.match(race, players, games=2, seed=3)
    drawn: dict[int, int] = zermelo.perft_divide(race, 2)
    seated: zermelo.Play = zermelo.play(race, players=("random", walk), seed=3, ask=False)
    shown = [race.show().svg(), race.show(race.play(race.initial(), race.format_action(race.initial(), 0))).text()]
    replayed = str(match.replay()) + str(seated.replay()) + "".join([*seated.moves, *shown, *notes])
    paths = zermelo.perft(race, 3) + sum(drawn.values()) + len(zermelo.reachable(race, limit=5_000).states)
    return match.score + match.elo + sampled.mean + sampled.means[0] + paths + len(replayed) + report.ok


def solve() -> list[float]:
    """Hidden information and equilibria."""
    poker = zermelo.game("kuhn_poker")
    pennies = zermelo.Matrix([[1, -1], [-1, 1]])
    tree = zermelo.Tree({"left": zermelo.move(1, [3, 12]), "right": zermelo.chance([(0.5, 2), (0.5, 4)])})
    policy = Policy(poker, lambda view: 0)
    uniform = Policy.uniform(poker)
    dealt = poker.play(poker.initial(), 0, 1)
    known = zermelo.belief(poker, dealt, policy=[policy, None])
    sampled = (
        zermelo.pimc(poker, dealt, worlds=5, policy=uniform),
        zermelo.ismcts(poker, dealt, limit=Limit(simulations=20)),
    )
    learned = zermelo.cfr(poker, iterations=20)
    found = zermelo.nash(pennies)
    first = found[0]
    response, strategy = zermelo.best_response(poker, uniform, 0)
    own: dict[int, float] = strategy(dealt)
    return [
        *known.states.values(),
        *(answer.value for answer in sampled),
        *own.values(),
        response,
        float(learned.exploitability),
        zermelo.exploitability(poker, learned),
        zermelo.nash_conv(poker, [uniform, policy]),
        *zermelo.expected_values(poker, [uniform, policy]),
        *(float(value) for value in first.values),
        float(first.profile[0][0]),
        float(zermelo.zero_sum(pennies).value),
        zermelo.sequence_form(poker).value,
        float(zermelo.lemke(tree).value),
        *(float(one.values[0]) for one in zermelo.subgame_perfect(tree)),
        float(zermelo.correlated(pennies).values[0]),
        *(float(sum(one.surviving[0])) for one in [zermelo.eliminate(pennies)]),
        zermelo.minimax(zermelo.opened(zermelo.Tree([[3, 12], [2, 4]]))).value,
        len(zermelo.normal_form(poker, reduced=True).labels[0]),
        len(zermelo.extensive_form(poker).sets_of(0)),
        len(zermelo.subgames(tree)),
        zermelo.security_level(pennies, 0).value,
        float(zermelo.regret_matching(pennies, iterations=10, choose="highest").average[0][0]),
        zermelo.expectimax(Coins(), depth=2).value if Coins.view is None else 0.0,
    ]


def theory() -> list[float]:
    """What is known of tables and trees of strategies, with the types of the answers."""
    pennies = zermelo.Matrix([[1, -1], [-1, 1]])
    share = zermelo.game("share")
    several: list[Equilibria] = [
        zermelo.lemke_howson(pennies),
        zermelo.support_enumeration(pennies),
        zermelo.vertex_enumeration(pennies),
        zermelo.pure_equilibria(pennies),
        zermelo.subgame_perfect(share, all=True),
    ]
    alone: list[Equilibrium] = [
        zermelo.quasi_perfect(share),
        zermelo.trembling_hand(share),
        zermelo.quantal_response(pennies).equilibrium,
    ]
    dealt = POKER.play(POKER.initial(), 0, 1)
    alone.append(zermelo.resolve(POKER, dealt, Policy.uniform(POKER), iterations=10))
    numbers = [float(one.value + one.regret) for found in several for one in found]
    numbers += [float(gain) for one in alone for gain in one.gains]
    played = zermelo.fictitious_play(pennies, iterations=10)
    table = zermelo.normal_form(share)
    assert isinstance(table, NormalForm)
    tree: ExtensiveForm = zermelo.extensive_form(share)
    outcomes = [x.payoffs for x in zermelo.pareto_front(pennies)]
    reasons = [step.round for step in zermelo.dominated(pennies)]
    return [
        *numbers,
        played.lower,
        *zermelo.replicator(pennies, steps=10).values,
        *(float(len(x)) for x in (zermelo.best_response_dynamics(pennies).path, table.labels, tree, outcomes, reasons)),
        float(len(zermelo.rationalizable(pennies).actions)),
    ]


def data(race: Race, answer: Analysis) -> list[str]:
    """Answers as plain data, and the policies that they carry."""
    rows: list[str] = [str(answer.to_json()["moves"])]
    best: Policy | None = answer.policy
    rows += [] if best is None else [str(best(answer.state))]
    said = zermelo.evaluate(race, evaluation="steps")
    estimate: float = said.value + said.total + said.features["lead"]
    rows += [f"{estimate} {said} {said.weights} {said.to_json()}"]
    tree: RecordedTree | None = answer.tree
    if tree is not None:
        rows += [node.name for node in tree.root.walk()] + [str(tree.to_json(max_nodes=9)["nodes"])]
    learned: Equilibrium = zermelo.cfr(POKER, iterations=5)
    policy: Policy | None = learned.policy
    if isinstance(policy, Behaviour):
        odds: dict[Any, dict[int, float]] = policy.to_dict()
        rows += [f"{situation} {own}" for situation, own in policy] + [str(len(odds)), str(policy.to_json()["game"])]
        rows += [f"{x.player} {x.sees} {x.odds} {x.reached}" for x in policy.situations()]
    for step in zermelo.cfr.stream(POKER, iterations=2):
        rows.append(f"{step.iteration} {step.exploitability} {step.answer().values}")
    result: MatchResult = zermelo.match(race, ["random", walk], games=2, sprt=Sprt(0, 10))
    rows += [f"{record.positions} {record.values} {record.clocks}" for record in result.games]
    sampled: Playouts = zermelo.playouts(race, games=4, device="python")
    found: Reachable = zermelo.reachable(race)
    report: Report = zermelo.check(race, games=1, machines=False)
    return [*rows, str(sampled.to_json()), str(found.count), str(report.to_json()["ok"])]


def sights() -> list[str]:
    """What a player saw, what it can know, and a solved game."""
    seen: Seen = Seen.along(POKER, [0, 2, 0], player=1)
    known: Belief = zermelo.belief(POKER, seen)
    sight: Sight = seen.sights[0]
    four = zermelo.game("connect_four:rows=4,cols=4")
    solved: Solved = zermelo.solve(four, device="python")
    traits: Traits = four.traits
    ways = [] if not isinstance(four, ConnectFour) else [str(Solver(four, device="python").solve().best)]
    python = zermelo.machine("python").name
    return [*ways, str(solved.to_json()), str(traits), f"{known.exact} {sight.action} {python} {zermelo.__version__}"]


def refusals() -> list[str]:
    """What goes wrong, by its name."""
    kinds: list[type[zermelo.ZermeloError]] = [
        zermelo.UnknownGame,
        zermelo.BadParameter,
        zermelo.BadState,
        zermelo.BadNotation,
        zermelo.IllegalAction,
        zermelo.BrokenContract,
        zermelo.UnsuitableGame,
        zermelo.EndlessGame,
        zermelo.CompileError,
        zermelo.DeviceError,
        zermelo.MissingPackage,
        zermelo.Interrupted,
        zermelo.Busy,
    ]
    try:
        zermelo.game("conect_four")
    except zermelo.UnknownGame as error:
        return [str(error), *(kind.__name__ for kind in kinds)]
    return []


@zermelo.kernel
def doubled(game: Any, s: Any, depth: int) -> int:
    """A kernel of one's own."""
    return 2 * depth


def changed(row: tuple[int, ...]) -> tuple[int, ...]:
    """What rules do with a tuple."""
    items = zermelo.thaw(row)
    items[0] = 9
    return zermelo.replace(zermelo.freeze(items), 1, 7)


def write() -> str:
    """The helpers for rules, the catalogue, and the machines."""
    board = u64(6) | 1
    states = zermelo.table([[1, 2], [3, 4]])
    words: list[str] = list(zermelo.games)
    nim: type[Game] = zermelo.games["nim"]
    total = zermelo.hash64((1, 2)) + int(board << 2) + sum(changed((1, 2, 3)))
    traits = nim().traits
    return f"{total} {states[1, 0]} {words} {traits.players} {traits.zero_sum} {zermelo.bits.popcount(board)}"


def everything() -> tuple[list[str], float, list[float], str]:
    """All of it."""
    race = Race(goal=4, fast=True)
    lines = [line for answer in search(race) for line in read(answer)]
    lines += data(race, zermelo.minimax(race, depth=2, record=True)) + sights() + refusals()
    return lines, count(race), solve() + theory(), write()
