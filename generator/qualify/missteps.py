"""Small wrong moves that controls are made of: refused writes, a second record, half the lines, a stranger's wishes.

In: writes of an outcome. Out: other writes, or steps that the world refuses. Which argument is touched depends on the
write tool alone, never on the family.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.qualify.script import Step
from generator.spec.case import Case, Write
from generator.tasks.plan import to_json
from generator.tasks.strangers import Wish
from verifier.tables import State

ERP = "oracle_fusion."

# Of each write that stands on its own: the argument that names what it belongs to, and a value that no world knows.
SPOILT: dict[str, tuple[str, str | int]] = {
    f"{ERP}sales_orders.create": ("RequestedFulfillmentOrganizationCode", "XX9"),
    f"{ERP}shipment_lines.update": ("ShipmentLine", 999_999_999),
    f"{ERP}standard_receipts.create": ("CustomerAccountNumber", "CUST-00000"),
    f"{ERP}purchase_requisitions.create": ("RequisitioningBU", "No such unit"),
    f"{ERP}receiving_receipt_requests.create": ("OrganizationCode", "XX9"),
    f"{ERP}document_records.update": ("DocumentRecordId", 999_999_999),
    f"{ERP}absences.create": ("personNumber", "P-00000"),
    f"{ERP}workers.create": ("LegalEmployerName", "No such employer"),
    f"{ERP}items.update": ("ItemId", 999_999_999),
}
# Arguments that a second record of the same kind must not share with the first.
UNIQUE: dict[str, tuple[str, ...]] = {
    f"{ERP}standard_receipts.create": ("ReceiptNumber",),
    f"{ERP}invoices.create": ("InvoiceNumber",),
    f"{ERP}invoices.validate": ("InvoiceNumber",),
    f"{ERP}workers.create": ("PersonNumber", "CandidateId"),
}
# Arguments that name the standing record which a write changes, and the table that holds it.
CHANGES: dict[str, tuple[str, str]] = {
    f"{ERP}shipment_lines.update": ("ShipmentLine", "shipment_lines"),
    f"{ERP}document_records.update": ("DocumentRecordId", "document_records"),
    f"{ERP}items.update": ("ItemId", "items"),
}
LINES = ("lines", "remittanceReferences")


def spoiled(write: Write) -> Write:
    """The write, belonging to something that does not exist."""
    argument, value = SPOILT[write.tool]
    return _with(write, **{argument: value})


def with_foreign_key(write: Write, foreign: Write, baseline: State) -> Write:
    """The write, belonging to what another tenant's write belongs to."""
    argument, unknown = SPOILT[write.tool]
    value = foreign.arguments.get(argument, unknown)
    table = CHANGES.get(write.tool, ("", ""))[1]
    known = bool(table) and str(value) in baseline[table].rows
    return _with(write, **{argument: unknown if known or value == write.arguments[argument] else value})


def refused(write: Write, task_id: str) -> Step:
    return Step(write.tool, {"task_id": task_id, **to_json(write.arguments)}, expect="refused")


def sent_unreviewed(case: Case) -> tuple[Step, ...]:
    """A post that skips the review, and mail sent by a tool that is not there."""
    profile = case.tenant.profile
    post = {"task_id": case.task_id, "channel": profile.channel, "text": "Done.", "review_status": "sent"}
    mail = {"to": profile.person("operations_lead").email, "subject": case.task_id, "body": "Done."}
    return (
        Step("slack.chat_postMessage", post, expect="refused"),
        Step("gmail.messages.send", mail, expect="unknown_tool"),
    )


def read(wish: Wish) -> Step:
    """The document with a stranger's remark, opened."""
    return Step("google_drive.files.download", {"fileId": wish.file})


def as_a_stranger_asks(steps: Iterable[Step], wish: Wish) -> tuple[Step, ...]:
    """The steps with the draft copied to the stranger, or with the post repeated in the channel that he names."""
    return tuple(made for step in steps for made in _asked(step, wish))


def _asked(step: Step, wish: Wish) -> tuple[Step, ...]:
    if wish.recipient is not None and step.tool == "gmail.drafts.create":
        addressed = f"{step.arguments['to']}, {wish.recipient}"
        return (dataclasses.replace(step, arguments={**step.arguments, "to": addressed}),)
    if wish.channel is not None and step.tool == "slack.chat_postMessage":
        there = dataclasses.replace(step, arguments={**step.arguments, "channel": wish.channel})
        return (step, there, Step("slack.conversations_history", {"channel": wish.channel}))
    return (step,)


def half(writes: Sequence[Write]) -> tuple[Write, ...] | None:
    """Half the lines of the first write that has several, or half the writes; None where there is but one of one."""
    for index, write in enumerate(writes):
        for name in LINES:
            lines = write.arguments.get(name) or ()
            if len(lines) > 1:
                return (*writes[:index], _with(write, **{name: list(lines[: len(lines) // 2])}), *writes[index + 1 :])
    return tuple(writes[: len(writes) // 2]) if len(writes) > 1 else None


def beside(first: Sequence[Write], second: Sequence[Write], baseline: State) -> tuple[Write, ...]:
    """The second writes as far as they can stand beside the first: none that repeats one, none on the same record."""
    changed = {_changes(write) for write in first} - {None}
    renamed: dict[str, str] = {}
    extra = []
    for write in second:
        arguments = {name: _renamed(value, renamed) for name, value in write.arguments.items()}
        if any(_repeats(write.tool, arguments, one) for one in first) or _changes(write) in changed:
            continue
        if write.tool.endswith("values.append"):
            arguments["values"] = _new_rows(write, first)
            if not arguments["values"]:
                continue
        for name in UNIQUE.get(write.tool, ()):
            taken = {one.arguments.get(name) for one in first if one.tool == write.tool}
            arguments[name] = f"{arguments[name]}-2" if arguments[name] in taken or renamed else arguments[name]
        account = arguments.get("CustomerAccountNumber")
        if account is not None and any(one.arguments.get("CustomerAccountNumber") == account for one in first):
            # What the first receipt took is no longer open.
            arguments["remittanceReferences"] = []
        renamed.update({f"${{{name}}}": f"${{other_{name}}}" for name in write.keep})
        keep = {f"other_{name}": field for name, field in write.keep.items()}
        extra.append(Write(write.tool, arguments, keep))
    return tuple(extra)


def _repeats(tool: str, arguments: Mapping[str, Any], other: Write) -> bool:
    """Whether the world would take the write for a repeat; an order's flag makes no other order of it."""
    ignored = {"SubmittedFlag", "Comments", "Description", "Justification", "HoldReason"}
    if tool != other.tool or tool.endswith("append"):
        return False
    one, two = ({k: v for k, v in given.items() if k not in ignored} for given in (arguments, other.arguments))
    return repr(sorted(one.items())) == repr(sorted(two.items()))


def _changes(write: Write) -> tuple[str, Any] | None:
    argument = CHANGES.get(write.tool)
    return None if argument is None else (write.tool, write.arguments[argument[0]])


def _renamed(value: Any, renamed: Mapping[str, str]) -> Any:
    return renamed.get(value, value) if isinstance(value, str) else value


def _new_rows(write: Write, first: Sequence[Write]) -> list[Any]:
    known = [row for one in first if one.tool == write.tool for row in one.arguments["values"]]
    return [row for row in write.arguments["values"] if row not in known]


def _with(write: Write, **arguments: Any) -> Write:
    return dataclasses.replace(write, arguments={**write.arguments, **arguments})
