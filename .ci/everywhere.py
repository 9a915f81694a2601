"""Tries the working tree under circumstances that must change nothing.

    everywhere.py PYTHON …      the interpreters to try; one before 3.9 only has to ask for 3.9, in one line

A checkout made with core.autocrlf=true, in a folder whose name has a space and Chinese characters, makes every record
again with -O, with -s -E -S, with two values of PYTHONHASHSEED, with LC_ALL=C, from another working directory: the same
bytes. Then the tests run in it as in a background job on a foreign machine: files that may not be written, no HOME,
SIGINT ignored, a stack without limit, and, where we are root, another user. They leave nothing in the temporary folder.
"""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAYS: list[tuple[str, list[str], dict[str, str]]] = [
    ("-O", ["-O"], {}), ("-s -E -S", ["-s", "-E", "-S"], {}), ("PYTHONHASHSEED=1", [], {"PYTHONHASHSEED": "1"}),
    ("PYTHONHASHSEED=2", [], {"PYTHONHASHSEED": "2"}), ("LC_ALL=C", [], {"LC_ALL": "C", "PYTHONUTF8": "0"})]
FIGURES = "notebooks/part-iii/figures"
QUICK = {"run.py": ["run.json"], "derive.py": ["expected.json"],
         "figures.py": [f"{FIGURES}/{name}" for name in sorted(os.listdir(os.path.join(ROOT, *FIGURES.split("/"))))]}
SLOW = {"lesson_6_1.py": ["data/lesson-6-1/run.json"]}  # once for each interpreter, with the first way
NOBODY = 65534


def content(root: str, name: str) -> bytes:
    """Return the bytes of a file below `root`."""
    with open(os.path.join(root, *name.split("/")), "rb") as file:
        return file.read()


def check_out(folder: str) -> None:
    """Put what would be committed now into a folder, as git does where it translates line ends."""
    environment = {**os.environ, "GIT_INDEX_FILE": folder + ".index"}
    for command in (["add", "--all"], ["checkout-index", "--all", f"--prefix={folder}/"]):
        subprocess.run(["git", "-c", "core.autocrlf=true", *command], cwd=ROOT, env=environment, check=True)


def runs(python: str, code: str, **settings: Any) -> bool:
    """Say whether an interpreter carries out a line of code."""
    try:
        return subprocess.run([python, "-c", code], stderr=subprocess.DEVNULL, **settings).returncode == 0
    except OSError:
        return False


def records(python: str, repo: str) -> list[str]:
    """Return a line for each record that comes out differently."""
    faults = []
    for i, (way, flags, variables) in enumerate(WAYS):
        for program, files in {**QUICK, **(SLOW if i == 0 else {})}.items():
            for name in files:
                os.unlink(os.path.join(repo, *name.split("/")))
            made = subprocess.run([python, *flags, os.path.join(repo, "code", "part-iii", program)],
                                  cwd=os.path.dirname(repo), env={**os.environ, **variables}, stdout=subprocess.DEVNULL)
            faults += [f"{name} 变了：{python} {way} {program}（退出码 {made.returncode}）" for name in files
                       if made.returncode or content(repo, name) != content(ROOT, name)]
    return faults


def too_old(python: str) -> list[str]:
    """Return a line for each program that an old interpreter does not refuse as it should."""
    faults = []
    for program in (*QUICK, *SLOW, "check.py"):
        made = subprocess.run([python, os.path.join(ROOT, "code", "part-iii", program)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if made.returncode != 2 or made.stdout.count(b"\n") != 1 or b"Python 3.9" not in made.stdout:
            faults.append(f"{python} {program}：退出码 {made.returncode}，{made.stdout!r}")
    return faults


def tests(pythons: list[str], repo: str) -> list[str]:
    """Return what the tests say that fail on a foreign machine."""
    import resource

    def background() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_STACK, (resource.getrlimit(resource.RLIMIT_STACK)[1],) * 2)

    user: dict[str, Any] = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
    python = next((path for path in [*pythons, "/usr/bin/python3"]
                   if runs(path, "import sys; sys.exit(sys.version_info < (3, 9))", **user)), None)
    if python is None:
        return []  # every interpreter lies where another user may not look
    for folder, _, files in os.walk(repo):
        os.chmod(folder, 0o555)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o444)
    with tempfile.TemporaryDirectory() as temporary:
        os.chmod(temporary, 0o777)
        made = subprocess.run([python, "-m", "unittest", "discover", "-s", "code/part-iii"], cwd=repo,
                              env={"PATH": os.defpath, "TMPDIR": temporary}, preexec_fn=background,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, **user)
        left = os.listdir(temporary)
    for folder, _, _ in os.walk(repo):
        os.chmod(folder, 0o755)
    faults = [f"临时文件夹里留下了 {left}"] if left else []
    return faults + ([made.stdout.decode(errors="replace")] if made.returncode else [])


def main(interpreters: list[str]) -> int:
    """Report whatever came out differently."""
    if not os.path.exists(os.path.join(ROOT, ".git")):
        print("这里不是 Git 检出，没有可以照样取出的副本：略去")
        return 2
    new = [python for python in interpreters if runs(python, "import sys; sys.exit(sys.version_info < (3, 9))")]
    faults = [fault for python in interpreters if python not in new for fault in too_old(python)]
    with tempfile.TemporaryDirectory(prefix="一份 副本 ") as folder:
        os.chmod(folder, 0o755)
        repo = os.path.join(folder, "仓库 repo")
        check_out(repo)
        for python in new:
            faults += records(python, repo)
        if os.name == "posix":
            faults += tests(new, repo)
    print("\n".join(faults) if faults else f"{len(interpreters)} 个解释器，处处相同")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
