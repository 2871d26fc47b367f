"""What a game may define beyond the six functions: each hook lets more methods use a game, or use it better.

`HOOKS` says of each what it is called with, what it means and which rooms of this package call it; the reference docs
are written from it. `Hooks` is what a game has where it does not define them: most are None, which kernels ask for
(`game.draw is not None`) when they are compiled, and some have a meaning that fits every game.
"""

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.contract.states import as_literal, from_literal, require_state
from zermelo.errors import BadState, BrokenContract, IllegalAction


class Hook(NamedTuple):
    """One thing that a game may say."""

    signature: str
    """How it is called, without `self`: `order(s, action)`; a field has its name alone."""
    meaning: str
    callers: tuple[str, ...]
    """The rooms of this package that ask for it; a hook without callers is for people alone."""

    @property
    def name(self) -> str:
        """What the game's member is called."""
        return self.signature.partition("(")[0]


PLAIN, ENGINE, SAMPLING, HIDDEN = "searches.plain", "searches.engine", "searches.mcts", "searches.hidden"
SEARCHES = (PLAIN, ENGINE, SAMPLING, HIDDEN)

HOOKS: dict[str, tuple[Hook, ...]] = {
    "Chance and hidden information": (
        Hook(
            "probability(s, action)",
            "the odds of a chance outcome; they sum to 1 over `actions(s)`",
            (
                PLAIN,
                SAMPLING,
                HIDDEN,
                "searches",
                "equilibrium",
                "running",
                "traits",
                "conformance",
                "play",
                "protocols",
            ),
        ),
        Hook(
            "draw(s, bits)",
            "an outcome drawn directly from 64 random bits",
            ("searches", SAMPLING, "equilibrium"),
        ),
        Hook(
            "view(s, player)",
            "everything that `player` has seen: an integer or a NamedTuple of integers. Equal views are one "
            "information set",
            (
                HIDDEN,
                "equilibrium",
                "policy",
                "situations",
                "running",
                "traits",
                "conformance",
                "draw",
                "play",
                "protocols",
                "record",
            ),
        ),
        Hook(
            "public(s)",
            "what everybody has seen: an integer or a NamedTuple of integers. With `private`, `view` is derived",
            ("equilibrium", "contract", "conformance"),
        ),
        Hook(
            "private(s, player)",
            "what is the player's own, such as a hand of cards: an integer or a NamedTuple of integers",
            ("contract", "conformance"),
        ),
        Hook(
            "sample(view, player, bits)",
            "a state in which `player` moves and has this view, drawn by its odds given the view; `bits` are 64 random "
            "bits, the key of further ones",
            (HIDDEN,),
        ),
    ),
    "Endings and actions": (
        Hook(
            "is_over(s)",
            "endings visible without generating moves; `is_terminal` is then derived",
            (*SEARCHES, "searches", "equilibrium", "running", "conformance", "play", "notation"),
        ),
        Hook(
            "fill(s, out, n)",
            "write the actions to `out[n]`, … and return the index after the last; `actions` is then derived",
            (*SEARCHES, "searches", "equilibrium", "conformance"),
        ),
        Hook(
            "validate()",
            "raise `BadParameter` for parameters that make no sense",
            ("contract",),
        ),
    ),
    "Estimates and order": (
        Hook(
            "evaluate(s)",
            "an estimate of player 0's utility at the depth limit; for several players `evaluate(s, player)`",
            ("running", "searches", ENGINE, SAMPLING, "conformance", "cli"),
        ),
        Hook(
            "order(s, action)",
            "a number; larger is searched first. Searches take it with `order=True`, the engine always",
            ("running", ENGINE),
        ),
        Hook(
            "evaluations",
            'further estimates by name, for `evaluate="name"`: a dict of `zermelo.Evaluation`s, whose features can be '
            "printed, or of functions such as `evaluate`",
            ("running", "cli"),
        ),
        Hook(
            "orders",
            'further orders of moves by name, for `order="name"`: a dict of functions such as `order`',
            ("running",),
        ),
        Hook(
            "score(s)",
            "the estimate for player 0 in the game's own integer units; `evaluate` is then `expected(score(s))`",
            (ENGINE, "draw", "running"),
        ),
        Hook(
            "expected(score)",
            "what a score is worth as a utility of player 0",
            (ENGINE, "play"),
        ),
        Hook(
            "noted_score(s, memory, here, before)",
            "the same number as `score(s)`, with notes: it may write `notes_words` words from `here` on and read those "
            "from `before` on, which an earlier call wrote for another state, most often the one a move before (zeros "
            "where there was none): what changed since then is often quicker to count than the whole",
            (ENGINE,),
        ),
        Hook(
            "notes_words",
            "words of memory for the notes of `noted_score`",
            (ENGINE,),
        ),
        Hook(
            "advantage",
            "a small but clear advantage in units of `score` (a pawn): pruning by margins uses it",
            (ENGINE,),
        ),
        Hook(
            "explain(s)",
            "the parts of `score(s)`, by name",
            ("protocols", "running"),
        ),
    ),
    "The engine": (
        Hook(
            "is_noisy(s, action)",
            "whether an action is a capture or the like",
            (ENGINE,),
        ),
        Hook(
            "fill_noisy(s, out, n)",
            "write the noisy actions, as `fill` does: what quiescence plays on",
            (ENGINE,),
        ),
        Hook(
            "exchange(s, action, least)",
            "whether the captures that an action begins win at least so much",
            (ENGINE,),
        ),
        Hook(
            "in_check(s)",
            "whether the player to move must answer a threat at once",
            (ENGINE,),
        ),
        Hook(
            "null(s)",
            "the state after a pass, or `s` itself where a pass would mislead",
            (ENGINE,),
        ),
        Hook(
            "reversible(s)",
            "how many of the last moves could be taken back: no position before them can come again",
            (ENGINE,),
        ),
        Hook(
            "structure(s, part)",
            "a number for what changes slowly (in chess the pawns, and the officers of either side): estimates of "
            "positions that share one are corrected together",
            (ENGINE,),
        ),
        Hook(
            "structures",
            "how many parts `structure` knows",
            (ENGINE,),
        ),
        Hook(
            "history_size",
            "how many kinds of actions the engine keeps statistics of; the fewer there are, the faster it learns",
            (ENGINE,),
        ),
        Hook(
            "history_index(s, action)",
            "the kind of an action, below `history_size`",
            (ENGINE,),
        ),
    ),
    "Sampling": (
        Hook(
            "prior(s, action)",
            "how promising an action looks before any search: a weight >= 0, where 1 is ordinary; `mcts` takes it with "
            "`prior=True`",
            ("running", "play"),
        ),
        Hook(
            "rollout(s, seed, memory, start)",
            "the game's own playout: player 0's utility at its end. It may use `rollout_words` words of memory from "
            "`start` on, and leaves at `start + a` who was the first to play the action with policy index a (1 for "
            "player 0, 2 for player 1, 0 for nobody)",
            ("searches", SAMPLING, "play"),
        ),
        Hook(
            "rollout_words",
            "words of memory that `rollout` needs",
            (SAMPLING,),
        ),
        Hook(
            "policy_size",
            "how many entries a table of actions needs",
            (SAMPLING, "protocols"),
        ),
        Hook(
            "policy_index(s, action)",
            "an action's entry in a table of `policy_size`; `mcts` with `rave` keeps one",
            (SAMPLING,),
        ),
        Hook(
            "sampling",
            'the options of `mcts` with which it plays this game best: `{"rave": True, "c": 0.2}`',
            ("play",),
        ),
    ),
    "Solving": (
        Hook(
            "solver(game, table=, device=)",
            "what solves positions exactly, however far the end is: a class such as `zermelo.Solver`",
            ("solving",),
        ),
    ),
    "The same position": (
        Hook(
            "key(s)",
            "a 64-bit number that equal positions share: what repetition goes by",
            (PLAIN, ENGINE, SAMPLING, "running", "play", "protocols"),
        ),
        Hook(
            "table_key(s)",
            "what a transposition table knows a state by",
            (ENGINE,),
        ),
        Hook(
            "transform(s, k)",
            "the state under symmetry k, 0 being the identity; `alphabeta` uses it with `symmetry=True`",
            (PLAIN, "searches", "searches.symmetry", "conformance"),
        ),
        Hook(
            "transform_action(action, k)",
            "the action under symmetry k",
            ("conformance",),
        ),
        Hook(
            "symmetry_count",
            "how many symmetries `transform` knows",
            ("searches.symmetry", ENGINE, "conformance"),
        ),
    ),
    "People and protocols": (
        Hook(
            "format_action(s, action)",
            "the action as people write it",
            (
                "result",
                "record",
                "situations",
                "searches",
                "draw",
                "notation",
                "play",
                "protocols",
                "cli",
                "conformance",
                "equilibrium",
                PLAIN,
                SAMPLING,
            ),
        ),
        Hook(
            "parse_action(s, text)",
            "the legal action that `text` names; `IllegalAction` where none does",
            ("notation", "play", "protocols", "cli", "conformance"),
        ),
        Hook(
            "format_state(s)",
            "the state on one line",
            ("result", "searches", "notation", "play", "protocols", "cli", "conformance", ENGINE, HIDDEN),
        ),
        Hook(
            "parse_state(text)",
            "the state that `format_state` wrote; `BadState` where it wrote no such line",
            ("notation", "play", "protocols", "cli", "conformance"),
        ),
        Hook(
            "checked_state(s)",
            "`s` itself, or `BadState` if play cannot reach it",
            (
                "searches",
                ENGINE,
                SAMPLING,
                HIDDEN,
                "equilibrium",
                "running",
                "policy",
                "situations",
                PLAIN,
                "draw",
                "notation",
            ),
        ),
        Hook(
            "text(s, player)",
            "the state for a terminal; given a player (there may be none), only what that player may see",
            ("situations", "draw", "equilibrium", "play", "protocols", "cli"),
        ),
        Hook(
            "svg(s, player)",
            "the state as a picture; given a player (there may be none), only what that player may see",
            ("draw",),
        ),
        Hook(
            "names",
            "what the players are called, in order",
            ("draw", "equilibrium", "notation", "cli"),
        ),
        Hook(
            "format_uci(s, action)",
            "the action as UCI writes it (e2e4); elsewhere its name serves",
            ("protocols", "play"),
        ),
        Hook(
            "parse_uci(s, text)",
            "the legal action that `format_uci` wrote",
            ("protocols", "play"),
        ),
        Hook(
            "played_on(s)",
            "the same position without a draw that may be claimed: interfaces play on until somebody does",
            ("protocols",),
        ),
    ),
}
HOOK_NAMES = frozenset(hook.name for hooks in HOOKS.values() for hook in hooks)


