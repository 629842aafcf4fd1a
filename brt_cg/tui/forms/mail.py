"""Mail on the screen: sending new entries to the opponent, and receiving the opponent's."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from textual.content import Content

from brt_cg.files import CAMPAIGN_ENDING, MAIL_ENDING, player_files_folder
from brt_cg.forecast.upcoming_questions import still_unanswered_text
from brt_cg.model import seat_of_side
from brt_cg.questions import RefusedError
from brt_cg.service import last_seen, mail, mail_file, mail_state
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.mail import ForkChoice, ForkError, MailResult, ReceivedMail, SentMail
from brt_cg.text import capitalize, count_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, confirm
from brt_cg.tui.dialogs.path import parse_typed_path
from brt_cg.tui.dialogs.text_boxes import LetterScreen, WordsScreen
from brt_cg.tui.forms.delivery import (
    default_path,
    deliver_document,
    file_from_player,
    folder_of_campaign,
    is_irreplaceable_file,
    report_delivery,
)
from brt_cg.tui.keys.actions import EVERYWHERE, HOME
from brt_cg.tui.memory.recent import recent_files
from brt_cg.tui.question.form import EntryForm, FormField, FormPage, Typed, Validation
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import CampaignSnapshot, read_campaign
from brt_cg.views.view import ReadMark

NEW, WHOLE, TAKE, UMPIRES = "new", "whole", "take", "umpires"
WAYS = (
    Reply(NEW, "s", "send the news since your opponent's last mail"),
    Reply(WHOLE, "a", "send the whole campaign"),
    Reply(TAKE, "r", "receive a mail from your opponent"),
    Reply(UMPIRES, "u", "receive a mail from the umpire, who may enter anything"),
)
ABOUT = (
    "The file contains both sides' information, compressed. The text for the mail says only what "
    "your opponent may know. Enter early answers before you send ({ahead}), so that your opponent "
    "can continue past your questions."
)
NOT_HIS = "A mail file contains both sides' secrets, so only the host sends and receives it."
HINT = f"Your opponent's mail file (it ends in {MAIL_ENDING})."
MOST = 200  # lines of new entries


async def send_or_receive_mail(app: CampaignApp) -> None:
    """Ask whether to send or to receive; at Home there is only a mail to receive. Must run in a
    worker."""
    seen = app.session.seen
    if app.served and (seen is None or seen.seat is not None):
        app.show_notice(NOT_HIS)
        return
    if seen is None or app.current_mode == HOME:
        way = TAKE
    else:
        about = ABOUT.format(ahead=app.key_text(f"{EVERYWHERE}.ahead"))
        chosen = await app.push_screen_wait(ChoiceScreen("Mail", about, WAYS))
        if chosen is None:
            return
        way = chosen.value
    try:
        if way in (TAKE, UMPIRES):
            beside = folder_of_campaign(seen.path) if seen else player_files_folder()
            came = await asyncio.to_thread(_newest, beside)
            async with file_from_player(app, "Receive", HINT, (MAIL_ENDING,), beside, came) as path:
                if isinstance(path, Path):
                    await _take_up(app, path, from_umpire=way == UMPIRES)
        elif seen is not None:
            await _send(app, seen, way == WHOLE)
    except Exception as error:
        app.report_error(error)


def _newest(folder: Path) -> Path | None:
    """Return the newest mail in a folder, ignoring mails that were written here."""
    found = sorted(folder.glob(f"*{MAIL_ENDING}"), key=lambda path: -path.stat().st_mtime)
    return next(filter(is_irreplaceable_file, found), None)


# --- sending --------------------------------------------------------------------------------------


async def _send(app: CampaignApp, seen: CampaignSnapshot, whole: bool) -> None:
    """Give the player a mail, and its cover letter."""
    if app.served:
        sent: SentMail | None = await _download(app, seen, whole)
    else:
        sent = await app.show_form(SendForm(app, seen, whole))
    if sent is not None:
        left = await app.session.look_up(lambda desk: still_unanswered_text(desk, seen.seat))
        if left:
            app.show_warning(capitalize(left), "")
        await app.push_screen(LetterScreen("The text for the mail", sent.letter))


async def _download(app: CampaignApp, seen: CampaignSnapshot, whole: bool) -> SentMail:
    """Send a mail to the visitor's browser."""
    path, seat = default_path(seen.path, seen.seat, ending=MAIL_ENDING), seat_of_side(seen.seat)
    data, sent = await app.session.look_up(
        lambda desk: mail.pack_mail_for_opponent(desk, path.name, seat, whole)
    )
    report_delivery(app, await deliver_document(app, data, path, None))
    mail_state.note_sent(seen.begun, seen.seat, sent.up_to)
    return sent


