"""Signs that nobody sees: refused where texts come in, and shown for what they are where texts go
out, since old campaigns and forged mails hold any sign."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from brt_cg.cli import main
from brt_cg.exports.blocks import printable_line as in_documents
from brt_cg.exports.writers.as_csv import csv_cell
from brt_cg.exports.writers.as_json import compact_json
from brt_cg.model.shapes import ListOf, Text
from brt_cg.text import escape_unprintable, first_invisible_code_point, replace_invisible
from brt_cg.tui.look.signs import without_invisible_characters
from tests.cli.shell import state, written

UNSEEN = [
    *("\u00ad", "\u034f", "\u061c", "\u115f", "\u1160", "\u17b4", "\u180b", "\u180e", "\u200b"),
    *("\u200d", "\u200f", "\u202e", "\u2060", "\u2064", "\u2066", "\u2069", "\u2800", "\u3164"),
    *("\ufe0f", "\ufeff", "\uffa0", "\ufff9", "\U000e0001", "\U000e0041", "\U000e0100"),
]
SEEN = ["Betio", "O'Ḧagen", "日本", "½ squad − “x”", "😀", "a\u00a0b", "e\u0301"]
ids = [f"U+{ord(sign):04X}" for sign in UNSEEN]
each_unseen = pytest.mark.parametrize("sign", UNSEEN, ids=ids)


@each_unseen
def test_names_and_reasons_refuse_invisible_characters(sign: str) -> None:
    for shape, raw in ((Text(), f"a{sign}b"), (ListOf(), [f"a{sign}b"])):
        with pytest.raises(ValueError, match="use only visible characters") as refused:
            shape.read(raw)
        assert f"invisible character U+{ord(sign):04X} in" in str(refused.value)
        assert sign not in str(refused.value)


@pytest.mark.parametrize("text", SEEN)
def test_visible_characters_are_unchanged(text: str) -> None:
    assert first_invisible_code_point(text) is None
    assert (
        replace_invisible(text)
        == in_documents(text)
        == without_invisible_characters(text)
        == csv_cell(text)
        == text
    )


def test_single_emoji_are_accepted_but_joined_ones_are_not() -> None:
    assert Text().read("👩🔧") == "👩🔧"
    with pytest.raises(ValueError, match=r"invisible character U\+200D"):
        Text().read("👩\u200d🔧")


@each_unseen
def test_no_message_document_or_table_contains_an_invisible_character(sign: str) -> None:
    text = f"a{sign}b"
    for left in (
        escape_unprintable(text),
        in_documents(text),
        csv_cell(text),
        compact_json(text),
        without_invisible_characters(text),
    ):
        assert first_invisible_code_point(left) is None
        assert left.startswith(("a", '"a'))
    assert json.loads(compact_json(text)) == text
    if sign != "\u200d":  # which Rich takes together with what follows
        assert cell_len(without_invisible_characters(text)) == cell_len(text)


@pytest.mark.parametrize("sign", ["\u200b", "\u3164", "\u202e"])
def test_entries_with_an_invisible_character_are_refused(
    sign: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = state()
    unit = found["units"][0]
    named = state() | {"units": [unit | {"name": f"Jo{sign}e"}, *found["units"][1:]]}
    wrong = written(tmp_path / "wrong.json", named)
    fresh = tmp_path / "fresh.brt"
    assert main(["new", str(fresh), "--cg", "III"]) == 0
    before = file.read_bytes()
    for words in (
        ["note", str(file), f"go{sign}on", "--side", "marine"],
        ["edit", str(file), unit["id"], f"name=Jo{sign}e", "--reason", "why"],
        ["edit", str(file), unit["id"], "name=Joe", "--reason", f"wh{sign}y"],
        ["new", str(tmp_path / "other.brt"), "--cg", "III", "--name", f"Tar{sign}awa"],
        ["import", str(fresh), str(wrong)],
    ):
        capsys.readouterr()
        assert main(words) == 2
        err = capsys.readouterr().err
        assert f"U+{ord(sign):04X}" in err
        assert first_invisible_code_point(err, "\n") is None
    assert file.read_bytes() == before
    assert not (tmp_path / "other.brt").exists()
