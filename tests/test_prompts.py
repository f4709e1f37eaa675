"""The requests under templates/prompts: whole, in bounds, silent about tools and answers, and none like another."""

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path

import jinja2
import pytest

from generator.families import FAMILIES, family
from generator.spec.case import Case
from generator.spec.streams import RELEASE_SEED
from generator.tasks.case import build_cases
from generator.tasks.room import TEMPLATES, _templates, build_request
from generator.tenants.load import ROOT as TENANTS
from generator.tenants.load import load_tenants

PROMPTS = TEMPLATES / "prompts"
CATALOG = Path(__file__).parents[1] / "images" / "world" / "erpbench_world" / "catalog.json"
SLUGS = sorted(folder.name for folder in PROMPTS.iterdir())
PLACES = [(slug, of_family.id) for slug in SLUGS for of_family in FAMILIES]
WORDS = range(90, 201)
GENDERED = re.compile(r"\b(?:she|he|hers|her|him|his|herself|himself)\b", re.IGNORECASE)
PARAGRAPHS = range(2, 5)
RUN_IN_FAMILY, RUN_ANYWHERE = 8, 12
SEEDS = (RELEASE_SEED, 77)
"""The release and a twin, in which people, partners and variants are others."""

Cases = Mapping[tuple[str, str], list[Case]]


@pytest.fixture(scope="module")
def cases() -> Cases:
    """The cases of each tenant and family, one a seed, the release's first."""
    found: dict[tuple[str, str], list[Case]] = {}
    for seed in SEEDS:
        for case in build_cases(load_tenants(seed=seed)):
            found.setdefault((case.tenant.profile.slug, case.family), []).append(case)
    return found


def template(slug: str, family_id: str) -> str:
    return (PROMPTS / slug / f"{family_id}.md").read_text(encoding="utf-8")


def prose(request: str) -> str:
    """A request without its headline."""
    return request.partition("\n\n")[2]


def words(text: str) -> list[str]:
    return re.findall(r"\w+(?:'\w+)?", text.lower())


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    """Every run of so many words within one paragraph."""
    found: set[tuple[str, ...]] = set()
    for paragraph in text.split("\n\n"):
        spoken = words(paragraph)
        found.update(tuple(spoken[at : at + length]) for at in range(len(spoken) - length + 1))
    return found


def written_numbers(text: str) -> set[Decimal]:
    """The numbers that stand by themselves, not those inside a code such as PO-3160 or Q2."""
    found = re.findall(r"(?<![\w.,/-])\d[\d,]*(?:\.\d+)?(?![\w/-])", text)
    return {Decimal(number.replace(",", "")) for number in found}


@cache
def forbidden(family_id: str) -> re.Pattern[str]:
    """Names of tools, of the systems they belong to, of files and mails, and the family's options and statuses."""
    task = family(family_id).task
    assert task is not None
    whole = {"mcp", "sql", "api", "erp", "gmail", "slack", "google", "oracle"}
    for tool in json.loads(CATALOG.read_text(encoding="utf-8"))["tools"]:
        whole |= {tool["name"], tool["name"].replace(".", "_"), tool["name"].partition(".")[2]}
    for option in task.options:
        whole |= {option.id, option.status}
    inside = {"FILE-", "MSG-", "SHEET-", "THREAD-", "erpbench"}
    apart = "|".join(re.escape(word) for word in sorted(whole))
    anywhere = "|".join(re.escape(part) for part in sorted(inside))
    return re.compile(rf"(?<!\w)(?:{apart})(?!\w)|{anywhere}", re.IGNORECASE)


def shared(requests: Mapping[tuple[str, str], str], length: int) -> Iterator[str]:
    """The pairs that have a run of so many words in common, with the run."""
    of_each = {place: runs(prose(request), length) for place, request in requests.items()}
    for (one, of_one), (other, of_other) in itertools.combinations(sorted(of_each.items()), 2):
        for run in sorted(of_one & of_other)[:1]:
            yield f"{'/'.join(one)} and {'/'.join(other)}: {' '.join(run)}"


