"""Write the transcripts of GTP sessions anew: `python tests/protocols/update.py`, then look at the difference."""

import io
from pathlib import Path

import zermelo
from zermelo.protocols.gtp import GtpServer, Settings

FOLDER = Path(__file__).with_name("gtp")


def replayed(first: str, lines: list[str]) -> str:
    """The session with these settings and these commands."""
    game, simulations, seed = first.removeprefix("# ").split()
    out = io.StringIO()
    server = GtpServer(zermelo.game(game), Settings(simulations=int(simulations), seed=int(seed)), out)
    out.write(first + "\n")
    for line in lines:
        if line.startswith("> "):
            out.write(line + "\n")
            server.answer(line[2:] + "\n")
    return out.getvalue()


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.txt")):
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text(replayed(first, lines), encoding="utf-8")
