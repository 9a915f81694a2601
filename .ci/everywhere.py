"""Makes every record again under circumstances in which it must not change, and compares the bytes.

    everywhere.py PYTHON …      the interpreters to try

A clone made with core.autocrlf=true, in a folder whose name has a space and Chinese characters, is run with -O, with
-s -E -S, with two values of PYTHONHASHSEED, with LC_ALL=C and from another working directory.
"""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WAYS: list[tuple[str, list[str], dict[str, str]]] = [
    ("-O", ["-O"], {}), ("-s -E -S", ["-s", "-E", "-S"], {}), ("PYTHONHASHSEED=1", [], {"PYTHONHASHSEED": "1"}),
    ("PYTHONHASHSEED=2", [], {"PYTHONHASHSEED": "2"}), ("LC_ALL=C", [], {"LC_ALL": "C", "PYTHONUTF8": "0"})]
QUICK = {"run.py": "run.json", "derive.py": "expected.json"}
SLOW = {"lesson_6_1.py": "data/lesson-6-1/run.json"}  # once for each interpreter, with the first way


def content(root: str, name: str) -> bytes:
    """Return the bytes of a file below `root`."""
    with open(os.path.join(root, *name.split("/")), "rb") as file:
        return file.read()


def main(interpreters: list[str]) -> int:
    """Report every record that came out differently."""
    faults, count = [], 0
    with tempfile.TemporaryDirectory(prefix="一份 副本 ") as folder:
        clone = os.path.join(folder, "仓库 repo")
        subprocess.run(["git", "-c", "core.autocrlf=true", "clone", "-q", ROOT, clone], check=True)
        for python in interpreters:
            for i, (way, flags, variables) in enumerate(WAYS):
                for program, record in {**QUICK, **(SLOW if i == 0 else {})}.items():
                    os.unlink(os.path.join(clone, *record.split("/")))
                    made = subprocess.run([python, *flags, os.path.join(clone, "code", "part-iii", program)],
                                          cwd=folder, env={**os.environ, **variables}, stdout=subprocess.DEVNULL)
                    count += 1
                    if made.returncode or content(clone, record) != content(ROOT, record):
                        faults.append(f"{record} 变了：{python} {way} {program}（退出码 {made.returncode}）")
    print("\n".join(faults) if faults else f"{count} 次重做，字节都相同")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
