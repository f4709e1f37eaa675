"""The verifier's command: python -I -m verifier --contract C --baseline B --evidence DIR --out DIR.

Exit code 0: graded, reward.json written (doctored evidence included: that is a 0 with its reason). 2: wrong usage.
3: a fault of the grader's own (contract, baseline, output folder): a message on stderr and no reward.

An isolated interpreter (-I) finds a copied verifier/ through a launcher of two lines, P being the folder around it:
    import sys; sys.path.insert(0, "P")
    from verifier.__main__ import main; sys.exit(main())
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence

from verifier.faults import GraderFault
from verifier.grading import grade
from verifier.report import clear_reports, write_reports

OK, FAULT = 0, 3


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        os.makedirs(options.out, exist_ok=True)
        clear_reports(options.out)
        verdict = grade(_read_contract(options.contract), options.baseline, options.evidence)
        write_reports(verdict, options.out)
    except (GraderFault, OSError) as fault:
        print(f"verifier: {fault}", file=sys.stderr)
        return FAULT
    except Exception as error:
        # Nothing that an episode holds may end up as a score by accident: an error nobody foresaw is the grader's.
        print(f"verifier: unforeseen {type(error).__name__}: {error}", file=sys.stderr)
        return FAULT
    told = f"{verdict.contract.task_id}: {verdict.score} of 100" + (", strict" if verdict.strict else "")
    _tell(f"{told}: {verdict.reason}" if verdict.reason else told)
    return OK


def _tell(line: str) -> None:
    """Print the line; a reason may quote what an episode stored, and no terminal need have those characters."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="verifier", description="Grade the snapshot of one episode.")
    parser.add_argument("--contract", required=True, help="the task's gold contract (JSON)")
    parser.add_argument("--baseline", required=True, help="the task's untouched world (SQLite)")
    parser.add_argument("--evidence", required=True, help="folder with world.sqlite and manifest.json")
    parser.add_argument("--out", required=True, help="folder for reward.json and the other reports")
    return parser


def _read_contract(path: str) -> dict[str, object]:
    try:
        with open(path, encoding="utf-8") as file:
            contract = json.load(file)
    except (OSError, ValueError, RecursionError) as error:
        raise GraderFault(f"contract: {path}: {error}") from None
    if not isinstance(contract, dict):
        raise GraderFault(f"contract: {path} holds no JSON object")
    return contract


if __name__ == "__main__":
    sys.exit(main())
