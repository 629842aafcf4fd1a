"""However the program is ended, it leaves the terminal without its last picture."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.posix

MOUSE_OFF, NORMAL_SCREEN = b"\x1b[?1000l", b"\x1b[?1049l"
PATIENCE = 60.0


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_that_ends_the_screen_restores_the_terminal(name: str, demo_file: Path) -> None:
    import pty  # which Windows lacks

    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "brt_cg", "open", str(demo_file)]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    ) as process:
        os.close(theirs)
        drawn = b""
        while b"?1000h" not in drawn:
            drawn += _read(ours)
        time.sleep(1)
        process.send_signal(getattr(signal, name))
        drawn = b""
        while (more := _read(ours)) != b"":
            drawn += more
        assert process.wait(PATIENCE) is not None
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
