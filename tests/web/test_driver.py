"""What the driver of a served screen takes in: no more than the screen can deal with."""

import os
import sys
import time
from threading import Event
from types import SimpleNamespace

import pytest
from textual import events

from brt_cg.web import driver
from brt_cg.web.driver import (
    MOST_BEHIND,
    MOST_PASTED,
    MOST_READ,
    READ,
    BoundedParser,
    SeatDriver,
    TickingInputReader,
)
from brt_cg.web.screens import SeatService

PIPE = 1024**2  # bytes, more than a pipe holds


def a_driver(behind: int) -> SeatDriver:
    """A driver, as far as it looks at its screen, which has so much to do."""
    made = SeatDriver.__new__(SeatDriver)
    made._app = SimpleNamespace(backlog=behind)  # type: ignore[assignment]
    made.exit_event, made._hangs = Event(), False
    return made


def test_unparsed_input_stays_in_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with os.fdopen(reading, "rb") as stdin, os.fdopen(writing, "wb", buffering=0) as pipe:
        monkeypatch.setattr(sys, "__stdin__", stdin)
        reader = TickingInputReader()
        written, full = 0, 0
        while full < 5:  # it has stopped reading
            taken = pipe.write(bytes(READ))
            written, full = written + (taken or 0), 0 if taken else full + 1
            time.sleep(0.005)
        assert written <= (MOST_READ + 2) * READ + PIPE
        found = iter(reader)
        assert len(next(found)) <= READ
        reader.close()
        assert list(found) == []


def test_a_fast_screen_is_not_waited_for() -> None:
    assert not a_driver(MOST_BEHIND)._is_behind()


def test_a_slow_screen_is_waited_for_until_it_catches_up() -> None:
    made = a_driver(MOST_BEHIND + 1)
    looks: list[float] = []

    def look(seconds: float) -> bool:
        looks.append(seconds)
        made._app.backlog -= 1  # type: ignore[misc]
        return False

    made.exit_event.wait = look  # type: ignore[assignment,method-assign]
    assert not made._is_behind()
    assert len(looks) == 1


def test_input_to_a_hanging_screen_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(driver, "LAST", 0.02)
    made = a_driver(MOST_BEHIND + 1)
    assert made._is_behind()
    monkeypatch.setattr(driver, "LAST", 3600.0)
    assert made._is_behind()  # at once now
    made._app = SimpleNamespace(backlog=0)  # type: ignore[assignment]
    assert not made._is_behind()


def heard(*data: str) -> list[object]:
    """The texts and keys that a parser hears in what comes piece by piece."""
    parser = BoundedParser()
    return [
        event.text if isinstance(event, events.Paste) else getattr(event, "key", event)
        for piece in data
        for event in parser.feed(piece)
    ]


def test_a_paste_that_fits_into_a_frame_arrives_complete() -> None:
    text = "x" * (MOST_PASTED - 12)
    assert heard(f"\x1b[200~{text}\x1b[201~", "j") == [text, "j"]


def test_an_endless_paste_uses_no_memory_and_presses_no_keys() -> None:
    text = "q" * MOST_PASTED
    pieces = heard("\x1b[20", "0~", text, text, text, "end\x1b[2", "01~", "j")
    assert pieces == ["end", "j"]


@pytest.mark.parametrize("piece", ["\x1b[48;100000;100000;1;1t", "\x1b[48;0;0;0;0t"])
def test_typed_input_cannot_resize_the_screen(piece: str) -> None:
    *_, moved, key = heard(piece, "\x1b[<35;5;6M", "j")
    assert isinstance(moved, events.MouseMove)
    assert (moved.x, moved.y, key) == (4, 5, "j")


def test_an_invalid_key_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    made, keys = a_driver(0), list[object]()
    frames = [SeatService.encode_packet(b"D", key) for key in (b"\x1b[9999999999u", b"j")]
    monkeypatch.setattr(made, "_input_reader", frames, raising=False)
    monkeypatch.setattr(made, "process_message", keys.append)
    made.exit_event.set()
    made.run_input_thread()
    assert [key.key for key in keys if isinstance(key, events.Key)] == ["j"]
