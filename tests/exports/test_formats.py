"""How documents are written."""

import csv
import json
import sys
from io import StringIO

import pytest

from brt_cg.exports import DOCUMENTS, build_document, export_document, render_document
from brt_cg.exports.blocks import Sheet
from brt_cg.exports.writers.as_csv import sheet_as_csv
from brt_cg.exports.writers.as_json import json_text
from brt_cg.questions.answers import RefusedError
from brt_cg.views.view import create_view
from tests.exports.journals import MARINE, begun, demo, squad


@pytest.mark.parametrize("what", DOCUMENTS)
def test_every_document_can_be_written_in_every_format(what: str) -> None:
    document = build_document(create_view(demo(), MARINE), what)
    opening = {
        "html": "<!doctype html>",
        "md": "# ",
        "txt": "# ",
        "svg": "<svg ",
        "xlsx": b"PK",
        "pdf": b"%PDF",
    }
    for name in DOCUMENTS[what]:
        written = render_document(document, name)
        if name == "json":
            form, version = map(json.loads(str(written)).get, ("format", "version"))
            assert (form, version) == (f"brt-cg/{what}", 1)
        elif name == "csv":
            for text in written.values() if isinstance(written, dict) else [str(written)]:
                header, *rows = csv.reader(StringIO(text))
                assert all(len(row) == len(header) for row in rows)
        else:
            assert written[: len(opening[name])] == opening[name]  # type: ignore[index]


@pytest.mark.parametrize("what", DOCUMENTS)
def test_the_same_campaign_gives_the_same_bytes(what: str) -> None:
    """In one format after another, and in that one alone."""
    first, again = (begun(squad("m-ldr-1", "N19", status=["wounded"])) for _ in range(2))
    document = build_document(create_view(first, MARINE), what)
    for name in DOCUMENTS[what]:
        assert render_document(document, name) == export_document(
            create_view(again, MARINE), what, name
        )


def test_json_has_one_object_per_line_and_expands_containers() -> None:
    text = json_text({"a": 1, "rows": [{"x": 1}, {"x": [{"y": 2}]}], "empty": []})
    assert text.splitlines() == [
        "{",
        '  "a": 1,',
        '  "rows": [',
        '    {"x": 1},',
        "    {",
        '      "x": [',
        '        {"y": 2}',
        "      ]",
        "    }",
        "  ],",
        '  "empty": []',
        "}",
    ]


def test_csv_cells_are_written_as_text() -> None:
    row = {"a": None, "b": True, "c": ["x", "y"], "d": 3, "e": 'say "hi", twice'}
    assert (
        sheet_as_csv(Sheet("cells", [*row], [row]))
        == 'a,b,c,d,e\n,true,x y,3,"say ""hi"", twice"\n'
    )


# --- extras ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("format", "module"), [("pdf", "typst"), ("xlsx", "openpyxl")])
def test_a_missing_extra_is_refused_by_name(
    format: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        RefusedError, match=rf'{format.upper()} files need the "{format}" extra: pip install'
    ):
        export_document(create_view(begun()), "roster", format)
