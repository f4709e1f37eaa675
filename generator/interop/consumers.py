"""The projects that load the dataset, as data: where each is installed, what it must read, and what it leaves aside."""

from dataclasses import dataclass

from generator.spec.errors import ErpbenchError

# What every consumer keeps of a task. The names are those of generator.interop.source.expected_fields.
COMMON = (
    "name",
    "description",
    "keywords",
    "image",
    "workdir",
    "cpus",
    "memory_mb",
    "agent_user",
    "agent_timeout",
    "verifier_timeout",
    "verifier_mode",
)
WORLD = ("mcp_servers", "verifier_image", "collect", "artifacts")


class InteropError(ErpbenchError):
    """A consumer is not installed, or the dataset to load is not there."""

    code = "interop"


@dataclass(frozen=True)
class Consumer:
    """One project. distributions are what the version column tells. environment is a folder beside the Makefile,
    installed from locks/<lock>.lock by a make target, which leaves <lock>.stamp in it when all is there.

    git_registry: its own way with a registry wants tasks in a git repository, so it gets one made of the dataset.
    """

    name: str
    distributions: tuple[str, ...]
    environment: str
    lock: str
    target: str
    probe: str
    fields: tuple[str, ...]
    git_registry: bool
    way: str
    not_carried: str


CONSUMERS = (
    Consumer(
        name="harbor",
        distributions=("harbor",),
        environment=".venv-harbor",
        lock="harbor",
        target="harbor",
        probe="harbor_probe.py",
        fields=(*COMMON, "instruction", *WORLD),
        git_registry=False,
        way="DatasetConfig of `harbor run`, then Task",
        not_carried="nothing: the format is its own",
    ),
    Consumer(
        name="inspect",
        distributions=("inspect-harbor", "inspect-ai"),
        environment=".venv-interop-inspect",
        lock="interop-inspect",
        target="interop-environments",
        probe="inspect_probe.py",
        fields=(*COMMON, "instruction", "services"),
        git_registry=False,
        way="inspect_harbor.harbor(…), the samples of its Task",
        not_carried="MCP servers (warned of), separate verifier, sidecar hooks and artifacts, docker_image beside a "
        "compose file: it loads the tasks but can neither start nor score them",
    ),
    Consumer(
        name="verifiers",
        distributions=("verifiers", "harbor"),
        environment=".venv-interop-verifiers",
        lock="interop-verifiers",
        target="interop-environments",
        probe="verifiers_probe.py",
        fields=(*COMMON, "prompt", *WORLD),
        git_registry=True,
        way="HarborTaskset over its download cache",
        not_carried="timeouts unless ignore_timeouts=False, the verifier's compose file (so its network_mode none), "
        "blank ends of the instruction; a registry with plain paths",
    ),
    Consumer(
        name="nemo",
        distributions=("nemo-gym", "harbor"),
        environment=".venv-interop-nemo",
        lock="interop-nemo",
        target="interop-environments",
        probe="nemo_probe.py",
        fields=(*COMMON, "instruction", *WORLD),
        git_registry=False,
        way="harbor_agent_general: its dataset, and a job a task through the registry",
        not_carried="nothing of a task (it hands over to its own Harbor); asks for Python 3.13.14, and is installed "
        "here without regard to that",
    ),
)


def chosen_consumers(names: tuple[str, ...]) -> tuple[Consumer, ...]:
    """The consumers named, in the table's order; all if none is named. Raises InteropError for a name it has not."""
    known = [consumer.name for consumer in CONSUMERS]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InteropError(f"{', '.join(unknown)}: no such consumer; expected one of {', '.join(known)}")
    return tuple(consumer for consumer in CONSUMERS if not names or consumer.name in names)
