"""Submissions that break the rules of the checker: each costs its own mark, in time, and nothing else."""

from __future__ import annotations

import os
import sys
import time

import pytest
from click.testing import CliRunner

from course.programs import RIGHT
from replan.cli import main
from replan.course import checker as checking
from replan.course.report import describe_verdict
from replan.course.rules import Mistake

POSIX = pytest.mark.skipif(os.name != "posix", reason="fork, process groups and limits are those of POSIX")
# A program finds the file that answers go to as any program can: it tries them.
ANSWERS = """
import os, json, sys, time
def pipe():
    for n in range(3, 30):
        try:
            os.write(n, b"")
        except OSError:
            continue
        return n
"""


# A program whose searches do not use the h that the checker asks for.
OTHER_H = RIGHT.replace("self.h", "self.own_h").replace("def h(", "def own_h(")


def forges(line: str, when: str = "forward") -> str:
    """A program that writes a line of its own where answers go, when it is asked for a task or for what it has."""
    write = f"os.write(pipe(), {line})\n"
    if when == "about":
        return ANSWERS + write
    if when == "forward":
        return ANSWERS + "def forward(blocked, start, goal):\n    " + write + "    return None, []\n"
    return OTHER_H + ANSWERS + f"def h(self, cell):\n    {write}    time.sleep(9)\nAdaptive.h = h\n"


#: a program and a word of what is said; "": right
HOSTILE = {
    "a fork that holds the pipe": (
        RIGHT + "import os, time\nif os.fork() == 0:\n    time.sleep(60)\n    os._exit(0)\n",
        "",
    ),
    "a fork that outlives an early end": (
        "import os, time\nif os.fork() == 0:\n    time.sleep(60)\nos._exit(3)\n",
        "exit code 3",
    ),
    "a daemon of its own session": (
        RIGHT + "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(8)\n    os._exit(0)\n",
        "",
    ),
    "a daemon and an early end": (
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(8)\nos._exit(4)\n",
        "exit code 4",
    ),
    "zombies": (RIGHT + "import os\nfor _ in range(20):\n    if os.fork() == 0:\n        os._exit(0)\n", ""),
    "a child that writes to the pipe": (
        ANSWERS
        + "def forward(*a):\n    if os.fork() == 0:\n        os.write(pipe(), b'{]}\\n' * 9)\n        os._exit(0)\n"
        "    os.wait()\n    return None, []\n",
        "writes where",
    ),
    "no JSON": (forges("b'hello\\n'"), "writes where"),
    "no text": (forges("b'\\xff\\xfe\\x00\\n'"), "writes where"),
    "no object": (forges("b'[1, 2]\\n'"), "writes where"),
    "no value": (forges("b'{}\\n'"), "writes where"),
    "an error that is no text": (forges("b'{\"error\": [[1]]}\\n'"), "writes where"),
    "an error without end": (forges("b'{\"error\": \"' + b'x' * 1000000 + b'\"}\\n'"), "stops with"),
    "nested deeply": (forges("b'[' * 200000 + b'\\n'"), "writes where"),
    "nested deeply inside": (forges("b'{\"value\": ' + b'[' * 990 + b']' * 990 + b'}\\n'"), "writes where"),
    "a number without end": (forges("b'{\"value\": ' + b'9' * 5000 + b'}\\n'"), "writes where"),
    "a number that cannot be counted on": (
        forges("b'{\"value\": [null, [[' + b'9' * 4300 + b', 0]]]}\\n'"),
        "writes where",
    ),
    "not a number": (forges("b'{\"value\": [null, [[NaN, Infinity]]]}\\n'"), "list of cells"),
    "an object as a path": (forges("b'{\"value\": [{}, {}]}\\n'"), "list of cells"),
    "half a surrogate": (forges('b\'{"value": ["\\\\ud800", []]}\\n\''), "list of cells"),
    "signs that move the cursor": (forges('b\'{"value": ["\\\\u001b[2J\\\\u0007", []]}\\n\''), "list of cells"),
    "an error with signs": ("raise ValueError('[/red] \\x1b[2J \\ud800 \\u202e')\n", "ValueError"),
    "one endless line": (forges("b'x' * (1 << 23)"), "larger"),
    "endless lines": (
        ANSWERS + "import threading\ndef spam():\n    while True:\n"
        "        os.write(pipe(), b'{\"value\": [[], []]}\\n' * 999)\n"
        "def forward(*a):\n    threading.Thread(target=spam).start()\n    time.sleep(60)\n",
        "stops",
    ),
    "answers without being asked": (
        ANSWERS + 'os.write(pipe(), b\'{"value": {"tasks": ["forward"], "ties": null}}\\n\')\nwhile True:\n'
        "    os.write(pipe(), b'{\"value\": [null, []]}\\n')\n",
        "two things",
    ),
    "a half line": (
        ANSWERS + "def forward(*a):\n    os.write(pipe(), b'{')\n    time.sleep(60)\n",
        "no answer after",
    ),
    "an answer about nothing": (forges("b'{\"value\": null}\\n'", "about"), "writes where"),
    "tasks that are no list": (forges('b\'{"value": {"tasks": null, "ties": null}}\\n\'', "about"), "writes where"),
    "tasks that are no names": (forges('b\'{"value": {"tasks": [[{}]], "ties": {}}}\\n\'', "about"), "none of forward"),
    "too few h-values": (forges("b'{\"value\": [0]}\\n'", "h"), "h"),
    "h-values that are none": (forges('b\'{"value": {"a": 1}}\\n\'', "h"), "h"),
    "h-values of NaN": (OTHER_H + "Adaptive.h = lambda self, cell: float('nan')\n", "whole number"),
    "h-values of 4300 digits": (OTHER_H + "Adaptive.h = lambda self, cell: 10 ** 4299\n", "whole number"),
    "h-values of 9000 digits": (OTHER_H + "Adaptive.h = lambda self, cell: 10 ** 9000\n", "whole number"),
    "a path within itself": ("def forward(*a):\n    x = []\n    x.append(x)\n    return x, x\n", "list of cells"),
    "an error that cannot be shown": (
        "class E(Exception):\n    def __str__(self):\n        raise E\ndef forward(*a):\n    raise E\n",
        "E",
    ),
    "pipes that are closed": ("import os\nos.closerange(0, 50)\nimport time\ntime.sleep(60)\n", "closed"),
    "input that is closed": ("import os\nos.close(0)\n" + RIGHT, "ended"),
    "input that is read": (RIGHT + "import sys\nsys.stdin.read()\n", "no answer after"),
    "an early end": ("import os\ndef forward(*a):\n    os._exit(0)\n", "exit code 0"),
    "all of its group is killed": (
        "import os, signal\ndef forward(*a):\n    os.killpg(0, signal.SIGKILL)\n",
        "signal 9",
    ),
    "it stops itself": (
        "import os, signal\ndef forward(*a):\n    os.kill(os.getpid(), signal.SIGSTOP)\n",
        "no answer after",
    ),
    "signals are ignored": (
        "import signal, time\nfor n in (1, 2, 3, 15):\n    signal.signal(n, signal.SIG_IGN)\n"
        "def forward(*a):\n    time.sleep(60)\n",
        "no answer after",
    ),
    "a memory bomb": (
        "def forward(*a):\n    x = []\n    while True:\n        x.append(bytes(1 << 28))\n",
        "MemoryError",
    ),
    "a disk bomb": (
        "import tempfile\ndef forward(*a):\n    with tempfile.TemporaryFile() as f:\n        while True:\n"
        "            f.write(bytes(1 << 16))\n",
        "OSError",
    ),
    "recursion": ("def forward(*a):\n    return forward(*a)\n", "RecursionError"),
}


