"""One built Hugging Face folder a session, and the release's own environment for tests that need its libraries."""

from functools import lru_cache
from pathlib import Path

import pytest

from generator.release.bindings import Bindings, git_commit, read_bindings
from generator.release.environment import ENVIRONMENT
from generator.release.huggingface import build_huggingface

LINES = (
    {
        "line": 1,
        "episodes": "oracle",
        "count": 100,
        "must_show": "every one strict, score 100",
        "came": "100 of 100 strict",
        "holds": True,
        "mean": 100.0,
        "predecessor": "100",
    },
    {
        "line": 2,
        "episodes": "mutants",
        "count": 13549,
        "must_show": "every criterion of every task killed",
        "came": "3,400 of 3,400 criteria killed",
        "holds": True,
        "mean": None,
        "predecessor": "–",
    },
)
"""A qualification in two lines, one without a mean."""

NEEDS_RELEASE = pytest.mark.skipif(
    not (ENVIRONMENT / "bin" / "python").is_file(), reason="needs .venv-release (`make release-env`)"
)


def clean_bindings(dataset: Path) -> Bindings:
    """The bindings of the dataset as if nothing were uncommitted."""
    commit = git_commit(allow_dirty=True).removesuffix("-dirty")
    return read_bindings(dataset, allow_dirty=True).model_copy(update={"commit": commit})


@lru_cache(maxsize=1)
def built(dataset: Path) -> Path:
    out = dataset.parent / "dist" / "huggingface"
    build_huggingface(dataset, out, clean_bindings(dataset), LINES)
    return out


@pytest.fixture(scope="session")
def published(rendered: Path) -> Path:
    """dist/huggingface of the session's dataset. Not to be changed: copy it."""
    return built(rendered)
