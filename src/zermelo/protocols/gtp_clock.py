"""Time in GTP: main time, then overtime, either so many stones in so many seconds or so many seconds a move."""

from dataclasses import dataclass

from zermelo.play.clock import FREE, LEAST, Clock

LAG = 0.05
"""Seconds of each move's time that are kept back, since messages take time too; at most a twentieth of that time."""


@dataclass
class Side:
    """What one player has left: seconds, and in overtime the stones or periods that they are for."""

    seconds: float
    stones: int = 0


class GtpClock:
    """The clocks of both players: as the controller set or last reported them, less the time that was used since."""

    def __init__(self) -> None:
        self.sides: list[Side] | None = None
        """None where time is not limited."""
        self.overtime, self.stones, self.by_period = 0.0, 0, False

    def set(self, main: float, overtime: float, stones: int, by_period: bool = False) -> None:
        """Set the clocks: overtime is for `stones` stones together, or, `by_period`, for each move, `stones` times."""
        self.overtime, self.stones, self.by_period = overtime, stones, by_period
        # By the protocol, overtime without stones means no limit.
        unlimited = overtime > 0 and stones == 0
        self.sides = None if unlimited else [Side(main), Side(main)]
        if self.sides is not None and main == 0 and overtime > 0:
            self.sides = [Side(overtime, stones), Side(overtime, stones)]

    def free(self) -> None:
        """Remove all limits."""
        self.sides = None

    def tell(self, player: int, seconds: float, stones: int) -> None:
        """Note what the controller's clock shows; stones of 0 mean main time."""
        if self.sides is None:
            self.sides = [Side(seconds), Side(seconds)]
        self.sides[player] = Side(max(0.0, seconds), stones)

    def of(self, player: int, moves: int) -> Clock:
        """The clock as the player sees it, who may have to make `moves` more moves."""
        if self.sides is None:
            return FREE
        side = self.sides[player]
        if side.stones:
            return Clock(move=side.seconds) if self.by_period else Clock(remaining=side.seconds, moves_left=side.stones)
        if not self.overtime or not self.stones:
            return Clock(remaining=side.seconds, moves_left=moves)
        if side.seconds > self.overtime:
            share = self.overtime if self.by_period else self.overtime / self.stones
            return Clock(remaining=side.seconds, increment=share, moves_left=moves)
        both = side.seconds + self.overtime
        return Clock(move=both) if self.by_period else Clock(remaining=both, moves_left=self.stones)

    def share(self, player: int, moves: int) -> float | None:
        """Seconds that the next move may take; None where nothing limits it."""
        fair = self.of(player, moves).shares()[0]
        return None if fair is None else max(LEAST, fair - min(LAG, fair / 20))

    def spend(self, player: int, seconds: float) -> None:
        """Subtract the time that a move took, for controllers that do not report their clocks."""
        if self.sides is None:
            return
        side = self.sides[player]
        if not side.stones and seconds > side.seconds and self.overtime and self.stones:
            seconds -= side.seconds
            side.seconds, side.stones = self.overtime, self.stones
        side.seconds = max(0.0, side.seconds - seconds)
        if side.stones and self.by_period:
            side.seconds = self.overtime
        elif side.stones:
            side.stones -= 1
            if not side.stones:
                side.seconds, side.stones = self.overtime, self.stones
