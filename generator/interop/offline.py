"""No network for a probe. In: a command. Out: the command in a network namespace of its own, or proxies to nowhere."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

LOOPBACK_ONLY = ("lo",)
# The discard port: nothing answers there.
NOWHERE = "http://127.0.0.1:9"
QUIET = {
    "DO_NOT_TRACK": "1",
    "HARBOR_TELEMETRY": "0",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_OFFLINE": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "RAY_USAGE_STATS_ENABLED": "0",
    "TRANSFORMERS_OFFLINE": "1",
    "WANDB_MODE": "offline",
}


def namespace_command() -> tuple[str, ...]:
    """`unshare -rn` where it works: no interface but a loopback that is down. Empty where it does not."""
    command = ("unshare", "-rn")
    if shutil.which("unshare") is None:
        return ()
    tried = subprocess.run([*command, "true"], capture_output=True, check=False)
    return command if tried.returncode == 0 else ()


def probe_environment(environment: Mapping[str, str], home: Path, isolated: bool) -> dict[str, str]:
    """PATH, a home of its own, every switch against asking the network, and proxies to nowhere unless isolated."""
    kept = {"PATH": environment.get("PATH", "/usr/bin:/bin"), "HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8"}
    proxies = {} if isolated else dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), NOWHERE)
    return {**kept, **QUIET, **proxies, **{name.upper(): value for name, value in proxies.items()}}


def told(isolated: bool) -> str:
    return "no network (loopback alone)" if isolated else "proxies to nowhere (no network namespace to be had)"
