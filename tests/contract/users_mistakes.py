"""What type checkers refuse: each line that is marked `# refused`, and no other."""

from collections.abc import Iterator

import zermelo
from zermelo import Analysis, Game, Limit

nim = zermelo.game("nim")
answer = zermelo.minimax(nim)

zermelo.minimax(nim, dept=3)  # refused
zermelo.minimax(nim, depth="3")  # refused
zermelo.alphabeta("nim")  # refused
zermelo.search(nim, limit=3)  # refused
zermelo.search(nim, null_mov=False, limit=Limit(time=0.1))  # refused
zermelo.Engine(nim, tabel=16)  # refused
zermelo.maxn(nim, dept=3)  # refused
zermelo.cfr(nim, iteration=3)  # refused
zermelo.ismcts(nim, worlds=3)  # refused
zermelo.mcts(nim, sed=1)  # refused
zermelo.playouts(nim, game=3)  # refused
zermelo.match(nim, ["random", "random"], rounds=3)  # refused
zermelo.nash(nim, al=True)  # refused
zermelo.no_such_method(nim)  # refused
print(answer.valeu)  # refused
answer.value = 1.0  # refused
answer.tree.svg()  # refused
zermelo.nash(nim)[0].policy(nim.initial())  # refused
first: str = zermelo.nash(nim)[0].values[0]  # refused
streamed: Iterator[int] = zermelo.search.stream(nim)  # refused
found: Analysis = zermelo.playouts(nim)  # refused
rows: dict[str, int] = zermelo.perft_divide(nim, 2)  # refused
state = zermelo.Policy.uniform(nim).to_dict().first  # refused


class Mine(Game):
    """Rules that do not keep the contract."""

    def to_move(self, s: int) -> str:  # refused
        return "me"

    def utility(self, s: int) -> float:  # refused
        return 0.0
