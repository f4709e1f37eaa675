"""The family's documents as far as authority is concerned."""

from generator.families.receivables_collection.facts import Facts
from generator.spec.source import Source
from generator.spec.tenant import Tenant


def sources(tenant: Tenant, facts: Facts) -> tuple[Source, ...]:
    advices = tuple(
        Source(
            id=entry.source,
            subject="remittance" if entry.account == facts.task.account else "namesake_remittance",
            memo_name=f"the {entry.issued.date().isoformat()} remittance advice" if entry.medium == "drive" else "",
            owner="customer",
            issued=entry.issued.date(),
            edition=entry.edition,
            replaces=entry.replaces,
            drive_flag=entry.medium == "drive",
        )
        for entry in facts.advices
    )
    policies = tuple(
        Source(
            id=entry.source,
            subject="credit_policy",
            memo_name="",
            owner="credit_manager",
            issued=entry.issued.date(),
            edition=entry.edition,
            effective_from=entry.effective_from,
            effective_to=entry.effective_to,
            drive_flag=entry.medium == "drive",
        )
        for entry in facts.policies
    )
    manager_mails = (("dispute_list", facts.disputes), ("bank_notice", facts.bank_notice))
    mails = tuple(
        Source(
            id=entry.source,
            subject=subject,
            memo_name="",
            owner="credit_manager",
            issued=entry.issued.date(),
            edition=1,
            drive_flag=False,
        )
        for subject, entry in manager_mails
        if entry is not None
    )
    return (*advices, *policies, *mails)