def test_every_tenant_has_a_folder_and_no_folder_is_left_over() -> None:
    assert sorted(path.parent.name for path in TENANTS.glob("*/profile.yaml")) == SLUGS


@pytest.mark.parametrize("slug", SLUGS)
def test_a_folder_has_one_request_for_each_family(slug: str) -> None:
    assert sorted(path.name for path in (PROMPTS / slug).iterdir()) == sorted(f"{f.id}.md" for f in FAMILIES)


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_it_renders_with_its_headline_in_the_release_and_in_a_twin(slug: str, family_id: str, cases: Cases) -> None:
    assert len(cases[slug, family_id]) == len(SEEDS)
    for case in cases[slug, family_id]:
        profile = case.tenant.profile
        headline = f"**{profile.company} · {profile.site} · {family(family_id).title}**"
        request = build_request(case)
        assert request.splitlines()[:2] == [headline, ""]
        assert request.endswith("\n")
        assert "{" not in request
        assert "  " not in request
        assert ".." not in request, "a company whose name ends in a full stop stands at the end of a sentence"


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_it_is_two_to_four_paragraphs_of_90_to_200_words(slug: str, family_id: str, cases: Cases) -> None:
    for case in cases[slug, family_id]:
        text = prose(build_request(case)).strip()
        assert len(text.split("\n\n")) in PARAGRAPHS
        assert len(text.split()) in WORDS


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_it_names_no_tool_no_identifier_no_option(slug: str, family_id: str, cases: Cases) -> None:
    for case in cases[slug, family_id]:
        assert forbidden(family_id).findall(build_request(case)) == []


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_it_gives_away_no_answer(slug: str, family_id: str, cases: Cases) -> None:
    for case in cases[slug, family_id]:
        answers = {Decimal(str(value)) for value in case.gold.answers.values()}
        assert written_numbers(prose(build_request(case))) & answers == set()


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_its_only_digits_and_names_come_from_the_case(slug: str, family_id: str, cases: Cases) -> None:
    written = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", template(slug, family_id))
    assert re.findall(r"\d", written) == []
    profile = cases[slug, family_id][0].tenant.profile
    names = [
        *(person.name for person in profile.people),
        *(customer.name for customer in profile.customers),
        *(supplier.name for supplier in profile.suppliers),
    ]
    assert [name for name in names if name in written] == []
    surnames = {person.name.split()[-1] for person in profile.people}
    assert surnames & set(re.findall(r"\w+", written)) == set()


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_it_takes_nobody_for_a_man_or_a_woman(slug: str, family_id: str) -> None:
    """A twin gives a role to somebody else."""
    assert GENDERED.findall(template(slug, family_id)) == []


@pytest.mark.parametrize(("slug", "family_id"), PLACES)
def test_it_names_the_register_and_whom_the_handoff_is_for(slug: str, family_id: str, cases: Cases) -> None:
    for case in cases[slug, family_id]:
        task = family(family_id).task
        assert task is not None
        text = prose(build_request(case))
        assert "register" in text.lower()
        addresses = set(task.correspondents(case))
        named = {person.name for person in case.tenant.profile.people if person.email in addresses}
        if family_id == "order_import":
            named.add(case.facts.task.contact.name)
        assert any(name in text for name in named)


def test_no_two_requests_of_a_family_share_a_run_of_eight_words(cases: Cases) -> None:
    for of_family in FAMILIES:
        requests = {
            (slug, id): build_request(of_place[0])
            for (slug, id), of_place in cases.items()
            if id == of_family.id and slug in SLUGS
        }
        assert list(shared(requests, RUN_IN_FAMILY)) == []


def test_no_two_requests_share_a_run_of_twelve_words(cases: Cases) -> None:
    requests = {place: build_request(of_place[0]) for place, of_place in cases.items() if place[0] in SLUGS}
    assert list(shared(requests, RUN_ANYWHERE)) == []


def test_a_variable_that_a_case_does_not_give_is_an_error() -> None:
    """StrictUndefined, so that a misspelt variable cannot render as nothing."""
    with pytest.raises(jinja2.UndefinedError, match="nobody"):
        _templates().from_string("{{ nobody.name }}").render(profile=None)
