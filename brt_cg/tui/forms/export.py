"""The form that writes a document to a file or prints it; and functions that write several
documents together, such as each side's setup roster and sheet to tick."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path

from textual.content import Content

from brt_cg.exports import (
    DOCUMENTS,
    FULL,
    NAMES,
    PUBLIC,
    export_document,
    install_command_if_missing,
    name_in_sentence,
)
from brt_cg.exports.blocks import Output
from brt_cg.exports.paper import Paper, Printing, default_paper
from brt_cg.files import is_sqlite_file
from brt_cg.model import Side
from brt_cg.questions import Problem, RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.text import count_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, confirm
from brt_cg.tui.dialogs.path import parse_typed_path
from brt_cg.tui.dialogs.working import run_with_box_if_long
from brt_cg.tui.forms.delivery import (
    IN_A_TAB,
    PRINTING,
    default_path,
    deliver_document,
    is_irreplaceable_file,
    report_delivery,
)
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, Validation
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot
from brt_cg.vasl.module import (
    NO_MODULE,
    VaslModule,
    load_given_or_remembered_module,
    remembered_module_path,
)
from brt_cg.vasl.save_writer import make_next_setup_save
from brt_cg.vasl.savefile import read_save

SHEET, HIP_SHEET = "sheet", "hip-sheet"
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
EXTENTS = (("compact", "several Areas to a page"), ("full", "a page for each place"))
PAPER_NAMES = {Paper.LETTER: "Letter", Paper.A4: "A4"}
PICTURE = "svg"


Whose = Side | str | None  # whose view: a side's, the umpire's (None), or "public"
PUBLIC_VIEW = ("public", "friends: what both sides know")


class ExportForm(EntryForm[str]):
    """The form that asks for format, view and file, and returns what was written. `app` is used to
    ask before it overwrites a file. A visitor's screen asks for no file; the visitor's VASL save is
    `given`."""

    can_stop = True

    def __init__(
        self, app: CampaignApp, seen: CampaignSnapshot, document: str, given: Path | None = None
    ) -> None:
        self.app, self.seen, self.document, self.given = app, seen, document, given
        formats = (SAVE,) if document == SAVE else DOCUMENTS[document]
        printed = (PRINT,) if "html" in formats else ()
        self.formats = (*printed, *formats)

    @property
    def draft_name(self) -> str:
        return f"export {self.document}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        formats = tuple((format, _format_name(format)) for format in self.formats)
        fields = [FormField("format", "Format", self.formats[0], formats)]
        if len(views := [*self._views()]) > 1:
            fields.append(FormField("side", "As seen by", views[0][0], tuple(views)))
        if self.document == SAVE and self.given is None:
            fields.append(FormField("save", "Your VASL save", hint="a .vsav", required=True))
            about = (
                "it supplies counters that the save lacks; only this machine remembers where it is"
            )
            known = remembered_module_path()
            fields.append(FormField("module", "VASL module", known, hint="a .vmod", about=about))
        if self.document in FULL:
            fields.append(FormField("full", "Pages", EXTENTS[0][0], EXTENTS))
        if "html" in self.formats:
            papers = tuple((paper.value, PAPER_NAMES[paper]) for paper in Paper)
            fields.append(FormField("paper", "Paper", default_paper().value, papers))
        if not self.app.served:
            fields.append(self._file_field())
        verb = "download" if self.app.served else "write"
        title = f"{verb.capitalize()} {name_in_sentence(self.document)}"
        return (FormPage(title, tuple(fields), f"{verb} it"),)

    def _views(self) -> Iterator[tuple[str, str]]:
        """Yield the possible views of the document, each as its value and in words."""
        if self.seen.seat is not None:
            yield "", f"{self.seen.seat.label}, your own view"
        elif self.document not in (SHEET, HIP_SHEET):  # these show what one side may know
            yield "", "umpire, all secrets"
        if self.seen.seat is None:
            sides = reversed(Side) if self.document == HIP_SHEET else Side
            yield from ((side.value, side.label) for side in sides)
        if self.document in PUBLIC:
            yield PUBLIC_VIEW

    def _file_field(self) -> FormField:
        usual = default_path(self.seen.path, self.seen.seat, self.document)
        about = "without an extension, the side's name and the format's extension are added"
        return FormField("path", "File", str(usual), about=about, required=True)

    def _path(self, typed: Typed) -> Path:
        """Return the file, or the folder for several tables."""
        if self.app.served:
            path = default_path(self.seen.path, self._side(typed), self.document)
        else:
            path = parse_typed_path(typed["path"]).absolute()
        if path == default_path(self.seen.path, None, self.document).absolute():
            path = default_path(self.seen.path, self._side(typed), self.document).absolute()
        format = self._format(typed)
        return path if path.suffix or format == "csv" else path.with_name(f"{path.name}.{format}")

    def _format(self, typed: Typed) -> str:
        return "html" if typed["format"] == PRINT else typed["format"]

    def _side(self, typed: Typed) -> Whose:
        chosen = typed.get("side")
        return self.seen.seat if not chosen else Side.from_name(chosen) or chosen

    async def validate(self, typed: Typed, page: int) -> Validation:
        path, problems = self._path(typed), {}
        if not self.app.served and is_sqlite_file(path):
            problems["path"] = "this is a campaign file: choose another name"
        extra = install_command_if_missing(self._format(typed))
        if extra is not None:
            problems["format"] = f"it is not installed: {extra}"
        exists = (
            "\nbrt-cg did not write this file, or it was edited since; you will be asked first."
        )
        how = f"\n{self._how}" if typed["format"] == PRINT else ""
        if self.app.served:
            return Validation(Content(f"{path.name}{how}"), problems)
        return Validation(
            Content(f"{path}{exists if is_irreplaceable_file(path) else ''}{how}"), problems
        )

    @property
    def _how(self) -> str:
        """The settings for a page to print."""
        return IN_A_TAB if self.app.served else PRINTING

    async def submit(self, typed: Typed) -> str:
        path, format, side = self._path(typed), self._format(typed), self._side(typed)
        source = self.given or parse_typed_path(typed.get("save", ""))
        paper = Paper(typed.get("paper", Paper.A4))
        printing = Printing(paper, full=typed.get("full") == EXTENTS[1][0])

        if self.document == SAVE:
            given = typed.get("module", "").strip()
            module = str(parse_typed_path(given)) if given else NO_MODULE
            # A visitor's module is not on this machine, and the one remembered here is not the
            # visitor's.
            palette = (
                partial(load_given_or_remembered_module, module)
                if self.given is None
                else lambda: None
            )
            whose = Side.from_name(side)
            make = partial(_write_save, side=whose, source=source, palette=palette)
        else:
            make = partial(_make_document, self.document, format, side, printing)
        made, exposed, left_out = await self.app.session.look_up(make)
        if exposed and not await self._may_expose(exposed):
            raise RefusedError(Problem("save", "nothing was written"))
        if format == "csv" and not isinstance(made, dict) and not path.suffix:
            path = path.with_suffix(".csv")
        text = await deliver_document(
            self.app, made, path, side, shows=typed["format"] in (PRINT, PICTURE)
        )
        how = [self._how] if typed["format"] == PRINT else []
        return "\n".join([text, *how, *left_out])

    async def _may_expose(self, exposed: list[str]) -> bool:
        """Whether the player agrees to a save that does not hide everything."""
        words = "\n".join(exposed[:8])
        return await confirm(self.app, "Write it anyway?", words, "write it")


def _format_name(format: str) -> str:
    """Return a format in words, with a note if its extra is missing."""
    return (
        f"{NAMED[format]}, not installed" if install_command_if_missing(format) else NAMED[format]
    )


Made = tuple[Output, list[str], list[str]]


def _make_document(
    document: str, format: str, whose: Whose, printing: Printing, desk: CampaignReader
) -> Made:
    """Make the document. Raises RefusedError."""
    public = whose == PUBLIC_VIEW[0]
    book = desk.public_view() if public else desk.view().for_seat(Side.from_name(whose))
    return export_document(book, document, format, printing), [], []


def _write_save(
    desk: CampaignReader, side: Side | None, source: Path, palette: Callable[[], VaslModule | None]
) -> Made:
    """Make the save, with lists of the counters that could not be hidden in it, those that were
    made, and those that could not be included. Raises RefusedError."""
    written = make_next_setup_save(desk.view().for_seat(side), read_save(source), palette())
    made = (
        [f"{count_text(len(written.made), 'piece')} made from the module"] if written.made else []
    )
    return written.file.as_zip(), written.exposed, [*made, *written.left_out]


# --- for the table --------------------------------------------------------------------------------


AT_TABLE = ("roster", "scenario-sheet")
OTHERS_TOO = "{} in another room opens the Export page, which writes these and others."
MOST_LISTED = 4  # files that are named one by one


def rosters_and_sheets_text(seen: CampaignSnapshot, export_key: str) -> str:
    """Return the papers that `write_rosters_and_sheets` would write, in words; `export_key` opens
    the page with all of them."""
    sides = " and ".join(each.label for each in ([seen.seat] if seen.seat else Side))
    names = " and ".join(NAMES[each].lower() for each in AT_TABLE)
    return f"{sides}: {names}, in the folder of the campaign. {OTHERS_TOO.format(export_key)}"


async def write_rosters_and_sheets(app: CampaignApp, seen: CampaignSnapshot) -> None:
    """Write the roster of each side that the seat may see, and its sheet to tick."""
    await write_documents_per_side(app, seen, AT_TABLE)


async def write_documents_per_side(
    app: CampaignApp, seen: CampaignSnapshot, documents: Sequence[str]
) -> None:
    """Write documents for each side that the seat may see, on the player's size of paper: as PDF if
    that extra is installed, else as a page to print, else in the document's first format."""
    printing, written, formats = Printing(default_paper()), [], set()
    sides = [seen.seat] if seen.seat is not None else list(Side)
    for side, document in product(sides, documents):
        format = _paper_format(document)
        make = partial(_make_document, document, format, side, printing)
        made = await _made(app, document, make)
        if made is None:
            break
        path = default_path(seen.path, side, document, f".{format}")
        with suppress(RefusedError):  # the player keeps the existing file
            written.append(await deliver_document(app, made, path, side, shows=format == "html"))
            formats.add(format)
    if written:
        how = [IN_A_TAB if app.served else PRINTING] if "html" in formats else []
        report_delivery(app, "\n".join([*_listed(written), *how]))


