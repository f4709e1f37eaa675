"""When reading stops."""

import pytest

from verifier.deadline import Deadline
from verifier.faults import TooSlow


def test_it_passes_after_its_seconds_on_its_clock() -> None:
    now = [100.0]
    deadline = Deadline(2, lambda: now[0])
    now[0] = 102.0
    deadline.check()
    assert not deadline.passed()
    now[0] = 102.1
    assert deadline.passed()
    with pytest.raises(TooSlow, match="more than 2 seconds"):
        deadline.check()
