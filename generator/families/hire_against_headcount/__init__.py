"""Approved headcount against leavers, candidates and their papers."""

from generator.families.base import Family
from generator.families.hire_against_headcount import documents, draw, outcome, records, sources, task
from generator.families.hire_against_headcount.facts import Facts

FAMILY = Family(
    id="hire_against_headcount",
    number=9,
    title="Hiring against headcount",
    facts=Facts,
    records=records.records,
    documents=documents.documents,
    mail=documents.mail,
    chat=documents.chat,
    log=documents.log,
    sources=sources.sources,
    task=task.TASK,
    outcome=outcome.outcome,
    draw=draw.draw,
    slots=draw.SLOTS,
)