class Hooks:
    """What a game has that defines no hooks. Each may be a method; those that are fields may be properties as well."""

    probability: Any = None
    draw: Any = None
    view: Any = None
    public: Any = None
    private: Any = None
    sample: Any = None

    evaluate: Any = None
    order: Any = None
    evaluations: Any = None
    orders: Any = None
    score: Any = None
    expected: Any = None
    noted_score: Any = None
    notes_words: Any = 0
    advantage: Any = None
    explain: Any = None

    is_noisy: Any = None
    fill_noisy: Any = None
    exchange: Any = None
    in_check: Any = None
    null: Any = None
    reversible: Any = None
    structure: Any = None
    structures: Any = 1

    prior: Any = None
    rollout: Any = None
    rollout_words: Any = 0
    sampling: Any = None

    solver: Any = None

    transform: Any = None
    transform_action: Any = None
    symmetry_count: Any = 1

    svg: Any = None
    names: Any = ()
    format_uci: Any = None
    parse_uci: Any = None
    played_on: Any = None

    def validate(self) -> None:
        """Raise BadParameter where parameters make no sense together. Games override this."""

    # --- the same position -------------------------------------------------------------------------------------

    def key(self, s: Any) -> int:
        """What counts as the same position: a 64-bit hash of the whole state."""
        from zermelo.compile.hashing import hash64

        return hash64(s)

    def table_key(self: Any, s: Any) -> int:
        """What a transposition table knows a state by.

        That is `key`, since positions of equal key play on alike, except where repetition is forbidden: there `key` is
        what must not come again (in Go the stones, not who moves), and a hash of the whole state serves.
        """
        return self.key(s) if self.is_known_by_key else Hooks.key(self, s)

    # --- numbers for actions -----------------------------------------------------------------------------------

    if TYPE_CHECKING:
        policy_size: Any
        history_size: Any
    else:

        @property
        def policy_size(self) -> int:
            """How many entries a table of actions needs."""
            return self.max_actions

        @property
        def history_size(self) -> int:
            """How many kinds of actions an engine keeps statistics of."""
            return self.policy_size

    def policy_index(self, s: Any, action: int) -> int:
        """The action's entry in a table of `policy_size`."""
        return action

    def history_index(self, s: Any, action: int) -> int:
        """The kind of this action, below `history_size`; the fewer kinds there are, the faster an engine learns."""
        return self.policy_index(s, action)

    # --- people ------------------------------------------------------------------------------------------------

    def format_action(self, s: Any, action: int) -> str:
        """The action as people write it."""
        return str(action)

    def parse_action(self: Any, s: Any, text: str) -> int:
        """The legal action that `text` names; IllegalAction where none does.

        Capitals and spaces need not be right where only one name is meant.
        """
        text = text.strip()
        legal = list(self.actions(s))
        names = {self.format_action(s, action): action for action in legal}
        if text in names:
            return names[text]
        meant = [action for name, action in names.items() if _loosely(name) == _loosely(text)]
        if len(meant) == 1:
            return meant[0]
        if text.isdecimal() and int(text) in legal and not any(name.isdecimal() for name in names):
            return int(text)
        raise IllegalAction(f"{text!r} is not legal here; legal: {self._legal_names(s, legal)}")

    def format_state(self, s: Any) -> str:
        """The state on one line, as `parse_state` reads it."""
        return repr(as_literal(s))

    def parse_state(self: Any, text: str) -> Any:
        """The state that `format_state` wrote."""
        try:
            return self.checked_state(from_literal(ast.literal_eval(text.strip()), self.initial()))
        except (BrokenContract, ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            if isinstance(error, BadState):
                raise
            example = self.format_state(self.initial())
            raise BadState(f"{text!r} is no state of {self.name}; the first one is written {example}") from None

    def checked_state(self, s: Any) -> Any:
        """`s` itself where it can be a state of this game; BadState where it cannot."""
        require_state(self, s)
        return s

    def text(self, s: Any, player: int | None = None) -> str:
        """The state for a terminal; given a player, only what that player may see."""
        from zermelo.draw.boards.fields import fields_of, fields_text

        seen = s if player is None or self.view is None else self.view(s, player)
        return fields_text(fields_of(seen, self))


def _loosely(name: str) -> str:
    """The name without what people get wrong: capitals and spaces."""
    return "".join(name.split()).casefold()


class PublicAndPrivate:
    """The view of games that say what everybody has seen and what is a player's own."""

    public: Any
    private: Any

    def view(self, s, player):
        return self.public(s), self.private(s, player)