def seconds_of(program: str, tmp_path, worlds: int = 2, patience: float = 5.0) -> tuple[float, str]:
    """How long a check takes, and what is said. Only a Mistake may be raised."""
    file = tmp_path / "student.py"
    file.write_text(program, encoding="utf-8", errors="surrogatepass")
    began = time.monotonic()
    try:
        said = "\n".join(map(describe_verdict, checking.check_program(file, worlds, patience)))
    except Mistake as mistake:
        said = mistake.text
    return time.monotonic() - began, said


@POSIX
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_gets_a_sentence_in_time(name, tmp_path):
    program, words = HOSTILE[name]
    took, said = seconds_of(program, tmp_path, patience=0.5 if words == "no answer after" else 5.0)
    assert took < 20
    assert words in said and "Traceback" not in said and len(said) < 10_000
    assert all(c.isprintable() or c == "\n" for c in said)
    if not words:
        assert "right" in said or "open" in said


@POSIX
def test_none_of_them_takes_the_marks_of_the_others(tmp_path):
    """All in one folder, with good ones before and after."""
    names = ["no JSON", "nested deeply", "an answer about nothing", "too few h-values", "an error with signs"]
    for i, name in enumerate([*names, "a fork that holds the pipe", "an early end", "half a surrogate"]):
        (tmp_path / f"b{i}[red].py").write_text(HOSTILE[name][0], encoding="utf-8", errors="surrogatepass")
    for good in ("a.py", "z.py"):
        (tmp_path / good).write_text(RIGHT, encoding="utf-8")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / os.fsdecode(b"odd\xff\n.py")).write_text("x = 1\n")
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    os.mkfifo(tmp_path / "pipe.py")
    marks = tmp_path / "marks.csv"
    given = ["course", "mark", str(tmp_path), "--worlds", "2", "--time-limit", "2", "--csv", str(marks)]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.output
    lines = marks.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 8 + 2 + 5
    assert [line for line in lines if line.endswith(",right,right,right,3,")] == [
        "a.py,right,right,right,3,",
        "b5[red].py,right,right,right,3,",
        "z.py,right,right,right,3,",
    ]
    assert all(c.isprintable() or c == "\n" for c in done.output)


@POSIX
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_process_of_its_group_lives_on(tmp_path):
    mark = tmp_path / "pid"
    program = RIGHT + (
        "import os, time\npid = os.fork()\nif pid == 0:\n    time.sleep(60)\n    os._exit(0)\n"
        f"open({str(mark)!r}, 'w').write(str(pid))\n"
    )
    seconds_of(program, tmp_path)
    child = f"/proc/{mark.read_text()}/stat"
    for _ in range(50):
        try:
            with open(child) as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":  # ended; its exit code has not been read
                    return
        except OSError:
            return
        time.sleep(0.1)
    raise AssertionError("the child of the program still runs")


def test_a_program_that_dawdles_has_a_limit_for_all_searches_together(tmp_path, monkeypatch):
    monkeypatch.setattr("replan.course.student_process.TOTAL_TIMEOUT", 2.0)
    slow = RIGHT + "import time\nquick = forward\ndef forward(*a):\n    time.sleep(.1)\n    return quick(*a)\n"
    took, said = seconds_of(
        slow.replace("class Adaptive", "class _A").replace("def backward", "def _b"), tmp_path, 150, 1.0
    )
    assert took < 20 and "2 seconds for all searches together" in said
