"""The world's environment variables."""

from pathlib import Path

import pytest
from erpbench_world import settings

REQUIRED = {"WORLD_SEED": "/seed/world.sqlite", "WORLD_FILES": "/seed/files", "WORLD_DATA": "/data"}


def test_defaults() -> None:
    assert settings.read(REQUIRED) == settings.Settings(
        seed=Path("/seed/world.sqlite"),
        files=Path("/seed/files"),
        data=Path("/data"),
        host="127.0.0.1",
        port=8000,
        tool_names="dotted",
        hosts=None,
    )


def test_everything_given() -> None:
    given = {"WORLD_HOST": "0.0.0.0", "WORLD_PORT": "9", "WORLD_TOOL_NAMES": "underscore"}
    found = settings.read({**REQUIRED, **given, "WORLD_ALLOWED_HOSTS": "world:9, other:*"})
    assert (found.host, found.port, found.tool_names) == ("0.0.0.0", 9, "underscore")
    assert found.hosts == ("world:9", "other:*")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"WORLD_SEED": ""}, "WORLD_SEED: expected a path, found nothing"),
        ({"WORLD_PORT": "http"}, "WORLD_PORT: expected a port number, found 'http'"),
        ({"WORLD_PORT": "70000"}, "WORLD_PORT: expected a port number, found '70000'"),
        ({"WORLD_TOOL_NAMES": "camel"}, "WORLD_TOOL_NAMES: expected dotted or underscore, found 'camel'"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, str], message: str) -> None:
    with pytest.raises(settings.SettingsError) as caught:
        settings.read({**REQUIRED, **change})
    assert str(caught.value) == message
