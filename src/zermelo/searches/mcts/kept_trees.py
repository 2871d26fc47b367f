"""Trees that stay in memory from move to move: what lies below the new root is kept, the rest is forgotten."""

from typing import Any

from zermelo.compile import kernel, make_room
from zermelo.compile.memory import float_to_word
from zermelo.contract import CHANCE
from zermelo.record import Node, RecordedTree
from zermelo.searches.mcts.answers import Found
from zermelo.searches.mcts.blocks import ACTION, ENDED, FIRST, HEAD, ROOT, VISITS, SearchTree
from zermelo.searches.mcts.options import Sampling

STEPS = 4
"""Moves from the root within which a state is looked for."""
WIDEST = 20_000
"""The search for a state goes on from at most so many nodes of one depth."""


class KeptTree:
    """One tree and its memory."""

    def __init__(self, sampling: Sampling, on: Any, megabytes: float) -> None:
        self.sampling, self.machine = sampling, on
        least = HEAD + 1 + sampling.width * (2 + sampling.game.max_actions)
        self.capacity = max(least, int(megabytes * (1 << 20)) // 8) - HEAD
        self.deepest = 0
        self.spare: Any = None
        self.nodes: Any = None
        self.block: Any = None
        self._move(self._memory())
        self.clear()

    def _memory(self) -> Any:
        native = self.machine.name != "python"
        return self.machine.memory(self.capacity if native else self.sampling.width)

    def _move(self, nodes: Any) -> None:
        """Let the nodes stand in this memory."""
        before, self.nodes = self.block, nodes
        self.block = self.machine.block(SearchTree)
        self.block.nodes, self.block.capacity = nodes, self.capacity
        if before is not None:
            self.block.least, self.block.greatest = before.least, before.greatest
            self.block.full, self.block.finer = before.full, before.finer
            self.block.counts.top, self.block.counts.started = before.counts.top, before.counts.started

    def clear(self) -> None:
        """Forget everything but the root, which is bare."""
        width, block = self.sampling.width, self.block
        self.machine.write(self.nodes, ROOT, [0] * width)
        block.least, block.greatest = self.sampling.first_ends
        block.full = block.finer = 0
        block.counts.top, block.counts.started = ROOT + width, 0
        self.deepest = 0

    def move_to(self, on: Any) -> None:
        """Go on from plain Python on a native machine."""
        words = self.nodes[: self.block.counts.top]
        self.machine, self.spare = on, None
        self._move(self._memory())
        on.write(self.nodes, 0, [float_to_word(word) if isinstance(word, float) else word for word in words])

    @property
    def visits(self) -> int:
        """Simulations that came through the root."""
        return self.nodes[ROOT + VISITS]

    @property
    def is_proven(self) -> bool:
        """Whether the value of the root is known for certain."""
        return self.sampling.is_sure(self.nodes, ROOT)

    def found(self) -> Found:
        """What answers need."""
        width, block = self.sampling.width, self.block
        nodes = self.machine.read(self.nodes, ROOT, width)
        first = nodes[ROOT + FIRST]
        if first > 0:
            nodes[ROOT + FIRST] = width + 1
            nodes += self.machine.read(self.nodes, first - 1, 1 + self.nodes[first - 1] * width)
        return Found(
            nodes=nodes, capacity=self.capacity, full=bool(block.full), finer=bool(block.finer), deepest=self.deepest,
            least=block.least, greatest=block.greatest,
        )  # fmt: skip

    def children(self, node: int) -> list[int]:
        """Where the children of a node stand."""
        first = self.nodes[node + FIRST]
        return [first + i * self.sampling.width for i in range(self.nodes[first - 1])] if first > 0 else []

    def child(self, node: int, action: int) -> int:
        """Where the child with this action stands."""
        return next(child for child in self.children(node) if self.nodes[child + ACTION] == action)

    def find(self, root: Any, s: Any) -> int | None:
        """The visited node nearest to the root whose state is `s`, among those a few moves away."""
        game = self.sampling.game
        level = [(ROOT, root)]
        for _ in range(STEPS):
            following: list[tuple[int, Any]] = []
            for node, before in level:
                for child in self.children(node):
                    if not self.nodes[child + VISITS]:
                        continue
                    state = game.result(before, self.nodes[child + ACTION])
                    if state == s:
                        return child
                    if len(following) < WIDEST and self.nodes[child + FIRST] > 0:
                        following.append((child, state))
            level = following
        return None

    def follow(self, node: int) -> None:
        """Let the tree begin at this node; the rest is forgotten."""
        target = self._memory() if self.spare is None else self.spare
        top = self.machine.call(copy_below, nodes=self.nodes, node=node, target=target, width=self.sampling.width)
        self.nodes, self.spare = target, self.nodes
        self.block.nodes = self.nodes
        self.block.full = self.block.finer = 0
        self.block.counts.top, self.block.counts.started = top, self.visits
        self.deepest = max(0, self.deepest - 1)

    def recorded(self, s: Any, action: int | None) -> RecordedTree:
        """All nodes that were visited, as a recording that can be drawn as those of other searches are; `s` is the
        state of the root, `action` the answer."""
        game, nodes = self.sampling.game, self.nodes
        root = Node(s, None, None, "")
        ends = self._range()
        stack = [(ROOT, root)]
        while stack:
            at, node = stack.pop()
            self._describe(at, node)
            if ends is not None:
                node.wins = self._wins(at, node, *ends)
            children = [child for child in self.children(at) if nodes[child + VISITS]]
            for child in children:
                taken = nodes[child + ACTION]
                below = Node(game.result(node.state, taken), node, taken, game.format_action(node.state, taken))
                if node.player == CHANCE:
                    below.probability = game.probability(node.state, taken)
                node.children.append(below)
                stack.append((child, below))
            if children and node.player != CHANCE:
                node.best = nodes[max(children, key=lambda child: nodes[child + VISITS]) + ACTION]
        root.best = action
        return RecordedTree(game, root, "mcts")

    def _range(self) -> tuple[float, float] | None:
        """What player 0 gets by losing and by winning: the game's bounds, or the ends that were seen."""
        seen = (self.block.least, self.block.greatest)
        low, high = self.sampling.game.bounds or map(self.sampling.utility_of, seen)
        return (float(low), float(high)) if low < high else None

    def _wins(self, at: int, node: Node, low: float, high: float) -> float | None:
        """The simulations won by the player whose move led to a node; at the root, by whoever is not to move.

        A draw is half a win, and any other result the share of the way from a loss to a win.
        """
        whole = self.sampling.whole
        winner = _who_came(node, self.sampling.game.players)
        gain = self.sampling.means_at(self.nodes, at)[winner]
        if winner == 1 and whole is not None:
            low, high = whole - high, whole - low
        share = (gain - low) / (high - low)
        return share * self.nodes[at + VISITS] if -1e-9 <= share <= 1 + 1e-9 else None

    def _describe(self, at: int, node: Node) -> None:
        """Note who moves at a node, how often it was visited and what it is worth."""
        game, nodes = self.sampling.game, self.nodes
        ends = nodes[at + FIRST] == ENDED or game.is_terminal(node.state)
        node.player = None if ends else game.to_move(node.state)
        node.visits = nodes[at + VISITS]
        node.values = self.sampling.values_at(nodes, at)
        node.value = node.values[0]
        node.bound = "exact" if ends or self.sampling.is_sure(nodes, at) else "estimate"


def _who_came(node: Node, players: int) -> int:
    """The last player who moved above; at the root the opponent of the one to move, as if that move were the last."""
    above = node.parent
    while above is not None and above.player == CHANCE:
        above = above.parent
    if above is not None and above.player is not None:
        return above.player
    mover = node.player if node.player is not None and node.player >= 0 else 0
    return 1 - mover if players == 2 else mover


@kernel
def copy_below(nodes, node, target, width):
    """Copy a node and all below it to `target`, whose nodes are the queue of what is still to be copied; where they
    end."""
    make_room(target, width)
    for k in range(width):
        target[ROOT + k] = nodes[node + k]
    top = ROOT + width
    row, left = ROOT, 1
    while left > 0:
        first = target[row + FIRST]
        if first > 0:
            size = 1 + nodes[first - 1] * width
            make_room(target, top + size)
            for k in range(size):
                target[top + k] = nodes[first - 1 + k]
            target[row + FIRST] = top + 1
            top += size
        row += width
        left -= 1
        if left == 0 and row < top:
            # The next brothers and sisters, behind the word that says how many they are.
            left = target[row]
            row += 1
    return top
