"""What the agent may do in its own container: run programs of its own, and nothing that asks for a right."""

import json
from collections.abc import Mapping

import pytest

from tests.attack_table import Seen
from tests.e2e.stack import Stack, docker

pytestmark = pytest.mark.engine

# Each line asks the kernel for something that needs a right, and reports what it answered.
SYSCALLS = """
import ctypes, errno, json, os, socket
libc = ctypes.CDLL(None, use_errno=True)

def call(name, *arguments):
    ctypes.set_errno(0)
    code = getattr(libc, name)(*arguments)
    return "done" if code >= 0 else errno.errorcode[ctypes.get_errno()]

def attempt(action):
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"

NUMBERS = {"x86_64": (248, 250, 175, 321, 227, 169), "aarch64": (217, 219, 105, 280, 112, 142)}[os.uname().machine]
add_key, keyctl, init_module, bpf, clock_settime, reboot = NUMBERS
CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET = 0x10000000, 0x00020000, 0x40000000
print(json.dumps({
    "mount": call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "remount the root": call("mount", b"", b"/", b"", 32, None),
    "umount": call("umount2", b"/workspace", 0),
    "new user namespace": call("unshare", CLONE_NEWUSER),
    "new mount namespace": call("unshare", CLONE_NEWNS),
    "new network namespace": call("unshare", CLONE_NEWNET),
    "chroot": attempt(lambda: os.chroot("/tmp")),
    "become root": attempt(lambda: os.setuid(0)),
    "root's group": attempt(lambda: os.setgid(0)),
    "device file": attempt(lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(8, 0))),
    "raw socket": attempt(lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)),
    "packet socket": attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3)),
    "new key": call("syscall", add_key, b"user", b"k", b"v", 1, -4),
    "session keyring": call("syscall", keyctl, 1, None),
    "load a module": call("syscall", init_module, None, 0, b""),
    "bpf": call("syscall", bpf, 5, None, 0),
    "clock": call("syscall", clock_settime, 0, (ctypes.c_long * 2)(0, 0)),
    "hostname": attempt(lambda: socket.sethostname("world")),
    "reboot": call("syscall", reboot, 0xfee1dead, 672274793, 0x89abcdef, None),
    "higher priority": attempt(lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)),
}))
"""
REFUSED = {"EPERM", "EACCES", "ENOSYS", "EROFS"}

KERNEL_FILES = (
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/kernel/hostname",
    "/proc/sys/net/ipv4/ip_forward",
    "/proc/sys/vm/drop_caches",
    "/proc/sysrq-trigger",
    "/sys/kernel/uevent_helper",
    "/sys/fs/cgroup/cgroup.procs",
    "/sys/fs/cgroup/pids/pids.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/passwd",
)
OPEN_TO_WRITE = """
import json
opened = []
for path in {paths!r}:
    try:
        open(path, "ab").close()
    except OSError:
        continue
    opened.append(path)
print(json.dumps(opened))
"""

# A process of root's in the same container, as Harbor starts some there.
REACH_INTO = """
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
pid = next(int(name) for name in os.listdir("/proc") if name.isdigit()
           and open(f"/proc/{{name}}/cmdline", "rb").read().split(b"\\0")[:2] == [b"sleep", b"{seconds}"])
done = []
if libc.ptrace(16, pid, None, None) == 0:
    done.append("ptrace")
for name in ("mem", "environ", "fd", "root"):
    path = f"/proc/{{pid}}/{{name}}"
    try:
        os.listdir(path) if name in ("fd", "root") else open(path, "rb").read(1)
    except OSError:
        continue
    done.append(name)
try:
    os.kill(pid, 9)
    done.append("kill")
except OSError:
    pass
print(json.dumps(done))
"""


@pytest.mark.attack("agent", "ask the kernel for what needs a right", expected="all refused", flaw=8)
def test_no_call_that_needs_a_right_succeeds(episode: Stack, seen: Seen) -> None:
    answers = episode.python(SYSCALLS)
    assert len(answers) == 20
    granted = [name for name, answer in answers.items() if answer not in REFUSED]
    seen(f"{len(answers) - len(granted)} of {len(answers)} refused: {', '.join(sorted(set(answers.values())))}")
    assert granted == []


@pytest.mark.attack("agent", "write to the kernel's and the engine's files", expected="none opens", flaw=8)
def test_no_file_of_the_kernel_or_the_engine_opens_for_writing(episode: Stack, seen: Seen) -> None:
    opened = episode.python(OPEN_TO_WRITE.format(paths=KERNEL_FILES))
    seen(f"{len(KERNEL_FILES) - len(opened)} of {len(KERNEL_FILES)} refused")
    assert opened == []
    assert episode.python(OPEN_TO_WRITE.format(paths=("/tmp/control",))) == ["/tmp/control"]


