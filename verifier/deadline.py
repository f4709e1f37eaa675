"""A moment after which reading evidence stops."""

import time
from collections.abc import Callable

from verifier.faults import TooSlow


class Deadline:
    """So many seconds from now; of this thread's own work unless another clock is given.

    Work, not time of day: an honest snapshot must not score 0 because the machine was busy with something else.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.thread_time) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def passed(self) -> bool:
        return self._clock() > self._end

    def check(self) -> None:
        """Raises TooSlow once the moment has passed."""
        if self.passed():
            raise TooSlow(f"it takes more than {self.seconds:.0f} seconds to read")
