"""The conditions printed on the headcount approval: what hiring goes by, with its numbers."""

from generator.families import office
from generator.families.hire_against_headcount.facts import Facts
from generator.families.staff import employer_name
from generator.spec.tenant import Tenant

_TIES = {
    "temp_on_site": "who works on site as an agency temp comes first",
    "applied": "the earlier application comes first",
}


def conditions(tenant: Tenant, facts: Facts) -> tuple[str, ...]:
    """One condition a sentence or two, in the order of the form."""
    profile = tenant.profile
    first = profile.person("plant_manager").name
    second = profile.person("operations_lead").name
    officer = profile.person("compliance_officer").name
    hire_day = office.day(profile, facts.hire_date)
    certificates = "; ".join(f"{needed.job}, {needed.name}" for needed in facts.certificates)
    ties = "; failing that, ".join(_TIES[tie] for tie in facts.ranking_ties)
    released = (
        (
            "Heads marked with a release date (Released to) may be filled by hires up to that date. On a later hire"
            " date nobody is hired into that job, no earlier approval takes its place, and the request goes back to"
            f" {first} until the line has been renewed. Lines without a date are released as long as the approval is"
            " valid.",
        )
        if facts.approval.has_released_lines
        else ()
    )
    return (
        f"This approval and any change of it count only with both signatures, {first}'s and {second}'s. Without an"
        " approval so signed and valid on the hire date nobody is hired, and the request goes back.",
        *released,
        f"Everybody hired under it starts on {hire_day}.",
        "Open seats are the approved heads less the workers active in that job at that employer on the hire date."
        " Workers are counted as heads, part-time or not. Whose last working day lies before the hire date no longer"
        " holds a seat; whose last working day is the hire date or later still does. Offers that are"
        " out hold none. Other jobs and employers are never set off.",
        "A candidate for the job and employer is eligible who has not withdrawn, has not started with us already, and"
        " on the day of decision holds the job's certificate, valid (its last day included), and has the references"
        f" checked. Certificates: {certificates}.",
        "Where a work permit is needed it must cover the whole contract, its last day included. The shorter contract"
        " that would fit the permit is not offered.",
        "Eligible candidates are ranked by score, the highest first; among equal scores "
        f"{ties}. The recruiter's shortlist is a working order and does not count. Seats are filled from the top, as"
        " many as are open and no more.",
        "The grade goes by full years of experience completed on the hire date. Pay is the wage table's monthly wage"
        " of that grade in force on the hire date, nothing else that was spoken of.",
        "The contract runs for the grade's term from the hire date and ends on the day before the day of the same"
        " number that many months later.",
        "The person number reserved in the register is the one to hire under.",
        "A candidate whose score would have won a seat and who fails on the permit alone is referred to"
        f" {officer} in the handoff. No seat is kept for that, and the next in rank is hired.",
        f"The reference of every hire of this round is {facts.approval.number}. It is written for"
        f" {_employers(tenant, facts)}.",
    )


def _employers(tenant: Tenant, facts: Facts) -> str:
    codes = sorted({approved.employer for approved in facts.approval.jobs})
    return office.in_words([employer_name(tenant.profile, code) for code in codes])