@pytest.mark.attack("agent", "programs in {service} that lend the rights of their owner", expected="none", flaw=8)
@pytest.mark.parametrize("service", ["main", "world"])
def test_no_file_is_setuid_or_has_capabilities(episode: Stack, service: str, seen: Seen) -> None:
    search = "find / -xdev -type f -perm /6000 2>/dev/null | sort"
    found = episode.run("sh", "-c", search, user="0", service=service, privileged=True).split()
    program = (
        "import json, os\nfound = []\n"
        "for folder, _, files in os.walk('/'):\n"
        "    if folder.startswith(('/proc', '/sys', '/dev')): continue\n"
        "    for name in files:\n"
        "        path = os.path.join(folder, name)\n"
        "        if not os.path.islink(path) and 'security.capability' in os.listxattr(path): found.append(path)\n"
        "print(json.dumps(found))"
    )
    found += episode.python(program, user="0", service=service, privileged=True)
    seen("none" if not found else ", ".join(found))
    assert found == []


@pytest.mark.attack("agent", "reach into a process of root's in its container", expected="refused", flaw=8)
def test_another_users_process_is_out_of_reach(episode: Stack, seen: Seen) -> None:
    seconds = "71.25"
    docker("exec", "--detach", "--user", "0", episode.container(), "sleep", seconds)
    try:
        done = episode.python(REACH_INTO.format(seconds=seconds))
        seen("refused: ptrace, memory, environment, files, kill" if not done else f"could {', '.join(done)}")
        assert done == []
    finally:
        episode.attempt("sh", "-c", f"kill $(pgrep -f 'sleep {seconds}' || true)", user="0")


@pytest.mark.attack("agent", "replace its shell, python and erp", expected="read-only", flaw=8)
def test_the_programs_of_the_image_cannot_be_replaced(episode: Stack, seen: Seen) -> None:
    programs = ["/bin/bash", "/usr/bin/python3", "/usr/local/bin/erp", "/usr/local/lib/erpbench/erp.py", "/bin/sh"]
    replace, remove = 'cp /bin/true "$path" && echo "$path"', 'rm -f "$path" && echo "$path"'
    script = f"exec 2>/dev/null; for path; do {replace}; {remove}; done"
    for user in ("10001", "0"):
        _, out = episode.attempt("sh", "-c", f"{script}; true", "sh", *programs, user=user)
        assert out == ""
    seen("refused to the agent, and to root in its container")


@pytest.mark.attack("agent", "more processes, memory or rights than {service} is given", expected="limits", flaw=8)
@pytest.mark.parametrize(("service", "memory"), [("main", 1024), ("world", 384)])
def test_the_engine_holds_the_limits(episode: Stack, service: str, memory: int, seen: Seen) -> None:
    host = episode.inspect(service)["HostConfig"]
    assert (host["Privileged"], host["CapAdd"], host["CapDrop"]) == (False, None, ["ALL"])
    assert host["SecurityOpt"] == ["no-new-privileges:true"]
    assert (host["PidsLimit"], host["Memory"], host["MemorySwap"]) == (256, memory << 20, memory << 20)
    assert (host["PidMode"], host["IpcMode"], host["UTSMode"], host["Devices"]) == ("", "private", "", None)
    assert all(mount["Type"] == "volume" or not mount["RW"] for mount in episode.inspect(service)["Mounts"])
    seen(f"256 processes, {memory} MiB, no capability, no new privileges")


def mount_of(folder: str, mounts: Mapping[str, object]) -> str:
    while folder not in mounts:
        folder = folder.rsplit("/", 1)[0] or "/"
    return folder


def size_of(options: str) -> int:
    """The size in KiB that a mount's options give; 0 if they give none (a message queue holds no files)."""
    named = dict(option.split("=", 1) for option in options.split(",") if "=" in option)
    return int(named.get("size", "0k").removesuffix("k"))


@pytest.mark.attack("agent", "disk without a limit", expected="all in memory, with a size, below the limit", flaw=8)
def test_all_that_the_agent_can_write_has_a_size(episode: Stack, seen: Seen) -> None:
    search = "find / -xdev -type d -writable 2>/dev/null; for m in /dev /tmp /workspace /home/agent /logs /solution;"
    search += " do find $m -type d -writable 2>/dev/null; done; true"
    folders = sorted(set(episode.run("sh", "-c", search).split()) - {""})
    mounts = {line.split()[1]: line.split()[2:4] for line in episode.run("cat", "/proc/mounts").splitlines()}
    used = {mount_of(folder, mounts) for folder in folders} | {"/logs", "/solution"}
    assert {mounts[mount][0] for mount in used} <= {"tmpfs", "mqueue"}
    total = sum(size_of(mounts[mount][1]) for mount in used)
    seen(f"{', '.join(sorted(used))}; {total >> 10} MiB in all")
    assert {"/tmp", "/workspace", "/home/agent"} <= used
    assert 800 << 10 < total < 1024 << 10
    assert json.loads(docker("inspect", episode.container()))[0]["HostConfig"]["ReadonlyRootfs"] is True
