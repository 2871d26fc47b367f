"""Trees and threads in memory: what kernels are given, and what stays of it from move to move."""

from typing import Any

from zermelo.compile.memory import float_to_word
from zermelo.searches.mcts import blocks as at
from zermelo.searches.mcts.compacting import compact
from zermelo.searches.mcts.options import Plan


class Tree:
    """One tree and its memory."""

    def __init__(self, plan: Plan, on: Any, megabytes: float) -> None:
        self.plan, self.machine = plan, on
        least = at.HEAD + 1 + plan.width * (2 + plan.game.max_actions)
        self.capacity = max(least, int(megabytes * (1 << 20)) // 8)
        self.deepest = 0
        self.words = self._block()
        self.spare: Any = None
        self.clear()

    def _block(self) -> Any:
        native = self.machine.name != "python"
        return self.machine.memory(self.capacity if native else at.HEAD + self.plan.width)

    def summary(self) -> list[int]:
        """The words of the tree down to the children of the root, as a tree of its own."""
        width = self.plan.width
        words = self.machine.read(self.words, 0, at.HEAD + width)
        first = words[at.ROOT + at.FIRST]
        if first > 0:
            words[at.ROOT + at.FIRST] = at.HEAD + width + 1
            words += self.machine.read(self.words, first - 1, 1 + self.words[first - 1] * width)
        words[at.DEPTH] = self.deepest
        return words

    def move_to(self, on: Any) -> None:
        """Go on from plain Python on a native machine."""
        words = self.words[: self.words[at.TOP]]
        self.machine, self.spare = on, None
        self.words = self._block()
        on.write(self.words, 0, [float_to_word(word) if isinstance(word, float) else word for word in words])

    def clear(self) -> None:
        """Forget everything but the root, which is bare."""
        self.machine.write(self.words, 0, self.plan.bare_tree(self.capacity))
        self.deepest = 0

    def children(self, node: int) -> list[int]:
        """Where the children of a node stand."""
        first = self.words[node + at.FIRST]
        return [first + i * self.plan.width for i in range(self.words[first - 1])] if first > 0 else []

    def child(self, node: int, action: int) -> int:
        """Where the child with this action stands."""
        return next(child for child in self.children(node) if self.words[child + at.ACTION] == action)

    def find(self, root: Any, s: Any) -> int | None:
        """The visited node nearest to the root whose state is `s`, among those a few moves away."""
        game = self.plan.game
        level = [(at.ROOT, root)]
        for _ in range(4):
            following: list[tuple[int, Any]] = []
            for node, before in level:
                for child in self.children(node):
                    if not self.words[child + at.VISITS]:
                        continue
                    state = game.result(before, self.words[child + at.ACTION])
                    if state == s:
                        return child
                    if len(following) < 20_000 and self.words[child + at.FIRST] > 0:
                        following.append((child, state))
            level = following
        return None

    def follow(self, node: int) -> None:
        """Let the tree begin at this node; the rest is forgotten."""
        if self.spare is None:
            self.spare = self._block()
        self.machine.write(self.spare, 0, self.plan.bare_tree(self.capacity))
        self.spare[at.LEAST], self.spare[at.GREATEST] = self.words[at.LEAST], self.words[at.GREATEST]
        self.machine.call(compact, tree=self.words, node=node, target=self.spare, width=self.plan.width, head=at.HEAD)
        self.spare[at.STARTED] = self.spare[at.ROOT + at.VISITS]
        self.words, self.spare = self.spare, self.words
        self.deepest = max(0, self.deepest - 1)


class Thread:
    """What one thread works with: its words, its stack, the keys of its path."""

    def __init__(self, plan: Plan, on: Any, seed: int, keys: list[int], limit: int, end: int) -> None:
        self.work = on.memory(at.WORDS)
        on.write(self.work, 0, plan.work(on.name != "python", limit, end, seed, len(keys)))
        self.memory = on.memory(plan.stack_words)
        self.keys = on.memory(plan.key_words(len(keys)))
        if plan.game.repetition is not None:
            on.write(self.keys, 0, keys)
