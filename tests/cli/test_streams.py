"""What is printed can be read wherever it goes; a Windows is played by its code page, and by the
functions of its console."""

import io
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from brt_cg.cli import main, screens, streams
from brt_cg.cli.streams import (
    accept_any_text,
    console_escape_codes_enabled,
    escape_json,
    is_ascii_only,
)
from brt_cg.tui.app import BrtApp
from brt_cg.tui.frame import title_and_badge

TEXT = "Crowe − DR 5,3 = 8 · ½ → “François” … 日"


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def written(text: str, kind: type[io.TextIOWrapper] = io.TextIOWrapper) -> bytes:
    raw = io.BytesIO()
    stream = kind(raw, encoding="cp850", newline="\n")
    accept_any_text(stream)
    stream.write(text)
    stream.flush()
    return raw.getvalue()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def with_page(page: int) -> None:
        monkeypatch.setattr(streams.os, "name", "nt")
        monkeypatch.setattr(streams, "console_code_page", lambda: page)

    return with_page


def test_a_pipe_gets_utf_8_in_any_locale() -> None:
    assert written(TEXT) == TEXT.encode()


def test_a_pipe_on_windows_with_a_utf_8_console_gets_utf_8(windows: Callable[[int], None]) -> None:
    windows(65001)
    assert written(TEXT) == TEXT.encode()


def test_a_pipe_on_other_windows_gets_equivalent_ascii(
    windows: Callable[[int], None],
) -> None:
    windows(850)
    assert written(TEXT) == b'Crowe - DR 5,3 = 8 - 1/2 -> "Francois" ... ?'


def test_a_terminal_on_windows_keeps_its_encoding(windows: Callable[[int], None]) -> None:
    windows(850)
    assert written("é · 日", Terminal) == "é · ?".encode("cp850", "replace")


def test_every_symbol_of_the_log_has_an_ascii_form() -> None:
    for sign, plain in streams.ascii_replacements().items():
        assert not sign.isascii()
        assert plain.isascii()


def test_json_keeps_names_escaped_in_ascii(windows: Callable[[int], None]) -> None:
    windows(437)
    document = json.dumps({"name": "François 𝄞"}, ensure_ascii=False)
    assert json.loads(written(escape_json(document))) == {"name": "François 𝄞"}


def test_a_stream_that_accepts_unicode_is_not_plain() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    accept_any_text(stream)
    assert not is_ascii_only(stream)


def test_a_machine_without_a_console_is_treated_as_utf_8() -> None:
    assert streams.console_code_page() == streams.UTF_8


# --- escape codes in a console of Windows ---------------------------------------------------------


class Console:
    """A console of Windows in its `mode`, as its functions show it; of an old one escape codes
    cannot be had."""

    def __init__(self, mode: int, is_old: bool = False) -> None:
        self.mode, self.is_old = mode, is_old

    def GetStdHandle(self, which: int) -> int:
        assert which == streams.STANDARD_OUTPUT
        return 7

    def GetConsoleOutputCP(self) -> int:
        return streams.UTF_8

    def GetConsoleMode(self, handle: int, mode: Any) -> int:
        mode._obj.value = self.mode
        return int(handle == 7)

    def SetConsoleMode(self, handle: int, mode: int) -> int:
        if self.is_old and mode & streams.ENABLE_CODES:
            return 0
        self.mode = mode
        return int(handle == 7)


def on(monkeypatch: pytest.MonkeyPatch, console: Console | None) -> None:
    monkeypatch.setattr(streams, "_kernel", lambda: console)


def test_a_console_handles_escape_codes_only_while_the_screen_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    console = Console(3)
    on(monkeypatch, console)
    with suppress(KeyError), console_escape_codes_enabled() as understood:
        assert understood
        assert console.mode == 3 | streams.ENABLE_CODES
        raise KeyError  # however it ends
    assert console.mode == 3


def test_the_console_title_is_restored_after_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    console, modes = Console(3), list[int]()
    on(monkeypatch, console)
    monkeypatch.setattr(BrtApp, "get_driver_class", lambda _: HeadlessDriver)
    monkeypatch.setattr(BrtApp, "run", lambda _: modes.append(console.mode))
    monkeypatch.setattr(title_and_badge, "_write", lambda _: modes.append(console.mode))
    monkeypatch.setattr(screens, "is_terminal", lambda: True)
    assert main([]) == 0
    assert modes == [3 | streams.ENABLE_CODES] * 3
    assert console.mode == 3


def test_a_console_without_escape_codes_names_a_better_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on(monkeypatch, Console(3, is_old=True))
    monkeypatch.setattr(BrtApp, "run", lambda _: 0)
    monkeypatch.setattr(screens, "is_terminal", lambda: True)
    assert main([]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "Windows Terminal" in told.err
    assert told.out == ""


def test_other_terminals_are_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, None)
    with console_escape_codes_enabled() as understood:
        assert understood


def test_a_stream_that_is_no_console_is_not_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe(Console):
        def GetConsoleMode(self, handle: int, mode: Any) -> int:
            return 0

        def SetConsoleMode(self, handle: int, mode: int) -> int:
            raise AssertionError("it has no mode")

    on(monkeypatch, Pipe(0))
    with console_escape_codes_enabled() as understood:
        assert understood
