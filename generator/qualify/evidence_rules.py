"""Rules on a case and its rendered evidence: what gold needs can be read, and the request does not give it away.

The evidence of a task is all that its agent can read: the texts of its files, mail, chat, the ERP's rows and the task
contract.
"""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.evidence.model import Rendered
from generator.evidence.values import show_date
from generator.families.base import Rows
from generator.qualify.rules import FREE_TEXT
from generator.qualify.stranger_rules import planted_problems
from generator.spec.case import Case
from generator.tasks.room import build_request, chat, mailbox, task_files
from generator.tasks.strangers import wishes
from generator.tasks.view import build_view, plain, task_kind
from generator.worlds.writer import stored

CONVENTIONS = ("range", "valueInputOption", "ProcessAction")  # how a tool is called, which its description says
IDENTIFIER = re.compile(r"[A-Za-z0-9][\w./-]*")


def evidence_problems(case: Case, rows: Rows, files: Sequence[Rendered]) -> list[str]:
    """Every rule on one case. rows and files are the tenant's."""
    text = evidence_text(case, rows, files)
    missing = [value for value in dict.fromkeys(needed(case)) if not _stands(case, value, text)]
    problems = [f"gold needs {value!r}, which stands in no evidence" for value in missing]
    problems += [f"the request says {value!r}" for value in given_away(case)]
    problems += planted_problems(wishes(case.tenant, rows), files)
    return [f"{case.task_id} ({case.family}): {problem}" for problem in problems]


def evidence_text(case: Case, rows: Rows, files: Sequence[Rendered]) -> str:
    """All that the agent can read, in one text."""
    parts = [rendered.text for rendered in (*files, *task_files(case, rows))]
    parts += [f"{m.id} {m.sender} {m.subject} {m.body}" for m in mailbox(case)]
    parts += [m.text for m in chat(case)]
    parts += [rendered.document.id for rendered in files]
    parts += [" ".join(str(stored(cell)) for cell in row.values()) for table in rows.values() for row in table]
    parts.append(json.dumps(build_view(case), ensure_ascii=False))
    return "\n".join(parts)


def needed(case: Case) -> Iterator[str]:
    """Every identifier, code, name and date in gold's writes and citations. Amounts are worked out, not read."""
    yield from (case.gold.operative, *case.gold.cited)
    if case.gold.obstacle is not None:
        yield case.gold.obstacle
    for write in case.gold.writes:
        yield from _texts(write.arguments)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key not in (*FREE_TEXT, *CONVENTIONS):
                yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str) and value and "${" not in value:
        yield value


def _stands(case: Case, value: str, text: str) -> bool:
    """In the evidence as it is, or, for a date, in the office's form; a date may also follow from another by a rule."""
    if re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text):
        return True
    try:
        day = dt.date.fromisoformat(value)
    except ValueError:
        return False
    return show_date(day, case.tenant.profile.habits.dates) in text or task_kind(case).derives_dates


def given_away(case: Case) -> Iterator[str]:
    """Values of the answer that stand in the request, as whole words."""
    request = build_request(case)
    words = {word.strip(".") for word in IDENTIFIER.findall(request)}
    numbers = [plain(value) for value in case.gold.answers.values()]
    names = [case.gold.option, case.gold.status, *(option.label for option in task_kind(case).options)]
    if case.gold.primary is not None and case.gold.primary.name[0] == "literal":
        names.append(case.gold.primary.name[1])
    yield from (number for number in numbers if number in words)
    # A status without an underscore is an ordinary word.
    yield from (name for name in names if name in request and ("_" in name or " " in name or "-" in name))
