"""However the program is ended, it leaves the terminal without its last picture."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.settings import crossed

pytestmark = pytest.mark.posix

MOUSE_OFF, NORMAL_SCREEN = b"\x1b[?1000l", b"\x1b[?1049l"
PATIENCE = 60.0


@pytest.mark.parametrize(
    ("name", "ignored"),
    crossed(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"], ["INT HUP QUIT", ""]),
)
def test_a_signal_that_ends_the_screen_restores_the_terminal(
    name: str, ignored: str, demo_file: Path
) -> None:
    """Whatever started the program ignores: a shell's background does without SIGINT, nohup
    without SIGHUP."""
    import pty  # which Windows lacks

    ours, theirs = pty.openpty()
    program = [sys.executable, "-m", "brt_cg", "open", str(demo_file)]
    trap = f"trap '' {ignored}; " if ignored else ""
    words = ["sh", "-c", f'{trap}exec "$@"', "sh", *program]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as process:
        os.close(theirs)
        try:
            drawn = b""
            while b"?1000h" not in drawn:
                drawn += _read(ours)
            time.sleep(1)
            process.send_signal(getattr(signal, name))
            drawn, deadline = b"", time.monotonic() + PATIENCE
            while (more := _read(ours)) != b"":
                drawn += more
                assert time.monotonic() < deadline, f"{name} has not ended the program"
            assert process.wait(PATIENCE) is not None
        finally:
            process.kill()  # or a failure would wait for it
    os.close(ours)
    assert MOUSE_OFF in drawn
    assert NORMAL_SCREEN in drawn


def _read(descriptor: int) -> bytes:
    """What comes next from a terminal; nothing once its program has ended."""
    ready, _, _ = select.select([descriptor], [], [], PATIENCE)
    assert ready, "nothing came"
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux
        return b""