class SendForm(EntryForm[SentMail]):
    """The form that asks for the file to mail, and writes it."""

    def __init__(self, app: CampaignApp, seen: CampaignSnapshot, whole: bool) -> None:
        self.app, self.seen, self.whole = app, seen, whole

    @property
    def draft_name(self) -> str:
        return f"send {self.whole}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        about = "attach it to an e-mail; the text for it comes next"
        usual = default_path(self.seen.path, self.seen.seat, ending=MAIL_ENDING)
        field = FormField("path", "File", str(usual), about=about, required=True)
        what = "The whole campaign" if self.whole else "The news"
        return (FormPage(f"{what}, to mail", (field,), "write it"),)

    @staticmethod
    def _path(typed: Typed) -> Path:
        path = parse_typed_path(typed["path"]).absolute()
        return path if path.suffix else path.with_suffix(MAIL_ENDING)

    async def validate(self, typed: Typed, page: int) -> Validation:
        path = self._path(typed)
        if path.suffix.lower() == CAMPAIGN_ENDING:
            return Validation(
                problems={"path": "this is the name of a campaign file: choose another"}
            )
        exists = "\nA file with that name exists; you will be asked first."
        return Validation(Content(f"{path}{exists if is_irreplaceable_file(path) else ''}"))

    async def submit(self, typed: Typed) -> SentMail:
        path = self._path(typed)
        taken = is_irreplaceable_file(path)
        if taken and not await confirm(self.app, "Overwrite it?", str(path), "overwrite it"):
            raise RefusedError("nothing was written; choose another name")
        seat = seat_of_side(self.seen.seat)
        sent: SentMail = await self.app.session.perform(
            lambda desk: mail.write_mail_file(desk, path, seat, self.whole, force=True)
        )
        entries = count_text(sent.entries, "entry") if self.seen.seat is None else "the news"
        self.app.notify(f"{path}\nwith {entries}", title="Written", timeout=10, markup=False)
        return sent


# --- receiving ------------------------------------------------------------------------------------


async def receive_mail(app: CampaignApp, path: Path) -> None:
    """Receive a mail into its campaign, which is opened first if necessary, or created if the mail
    contains all of it. Must run in a worker."""
    try:
        await _take_up(app, path)
    except Exception as error:
        app.report_error(error)


async def _take_up(app: CampaignApp, path: Path, from_umpire: bool = False) -> None:
    seen, recent = app.session.seen, recent_files(app.memory.recent)
    if app.served:  # a served screen keeps its campaign
        await _take(app, path, from_umpire)
        return
    found, home = await asyncio.to_thread(mail_file.read_mail_and_find_campaign, path, recent)
    is_open = seen is not None and seen.begun == found.campaign
    if not is_open and home is None:
        if found.after[0] or not found.entries:
            raise RefusedError(f"{path}: this machine does not know its campaign; open that first")
        await _begin(app, path)
        return
    if not is_open:
        assert home is not None, "it was found"
        await app.open_and_ask_seat(lambda: read_campaign(home, app.backs_up))
    if app.session.seen is not None:
        await _take(app, path, from_umpire)


async def _begin(app: CampaignApp, path: Path) -> None:
    """Make a new campaign file from a mail, and open it."""
    form = MailedCampaignForm(path)
    place = await app.show_form(form)
    if place is not None:
        app.open_campaign(place)
        for notice in form.notices:
            app.show_warning(notice, "")


