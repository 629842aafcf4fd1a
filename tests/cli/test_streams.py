"""What is printed can be read wherever it goes; a Windows is played by its code page alone."""

import io
import json
from collections.abc import Callable

import pytest

from brt_cg.cli import streams
from brt_cg.cli.streams import accept_any_text, escaped, is_plain

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
        monkeypatch.setattr(streams, "console_page", lambda: page)

    return with_page


def test_a_pipe_gets_utf_8_whatever_the_locale() -> None:
    assert written(TEXT) == TEXT.encode()


def test_so_it_does_on_a_windows_whose_console_is_utf_8(windows: Callable[[int], None]) -> None:
    windows(65001)
    assert written(TEXT) == TEXT.encode()


def test_on_any_other_windows_a_pipe_gets_ascii_that_says_the_same(
    windows: Callable[[int], None],
) -> None:
    windows(850)
    assert written(TEXT) == b'Crowe - DR 5,3 = 8 - 1/2 -> "Francois" ... ?'


def test_a_terminal_keeps_its_own_encoding_there(windows: Callable[[int], None]) -> None:
    windows(850)
    assert written("é · 日", Terminal) == "é · ?".encode("cp850", "replace")


def test_every_sign_of_the_log_has_its_ascii() -> None:
    for sign, plain in streams.plain_signs().items():
        assert not sign.isascii()
        assert plain.isascii()


def test_json_keeps_its_names_in_ascii(windows: Callable[[int], None]) -> None:
    windows(437)
    document = json.dumps({"name": "François 𝄞"}, ensure_ascii=False)
    assert json.loads(written(escaped(document))) == {"name": "François 𝄞"}


def test_a_stream_that_takes_all_is_not_plain() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    accept_any_text(stream)
    assert not is_plain(stream)


def test_a_machine_without_a_console_is_taken_as_utf_8() -> None:
    assert streams.console_page() == streams.UTF_8
