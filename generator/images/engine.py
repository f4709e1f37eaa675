"""The Docker engine through its SDK. In: DOCKER_HOST or the local socket. Out: image facts, or EngineError."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.spec.errors import EngineError

if TYPE_CHECKING:
    from docker import DockerClient


@dataclass(frozen=True)
class ImageFacts:
    """What the engine says of a local image. size is in bytes, user as in the image's configuration."""

    id: str
    size: int
    user: str
    labels: dict[str, str]


def connect(timeout: int = 60) -> "DockerClient":
    """A client of an engine that answers. Raises EngineError if the SDK is not installed or no engine answers."""
    try:
        import docker
        from docker.errors import DockerException
        from requests.exceptions import RequestException
    except ImportError:
        raise EngineError("the docker SDK is not installed: `make images` sets it up (locks/images.lock)") from None
    try:
        client = docker.from_env(timeout=timeout)
        client.ping()
    except (DockerException, RequestException, OSError) as error:
        raise EngineError(f"no Docker engine answers ({brief(error)}); start one or run scripts/start-engine") from None
    return client


def brief(error: BaseException, limit: int = 160) -> str:
    """An exception's text on one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= limit else f"{text[:limit]}…"


def inspect(client: "DockerClient", tag: str) -> ImageFacts | None:
    """The facts of a local image, or None if the engine has none of that tag."""
    from docker.errors import ImageNotFound

    try:
        image = client.images.get(tag)
    except ImageNotFound:
        return None
    config = image.attrs.get("Config") or {}
    return ImageFacts(
        id=str(image.id),
        size=int(image.attrs["Size"]),
        user=str(config.get("User") or ""),
        labels=dict(config.get("Labels") or {}),
    )


def discard_untagged(client: "DockerClient", image_id: str) -> None:
    """Remove an image that a newer one has taken the tag of; one that is tagged otherwise or in use stays."""
    from docker.errors import APIError

    try:
        if not client.images.get(image_id).tags:
            client.images.remove(image_id)
    except APIError:
        return


def pull(client: "DockerClient", reference: str) -> str | None:
    """Pull an image and give its reference by digest, or None if no registry has it for us."""
    from docker.errors import DockerException
    from requests.exceptions import RequestException

    try:
        image = client.images.pull(reference)
    except (DockerException, RequestException, OSError):
        return None
    digests = image.attrs.get("RepoDigests") or []
    return str(digests[0]) if digests else None
