"""Named random streams: the only randomness in the project.

A stream is a function of (seed, names) alone, so adding a draw in one place never shifts the draws of another.
"""

import hashlib
import random

RELEASE_SEED = 100


def stream(seed: int, *names: str) -> random.Random:
    """A generator seeded by the dataset's seed and a path of names such as ("NBR", "order_import", "quantities")."""
    digest = hashlib.sha256("\x1f".join([str(seed), *names]).encode()).digest()
    return random.Random(int.from_bytes(digest, "big"))
