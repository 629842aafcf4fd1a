"""How the program ends as a process: soon, and with nothing lost that anybody waits for."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from brt_cg import __version__

PROGRAM = [sys.executable, "-m", "brt_cg"]
FULL = Path("/dev/full")


def ended(
    words: list[str], script: str = "", **streams: object
) -> subprocess.CompletedProcess[str]:
    """A process of the program; with a script, what that does around `run`."""
    command = [sys.executable, "-c", dedent(script), *words] if script else [*PROGRAM, *words]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "env": buffered} | streams
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, stderr=subprocess.PIPE, text=True, check=False, **given
    )


def test_all_output_arrives_before_the_exit(demo_file: Path) -> None:
    got = ended(["export", str(demo_file), "state"])
    assert got.returncode == 0
    assert got.stdout.endswith("}\n")
    assert len(got.stdout) > 65536  # more than a pipe holds


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["stauts"], 2),
        (["status"], 2),
        (["status", "nowhere.brt"], 2),
    ],
)
def test_a_waiting_process_gets_the_exit_status(words: list[str], status: int) -> None:
    got = ended(words)
    assert got.returncode == status
    assert (got.stdout == "", got.stderr == "") == (status != 0, status == 0)


@pytest.mark.parametrize("words", [["status"], ["export", "state"], ["--help"]])
def test_a_closed_pipe_is_not_an_error(demo_file: Path, words: list[str]) -> None:
    words = words if words == ["--help"] else [words[0], str(demo_file), *words[1:]]
    reading, writing = os.pipe()
    os.close(reading)
    got = ended(words, stdout=writing)
    os.close(writing)
    if words == ["--help"]:  # as of any program that Python runs
        assert "Traceback" not in got.stderr
    else:
        assert (got.returncode, got.stderr) == (0, "")


@pytest.mark.posix
def test_a_full_device_is_reported_even_at_the_end(demo_file: Path) -> None:
    with FULL.open("w") as full:
        got = ended(["status", str(demo_file)], stdout=full)
        helped = ended(["--help"], stdout=full)
    assert (got.returncode, got.stderr.count("\n")) == (1, 1)
    assert "the output is incomplete: No space left on device" in got.stderr
    assert helped.returncode != 0
    assert "No space left on device" in helped.stderr


def test_exit_handlers_of_others_run() -> None:
    """Before: coverage, or a debugger, that was there first. Meanwhile: what a command loads."""
    for before, meanwhile in (("before", ""), ("", "meanwhile"), ("before", "meanwhile")):
        got = ended(
            ["--version"],
            f"""
            import atexit, sys
            if {before!r}:
                atexit.register(print, {before!r})
            from brt_cg import __main__
            asked = __main__.load_command
            def as_ever(words):
                if {meanwhile!r}:
                    atexit.register(print, {meanwhile!r})
                return asked(words)
            __main__.load_command = as_ever
            sys.exit(__main__.run())
            """,
        )
        said = [f"brt-cg {__version__}", meanwhile, before]
        assert (got.returncode, got.stdout.split("\n")) == (0, [*filter(None, said), ""])


def test_a_crash_of_the_program_exits_as_usual() -> None:
    got = ended(
        ["--version"],
        """
        import sys
        from brt_cg import __main__
        __main__.load_command = lambda words: lambda: 1 // 0
        sys.exit(__main__.run())
        """,
    )
    assert got.returncode == 1
    assert got.stderr.endswith("ZeroDivisionError: integer division or modulo by zero\n")


def test_the_exit_waits_for_a_thread_that_still_writes(tmp_path: Path) -> None:
    got = ended(
        [str(tmp_path / "late")],
        """
        import sys, threading, time
        from pathlib import Path
        from brt_cg import __main__
        def late():
            time.sleep(0.3)
            Path(sys.argv[1]).write_text("written")
        def command():
            threading.Thread(target=late).start()
            return 3
        __main__.load_command = lambda words: command
        sys.exit(__main__.run())
        """,
    )
    assert (got.returncode, (tmp_path / "late").read_text()) == (3, "written")