class MailedCampaignForm(EntryForm[Path]):
    """The form that asks where to save a mailed campaign, and creates the file."""

    at_home = True

    def __init__(self, mail: Path) -> None:
        self.mail = mail
        self.notices: Sequence[str] = ()

    @property
    def draft_name(self) -> str:
        return f"begin {self.mail}"

    def pages(self, typed: Typed) -> tuple[FormPage, ...]:
        usual = str(mail_file.unused_campaign_path(self.mail))
        field = FormField("path", "File", usual, about="a new file", required=True)
        words = f"{self.mail.name} holds a campaign that is not here yet."
        return (FormPage("A mailed campaign", (field,), "make it", words),)

    async def validate(self, typed: Typed, page: int) -> Validation:
        taken = parse_typed_path(typed["path"]).exists()
        return Validation(problems={"path": "that file already exists"} if taken else {})

    async def submit(self, typed: Typed) -> Path:
        path = parse_typed_path(typed["path"]).absolute()
        if path.exists():
            raise RefusedError("that file already exists")
        got = await asyncio.to_thread(mail.receive_mail, path, self.mail, None)
        self.notices = got.notices
        return path


async def _take(app: CampaignApp, path: Path, from_umpire: bool) -> None:
    """Receive a mail into the open campaign; at a fork the player chooses which version continues.
    Show the new entries, as the seat may see them."""
    session, seen = app.session, app.session.current_snapshot
    chosen: ForkChoice | None = None
    while True:
        try:
            receiving = partial(_received, path=path, take=chosen, from_umpire=from_umpire)
            got = await session.perform(receiving)
            break
        except ForkError as fork:
            chosen = await _choose(app, path, fork)
            if chosen is None:
                return
    since = seen.mark if got.done in (MailResult.APPENDED, MailResult.NOTHING) else None
    came = await session.look_up(lambda desk: _came(desk, since))
    app.show_campaign_notices()
    await app.push_screen(WordsScreen(f"Mail: {path.name}", _received_content(got, came)))


def _received(
    desk: CampaignReader, path: Path, take: ForkChoice | None, from_umpire: bool
) -> ReceivedMail:
    """Receive a mail into an open campaign, and read the campaign again. Raises RefusedError."""
    desk.close()
    try:
        got = mail.receive_mail(
            desk.path, path, desk.seat, take, desk.backs_up, from_umpire, desk.before_storing
        )
    finally:
        desk.reload()
    parted = last_seen.find_divergence_or_remember(desk)
    desk.notices += [*got.notices, *([parted.text(str(desk.path), "")] if parted else [])]
    return got


def _came(desk: CampaignReader, since: ReadMark | None) -> list[str]:
    """Return the log lines after a mark."""
    return [] if since is None else [str(line) for line in desk.view().lines_since(since)][:MOST]


def _received_content(got: ReceivedMail, came: list[str]) -> Content:
    words = [Content.styled(_sentence(got.result_text), "bold")]
    if got.backup_text:
        words.append(Content(_sentence(got.backup_text)))
    return Content("\n").join([*words, *map(Content, came)])


def _sentence(words: str) -> str:
    return f"{capitalize(words)}."


async def _choose(app: CampaignApp, path: Path, fork: ForkError) -> ForkChoice | None:
    """Ask which of two campaigns continues."""
    answers = (
        Reply(None, "n", "decide later; change nothing"),
        Reply(
            ForkChoice.MINE, "m", "continue mine; the one your opponent mailed is kept as a backup"
        ),
        Reply(
            ForkChoice.THEIRS, "t", "continue your opponent's campaign; mine is kept as a backup"
        ),
    )
    words = "\n".join([*fork.lines, "You must both choose the same campaign."])
    for place in (path, app.session.current_snapshot.path):
        if isinstance(place, Path):  # a visitor sees no folder of this machine
            words = words.replace(str(place), place.name)
    chosen = await app.push_screen_wait(ChoiceScreen("You have both continued", words, answers))
    return chosen.value if chosen is not None else None
