# /// script
# dependencies = []
# ///
"""Harbor's custom metric of ERPBench-100. In: a reward object a line, null for a trial without one. Out: flat figures.

reward, erp_score and each category: mean over all trials, a trial without a reward counting 0. strict_rate: the share
of trials in which every criterion holds. trials and without_reward are counts.
"""

import argparse
import json
import math
from pathlib import Path
from typing import Any

NEEDED = ("reward", "erp_score", "strict")


def read_rewards(path: Path) -> list[dict[str, float] | None]:
    """Raises ValueError naming the line that is no reward of this benchmark."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [checked(json.loads(line), number) for number, line in enumerate(lines, start=1)]


def checked(reward: Any, number: int) -> dict[str, float] | None:
    if reward is None:
        return None
    if not isinstance(reward, dict) or any(key not in reward for key in NEEDED):
        raise ValueError(f"line {number}: expected null or an object with {', '.join(NEEDED)}, came {reward!r}")
    for key, value in reward.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError(f"line {number}: {key}: expected a finite number, came {value!r}")
    return reward


def figures(rewards: list[dict[str, float] | None]) -> dict[str, float]:
    """The figures over all trials; zeros over none."""
    keys = dict.fromkeys(NEEDED) | dict.fromkeys(sorted({key for reward in rewards for key in reward or ()}))
    total = max(len(rewards), 1)
    means = {key: math.fsum((reward or {}).get(key, 0) for reward in rewards) / total for key in keys}
    named = {"strict_rate" if key == "strict" else key: mean for key, mean in means.items()}
    return {**named, "trials": len(rewards), "without_reward": rewards.count(None)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-i", "--input-path", type=Path, required=True, help="JSON lines, one reward a line")
    parser.add_argument("-o", "--output-path", type=Path, required=True, help="where the figures go, one JSON object")
    arguments = parser.parse_args()
    result = figures(read_rewards(arguments.input_path))
    arguments.output_path.write_text(json.dumps(result) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
