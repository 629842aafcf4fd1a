"""The form that writes a document to a file, or prints it."""

from pathlib import Path

from textual.content import Content

from brt_cg.exports import DOCUMENTS, export, is_campaign, put
from brt_cg.exports.blocks import Output
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Problem, Refused
from brt_cg.service.desk import Desk
from brt_cg.tui.dialogs.choice import is_sure
from brt_cg.tui.dialogs.path import typed_path
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Judged, Typed
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seen
from brt_cg.vasl.savefile import read_save
from brt_cg.vasl.writing import write

SHEET = "sheet"
SAVE = "vsav"  # written into an existing save
PRINT = "print"
NAMED = {
    PRINT: "a page to print (HTML)",
    "md": "text (Markdown)",
    "csv": "tables (CSV)",
    "json": "JSON, for other programs",
    "html": "HTML, for a browser",
    "xlsx": "a workbook (XLSX)",
    "pdf": "PDF",
    "svg": "a drawing (SVG)",
    SAVE: "a VASL save",
}
PRINTING = "Open it in a browser and print it from there."


class ExportForm(EntryForm[str]):
    """Asks for format, view and file, and returns what was written. `app` is used to ask before it
    overwrites a file."""

    def __init__(self, app: CampaignApp, seen: Seen, document: str) -> None:
        self.app, self.seen, self.document = app, seen, document
        formats = (SAVE,) if document == SAVE else DOCUMENTS[document]
        printed = (PRINT,) if "html" in formats else ()
        self.formats = (*printed, *formats)

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        formats = tuple((format, NAMED[format]) for format in self.formats)
        fields = [FormField("format", "Format", self.formats[0], formats)]
        if self.seen.seat is None:
            views = [(side.value, side.label) for side in Side]
            if self.document != SHEET:  # the sheet shows only what one side may know
                views.insert(0, ("", "umpire, all secrets"))
            fields.append(FormField("side", "As seen by", views[0][0], tuple(views)))
        if self.document == SAVE:
            fields.append(FormField("save", "Your VASL save", hint="a .vsav", required=True))
        place = self.seen.path
        folder = place.parent if isinstance(place, Path) else Path.cwd()
        usual = folder / f"{place.stem}-{self.document}"
        about = "without an extension it gets that of the format"
        fields.append(FormField("path", "File", str(usual), about=about, required=True))
        return (FormPage(f"Write {self.document.replace('-', ' ')}", tuple(fields), "write it"),)

    def _path(self, typed: Typed) -> Path:
        """The file, or the folder for several tables."""
        path = typed_path(typed["path"]).absolute()
        format = self._format(typed)
        return path if path.suffix or format == "csv" else path.with_name(f"{path.name}.{format}")

    def _format(self, typed: Typed) -> str:
        return "html" if typed["format"] == PRINT else typed["format"]

    def _side(self, typed: Typed) -> Side | None:
        chosen = typed.get("side")
        return Side(chosen) if chosen else self.seen.seat

    async def judge(self, typed: Typed, page: int) -> Judged:
        path, problems = self._path(typed), {}
        if is_campaign(path):
            problems["path"] = "this is a campaign file: choose another name"
        exists = "\nThis already exists: you will be asked before it is overwritten."
        how = f"\n{PRINTING}" if typed["format"] == PRINT else ""
        return Judged(Content(f"{path}{exists if path.exists() else ''}{how}"), problems)

    async def carry_out(self, typed: Typed) -> str:
        path, format, side = self._path(typed), self._format(typed), self._side(typed)
        source = typed_path(typed.get("save", ""))

        made, exposed, left_out = await self.app.session.consult(
            lambda desk: _make_document(desk, self.document, format, side, source)
        )
        if exposed and not await self._may_expose(exposed):
            raise Refused(Problem("save", "nothing was written"))
        if format == "csv" and not isinstance(made, dict) and not path.suffix:
            path = path.with_suffix(".csv")
        if not await self._may_write(made, path):
            raise Refused(Problem("path", "nothing was written; choose another name"))
        files = put(made, path, force=True)
        text = str(files[0]) if len(files) == 1 else f"{len(files)} files in {path}"
        printing = [PRINTING] if typed["format"] == PRINT else []
        return "\n".join([text, *printing, *left_out])

    async def _may_expose(self, exposed: list[str]) -> bool:
        """Whether the player agrees to a save that does not hide everything."""
        words = "\n".join(exposed[:8])
        return await is_sure(self.app, "Write it all the same?", words, "w", "write it")

    async def _may_write(self, made: Output, path: Path) -> bool:
        """Whether the path is free, or the player agrees to overwrite it."""
        files = [path / name for name in made] if isinstance(made, dict) else [path]
        taken = [file for file in files if file.exists()]
        words = "\n".join(map(str, taken[:8]))
        return not taken or await is_sure(self.app, "Overwrite it?", words, "w", "overwrite it")


def _make_document(
    desk: Desk, document: str, format: str, side: Side | None, source: Path
) -> tuple[Output, list[str], list[str]]:
    """Makes the document, with lists of what could not be hidden in it, and of what could not be
    included. Raises Refused."""
    if document != SAVE:
        return desk.tell(export, side, document, format), [], []
    written = desk.tell(write, side, read_save(source))
    return written.file.as_zip(), written.exposed, written.left_out
