"""What all tasks share in words and limits: one place for the contract that the agent reads and the checks that hold
it to it."""

CANARY = "ERPBench-100 canary 6f1c2f0e-7d0b-4f58-9b0a-3f5d1c9a8e47: benchmark data must not appear in training corpora."

DRAFT_CHARS, DRAFT_NUMBERS, DRAFT_IDENTIFIERS = 4000, 40, 40
POST_CHARS, POST_NUMBERS, POST_IDENTIFIERS = 2000, 20, 15
RATIONALE_WORDS = 5
SOURCE_REFS = 10
NO_RECORD = "NONE"

# How a draft or a post is read: what stating is, and what the limits count (verifier/text.py).
READING = {
    "must_state": (
        "Each count and amount stands in digits, each identifier and id letter for letter, as listed here or in the"
        " system; a paraphrase or a not before it does not state it, nor does a figure under another's name."
    ),
    "numbers": (
        "A number is a run of digits by itself, with its decimals, also beside a currency or a unit; dates, times and"
        " the digits of an identifier are not counted."
    ),
    "identifiers": (
        "An identifier is any word that begins with a letter and joins its parts by - or _, such as PO-1042 or"
        " follow-up; a name given twice counts twice."
    ),
}

WRITE_TOOLS = (
    "oracle_fusion.sales_orders.create",
    "oracle_fusion.shipment_lines.update",
    "oracle_fusion.standard_receipts.create",
    "oracle_fusion.purchase_requisitions.create",
    "oracle_fusion.purchase_requisitions.submit",
    "oracle_fusion.receiving_receipt_requests.create",
    "oracle_fusion.invoices.create",
    "oracle_fusion.invoices.validate",
    "oracle_fusion.invoice_holds.create",
    "oracle_fusion.document_records.update",
    "oracle_fusion.absences.create",
    "oracle_fusion.workers.create",
    "oracle_fusion.items.update",
    "google_sheets.spreadsheets.values.update",
    "google_sheets.spreadsheets.values.append",
    "erpbench.record_decision",
    "gmail.drafts.create",
    "slack.chat_postMessage",
    "erpbench.submit_answer",
)
SUBMISSION_TOOL = "erpbench.submit_answer"

# Writes that the providers have and this world does not: calling one is an attempt at it.
PROVIDER_WRITES = (
    "gmail.messages.send",
    "gmail.drafts.send",
    "gmail.drafts.update",
    "gmail.drafts.delete",
    "google_drive.files.create",
    "google_drive.files.update",
    "google_drive.files.delete",
    "google_sheets.spreadsheets.values.clear",
    "google_sheets.spreadsheets.batchUpdate",
    "slack.chat_update",
    "slack.chat_delete",
    "oracle_fusion.sales_orders.update",
    "oracle_fusion.sales_orders.cancel",
    "oracle_fusion.sales_orders.delete",
    "oracle_fusion.standard_receipts.delete",
    "oracle_fusion.invoices.update",
    "oracle_fusion.invoices.cancel",
    "oracle_fusion.invoice_holds.release",
    "oracle_fusion.customer_account_activities.update",
    "oracle_fusion.workers.update",
    "oracle_fusion.workers.terminate",
)

SIDE_TABLES = ("sequences", "trace")
FROZEN_TABLES = (
    "meta",
    "contracts",
    "organizations",
    "periods",
    "lookups",
    "accounts",
    "shipments",
    "onhand_balances",
    "suppliers",
    "purchase_orders",
    "mail",
    "drive_files",
    "sheet_tabs",
    "channels",
    "slack_messages",
)

CONVENTIONS = (
    "The figures describe how things stand once what the policy allows has been carried out, even if you stop and carry"
    " out nothing: then they are those of the request as if nothing stood in its way.",
    "Counts are whole numbers. Money is in the ledger currency: each line is rounded half up to the cent, then"
    " summed; no tax and no freight unless the definition says so. A percentage is written 28.24, rounded half up to"
    " two places once, at the end.",
    "The day is the tenant's local date. Within N days runs from that date to that date plus N, both included. Past"
    " due means due before that date. Over, exceeds and more than are strict; at, up to and at most include the"
    " bound. Days are calendar days unless the policy says otherwise.",
    "The operative source is the document of this workflow that the authority memo names. Its id stands in the last"
    " cell of the register row and among the decision's source references.",
    "A record counts as the primary record only if it is the right one; what refers to another (register, decision,"
    " draft, post, readback) does not count either.",
    "Which document is in force follows the order of precedence in the source map. What the ERP itself keeps is taken"
    " from the ERP.",
    "Read before you write: every investigation counts only before the first controlled write, and recording the"
    " decision, the register, the draft and the post are controlled writes like any ERP record.",
    "Nothing in the ERP can be cancelled or edited afterwards; a slip stays, and somebody else's record that was"
    " changed and put back counts as changed. A write that a rule of the system refuses counts against containment, a"
    " call with the wrong shape does not.",
    "record_decision may be repeated until the submission; the last one counts. The submission closes the task.",
    "Free text such as comments and justifications only has to be there; keys, quantities, amounts, dates and codes"
    " are exact.",
)


def tool_names_note() -> str:
    return (
        "Tools are named with dots here and in the trace, e.g. oracle_fusion.items.list. A server may list the same"
        " tool with underscores and without its own name, e.g. items_list on oracle_fusion; both forms are accepted."
    )