def _paper_format(document: str) -> str:
    """Return the format of a document for paper."""
    formats = DOCUMENTS[document]
    if "pdf" in formats and not install_command_if_missing("pdf"):
        return "pdf"
    return "html" if "html" in formats else formats[0]


def _listed(written: Sequence[str]) -> Sequence[str]:
    """Return the names of the files written. If there are many, return only their number and the
    folder."""
    folders = {str(Path(each).parent) for each in written}
    if len(written) <= MOST_LISTED or len(folders) > 1:
        return written
    return [f"{count_text(len(written), 'file')} in {folders.pop()}"]


async def _made(
    app: CampaignApp, document: str, make: Callable[[CampaignReader], Made]
) -> Output | None:
    """Make a document, with a progress box if it takes long. Return None if the player stops it."""
    title = f"Making the {name_in_sentence(document)}"
    try:
        made, _, _ = await run_with_box_if_long(
            app, title, app.session.look_up(make), can_stop=True
        )
    except RefusedError as refused:
        app.report_error(refused)
        return None
    return made


# --- the chronicle --------------------------------------------------------------------------------


CHRONICLE = "chronicle"


async def write_chronicle(app: CampaignApp, seen: CampaignSnapshot) -> None:
    """Write the chronicle as a page, for friends or for the seat alone, as the player chooses."""
    own = "the umpire: both sides' secrets" if seen.seat is None else "you: your own view"
    answers: list[Reply[Whose]] = [
        Reply(PUBLIC_VIEW[0], "1", PUBLIC_VIEW[1]),
        Reply(seen.seat, "2", own),
    ]
    chosen = await app.push_screen_wait(ChoiceScreen("Chronicle for whom?", "", answers))
    if chosen is None:
        return
    make = partial(_make_document, CHRONICLE, "html", chosen.value, Printing(default_paper()))
    made = await _made(app, CHRONICLE, make)
    if made is None:
        return
    path = default_path(seen.path, chosen.value, CHRONICLE, ".html")
    with suppress(RefusedError):  # the player keeps the existing file
        where = await deliver_document(app, made, path, chosen.value, shows=True)
        sent = "; it is a single file that you can send" if chosen.value == PUBLIC_VIEW[0] else ""
        report_delivery(app, where if app.served else f"{where}\nOpen it in a browser{sent}.")
