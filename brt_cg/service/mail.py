"""Mailing a campaign back and forth: new entries go into a file, and continue the opponent's
campaign.

If both players have continued, notes, drafts and scenario-end reports are entered again after the
opponent's entries. Anything else is a fork: nothing is changed until the players have chosen.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brt_cg.files import check_file_name, translate_errors, write_export_files
from brt_cg.immutable import immutable
from brt_cg.journal.entries import NO_HASH, Entry
from brt_cg.journal.heads import (
    Heads,
    dropped_heads,
    entry_that_dropped,
    heads_recorded_as_dropped,
    short_head,
)
from brt_cg.journal.journal import Journal
from brt_cg.journal.rules_version import current_version_text
from brt_cg.model import Seat, Side
from brt_cg.questions import RefusedError
from brt_cg.refit.sequence import TITLES
from brt_cg.service import mail_state
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.mail_audit import AS_IT_IS, MailSenderRights, audit_mail, odd_time_warnings
from brt_cg.service.mail_file import Mail, pack_mail, read_mail
from brt_cg.service.mail_letter import cover_letter
from brt_cg.service.mail_reports import check_reports_agree, input_for_reentry, journal_up_to
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.recovery import TRIES, chain_hashes_by_seat, journal_chain_hashes_by_seat
from brt_cg.service.stored_journal import utc_now
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import backups, store
from brt_cg.storage.backups import BackupReason
from brt_cg.storage.errors import StaleCampaignError
from brt_cg.storage.place import Place
from brt_cg.storage.sqlite import file_change_token
from brt_cg.storage.store import CampaignStore
from brt_cg.text import escape_unprintable, shell_quote
from brt_cg.views.journal import updated_seat_reader
from brt_cg.views.public_point import visible_journal
from brt_cg.views.requests import open_requests
from brt_cg.views.sender import SenderCheck, entry_identity
from brt_cg.views.view import SharedView, create_view
from brt_cg.views.view_chain import view_head

MOST_SHOWN = 3  # lines of each side of a fork


# --- sending ------------------------------------------------------------------------------------


@immutable
class SentMail:
    """A mail that was written: the number of its entries, its cover letter, and the number of the
    last entry that the opponent has after reading it."""

    entries: int
    letter: str
    up_to: int


def write_mail_file(
    desk: CampaignReader, path: Path, seat: Seat | None, begins: bool = False, force: bool = False
) -> SentMail:
    """Write a mail for the opponent: the entries that the opponent is not known to have or, if it
    `begins` the opponent's campaign, all entries. Raises RefusedError; OSError, with the file."""
    check_file_name(path)
    data, sent = pack_mail_for_opponent(desk, path.name, seat, begins)
    write_export_files({path: data}, force, private=True)  # as it is packed, it can be read
    mail_state.note_sent(desk.campaign_id, seat.side if seat is not None else None, sent.up_to)
    return sent


def pack_mail_for_opponent(
    desk: CampaignReader, name: str, seat: Seat | None, begins: bool = False
) -> tuple[bytes, SentMail]:
    """Return the mail that `write_mail_file` would write to a file with that name, without writing
    it."""
    after = (0, NO_HASH) if begins else _known_to_both(desk)
    new = unrestricted_campaign(desk).entries[after[0] :]
    receiver = seat.side.enemy if seat is not None and seat.side is not None else None
    before = SharedView(journal_up_to(unrestricted_campaign(desk), after[0])) if after[0] else None
    letter = cover_letter(SharedView(unrestricted_campaign(desk)), receiver, name, before)
    up_to = len(unrestricted_campaign(desk).entries)
    return pack_mail(Mail(desk.campaign_id, seat, after, new)), SentMail(len(new), letter, up_to)


def _known_to_both(desk: CampaignReader) -> tuple[int, str]:
    """Return the newest entry that the opponent is known to have; (0, NO_HASH) if there is none."""
    found = mail_state.newest_entry_opponent_has(desk.campaign_id)
    if found is None or not 0 < found[0] <= len(unrestricted_campaign(desk).entries):
        return (0, NO_HASH)
    return (
        found
        if unrestricted_campaign(desk).entries[found[0] - 1].hash == found[1]
        else (0, NO_HASH)
    )


# --- receiving ----------------------------------------------------------------------------------


class ForkChoice(Enum):
    """The choice between two forks."""

    MINE = "mine"
    THEIRS = "theirs"


class MailResult(Enum):
    """The possible results of receiving a mail."""

    BEGUN = auto()  # the mail became a new campaign file
    NOTHING = auto()  # everything was there already
    APPENDED = auto()
    JOINED = auto()  # notes, drafts or reports were re-entered after the others
    WAITS = auto()  # the opponent's report came after the Refit Phase began
    KEPT_MINE = auto()
    TOOK_THEIRS = auto()


WORDS = {
    MailResult.BEGUN: "a new campaign was created from the mail",
    MailResult.NOTHING: "nothing to do; you already have everything in it",
    MailResult.APPENDED: "it continues your campaign and was added to it",
    MailResult.JOINED: "your entries and your opponent's are merged",
    MailResult.WAITS: "nothing was changed; wait for one more mail",
    MailResult.KEPT_MINE: "you keep your campaign; the one in the mail is not used",
    MailResult.TOOK_THEIRS: "you use the campaign in the mail instead of yours",
}
YOUR_LATE_REPORT = (
    "your end-of-scenario report ({}) crossed your opponent's mail; the Refit Phase "
    "had begun, so it was not entered; correct your counters (edit), or ask your "
    "opponent to undo the phase"
)
THEIR_LATE_REPORT = (
    "your opponent's end-of-scenario report ({}) crossed your mail; the Refit Phase "
    "had begun, so it was not entered; your opponent's next mail will continue your "
    "campaign"
)
NOTHING_NEW = "the mail contains nothing new that your side may see"


@immutable
class ReceivedMail:
    """The result of receiving a mail, the backup of abandoned entries, if any, and the messages for
    the player; `has_news` is false, with the same words, if the mail was empty or contains only
    secrets of the opponent."""

    done: MailResult
    kept: Place | None = None
    notices: Sequence[str] = ()
    has_news: bool = True

    @property
    def result_text(self) -> str:
        """The result, in words."""
        return WORDS[self.done] if self._is_reported else NOTHING_NEW

    @property
    def _is_reported(self) -> bool:
        """Whether the receiver may know of the result; the result of the receiver's own choice is
        always known."""
        told = (MailResult.KEPT_MINE, MailResult.TOOK_THEIRS, MailResult.WAITS)
        return self.has_news or self.done in told

    @property
    def backup_text(self) -> str:
        """The place of the backup of abandoned entries, in words; "" if there are none."""
        if self.kept is None or not self._is_reported:
            return ""
        what = "your earlier campaign" if self.done is MailResult.JOINED else "the dropped campaign"
        where = self.kept.name if isinstance(self.kept, Path) else self.kept
        return f"{what} is kept as {where}"


class ForkError(RefusedError):
    """Raised when both players have made entries that cannot exist side by side. `lines` describe
    them, as the receiver may know them."""

    def __init__(self, lines: Sequence[str], how: str) -> None:
        super().__init__("\n".join([*lines, how]))
        self.lines = lines


def receive_mail(
    place: Place,
    path: Path,
    seat: Seat | None,
    take: ForkChoice | None = None,
    backs_up: bool = True,
    from_umpire: bool = False,
    before: Callable[[], None] = lambda: None,
) -> ReceivedMail:
    """Receive a mail into a campaign; call `before` it stores anything. It is judged by the rights
    of the opponent of the receiver's `seat`, or of the side that it names if the receiver has none;
    a mail `from_umpire` may enter anything. Raises RefusedError, ForkError or StorageError, with
    nothing changed."""
    mail = read_mail(path)
    if isinstance(place, Path) and not place.exists():
        return _begun(place, path, mail, seat)
    judged_by = MailSenderRights.for_mail(mail.sender, seat, from_umpire)
    receive_once = partial(_received, place, path, mail, seat, judged_by, take, backs_up, before)
    for _ in range(TRIES - 1):
        with suppress(StaleCampaignError):
            return receive_once()
    return receive_once()


def _received(
    place: Place,
    path: Path,
    mail: Mail,
    seat: Seat | None,
    judged_by: MailSenderRights,
    take: ForkChoice | None,
    backs_up: bool,
    before: Callable[[], None],
) -> ReceivedMail:
    desk = OpenCampaign.open(place, backs_up=backs_up)
    try:
        desk.set_seat(seat)
        with translate_errors(path, "a mail file from this campaign"):
            meeting = _meet(desk, path, mail, judged_by, take)
        before()
        known = _known_to_seat(desk)
        done = _taken(desk, meeting, mail, path, take)
        unjudged = judged_by.unchecked_texts(meeting.took_back)
        notices = [*unjudged, *meeting.notices, *desk.notices]
        has_news = desk.side is None or _has_news(place, seat, known)
        return replace(done, notices=notices, has_news=has_news)
    finally:
        desk.close()


def _known_to_seat(desk: CampaignReader) -> object:
    """Return everything that a side sees of a campaign, except the record that a mail was joined to
    it."""
    if desk.side is None:
        return None
    view = desk.view()
    rows = [
        (row.kind, row.rule, row.subject, row.lines)
        for row in view.rows_without_changes
        if row.kind != "take"
    ]
    open_now = (view.question_identity, view.turn, view.waiting, view.half, view.requests)
    return rows, open_now, view.campaign.tables


def _has_news(place: Place, seat: Seat | None, known: object) -> bool:
    """Whether a seat sees more of a campaign than was `known` to it."""
    after = OpenCampaign.open_read_only(place, seat)
    try:
        return _known_to_seat(after) != known
    finally:
        after.close()


def _taken(
    desk: OpenCampaign, meeting: "_Meeting", mail: Mail, path: Path, take: ForkChoice | None
) -> ReceivedMail:
    if not meeting.theirs:
        return _finished(desk, mail, mail.tip, MailResult.NOTHING)
    if not meeting.own:
        _append(meeting)
        return _finished(desk, mail, mail.tip, MailResult.APPENDED)
    return _settled(desk, meeting, mail, path, take)


def _begun(place: Path, path: Path, mail: Mail, seat: Seat | None) -> ReceivedMail:
    """Make a new campaign file from a mail that contains a whole campaign."""
    if mail.after[0] or not mail.entries:
        raise RefusedError(
            f"there is no campaign {place} yet; ask for a mail made with brt-cg send --all"
        )
    book = Journal(lambda: "")
    with translate_errors(path, "a mail of a campaign"):
        book.load(mail.entries)
        notices = _checked(path, book, 0, seat, utc_now())
    _write_file(place, book)
    sender = mail.sender.side if mail.sender is not None else None
    mail_state.note_entry_opponent_has(
        mail.campaign, mail.tip, sender.enemy if sender is not None else None
    )
    return ReceivedMail(MailResult.BEGUN, notices=[AS_IT_IS, *notices])


def _append(meeting: "_Meeting") -> None:
    filing = CampaignStore(meeting.desk.path, meeting.desk.backs_up)
    try:
        meeting.desk.notices += filing.write_with_notices(meeting.theirs, meeting.book.campaign)
    finally:
        filing.close()


@immutable
class _Meeting:
    """The receiver's campaign and the sender's. `common` is the number and hash of their last
    common entry; `own` and `theirs` are the later entries of each; `book` is the sender's journal.
    `took_back` says whether some entries were assumed to be the receiver's own; `notices` describe
    oddities."""

    desk: OpenCampaign
    common: tuple[int, str]
    own: Sequence[Entry]
    theirs: Sequence[Entry]
    book: Journal
    judged_by: MailSenderRights
    took_back: bool = False
    notices: Sequence[str] = ()


def _meet(
    desk: OpenCampaign, path: Path, mail: Mail, judged_by: MailSenderRights, take: ForkChoice | None
) -> _Meeting:
    entries = unrestricted_campaign(desk).entries
    _check_it_fits(desk, path, mail)
    agree = 0
    for seq, entry in enumerate(mail.entries, mail.after[0] + 1):
        if seq > len(entries) or entries[seq - 1].hash != entry.hash:
            break
        agree += 1
    at = mail.after[0] + agree
    own, theirs = entries[at:], mail.entries[agree:]
    common = (at, entries[at - 1].hash if at else NO_HASH)
    if not theirs:
        return _Meeting(desk, common, own, theirs, unrestricted_campaign(desk), judged_by)
    book = Journal(lambda: "")
    book.load(entries[:at])
    known = Counter(
        entry_identity(entry) for entry in own if mail_state.can_be_entered_again(entry)
    )
    check = SenderCheck(
        book,
        judged_by.sender,
        known,
        at,
        takes_back=take is ForkChoice.THEIRS,
        entered_again=lambda entry: input_for_reentry(book, entry, at),
    )
    for entry, following in zip_longest(theirs, theirs[1:]):
        if take is not ForkChoice.MINE:
            check.check_entry(entry, following)
        book.load([entry])
    if take is ForkChoice.MINE:
        _check_it_reads(book)
        return _Meeting(desk, common, own, theirs, book, judged_by)
    notices = _checked(path, book, at, desk.seat, unrestricted_campaign(desk).clock())
    return _Meeting(desk, common, own, theirs, book, judged_by, check.took_back, notices)


def _checked(path: Path, book: Journal, begun: int, seat: Seat | None, now: str) -> list[str]:
    """Raise RefusedError for a journal whose entries after the first `begun` do not follow the
    rules, or that nobody could continue. Return the notices about them for the reader."""
    side = None if seat is None else seat.side
    notices = audit_mail(path, book, begun, side)
    _check_it_reads(book)
    return [*notices, *odd_time_warnings(book, begun, side, now)]


def _check_it_reads(book: Journal) -> None:
    """Raise any error that continuing a journal, or showing it to a side, would raise."""
    if book.mismatch is not None and not _is_of_other_rules(book):
        raise ValueError("it cannot be continued: its paragraph in progress does not fit the rules")
    open_requests(book)
    for side in Side:
        view_head(book, side)
        _ = create_view(book, side).lines


def _is_of_other_rules(book: Journal) -> bool:
    """Whether the paragraph in progress was played under rules that this program does not know."""
    situation = book.campaign.situation
    played = book.entries_of_paragraph(situation.paragraph or "")
    rules = current_version_text(situation.cg)
    return any(book.entries[seq - 1].payload["rules"] != rules for seq in played)


def _check_it_fits(desk: OpenCampaign, path: Path, mail: Mail) -> None:
    """Raise RefusedError for a mail of another campaign, or a mail whose entries follow others that
    are not here."""
    if mail.campaign != desk.campaign_id:
        raise RefusedError(f"{path} is a mail of a different campaign")
    number, digest = mail.after
    if not number:
        return
    if (
        number > len(unrestricted_campaign(desk).entries)
        or unrestricted_campaign(desk).entries[number - 1].hash != digest
    ):
        raise RefusedError(
            f"{path} follows entries that your campaign does not have (checksum "
            f"{short_head(digest)}): an earlier mail is missing, or you went back to a "
            f"backup; ask for a mail made with brt-cg send --all"
        )


def _finished(
    desk: OpenCampaign,
    mail: Mail,
    both: tuple[int, str],
    done: MailResult,
    kept: Place | None = None,
    given: int | None = None,
) -> ReceivedMail:
    """Remember the entries that both have, and the number that was `given` to the opponent (as
    before, if None), except after the receiver's own mail, which does not show the opponent's
    entries."""
    if desk.side is None or mail.sender is not desk.seat:
        sent = _given(desk) if given is None else given
        mail_state.note_entry_opponent_has(desk.campaign_id, both, desk.side, sent)
    return ReceivedMail(done, kept)


def _given(desk: CampaignReader) -> int:
    """Return the number of entries with which the campaign was sent; an old mail that comes again
    does not change it."""
    return mail_state.count_given_entries(desk.campaign_id) or 0


# --- both have continued --------------------------------------------------------------------------


def _settled(
    desk: OpenCampaign, meeting: _Meeting, mail: Mail, path: Path, take: ForkChoice | None
) -> ReceivedMail:
    """Join the entries of both, or continue with the fork that was chosen. Raises ForkError."""
    same = mail_state.count_shared_forking_entries(meeting.own, meeting.theirs)
    left = [sum(map(mail_state.causes_fork, each)) - same for each in (meeting.own, meeting.theirs)]
    if not all(left):
        if take is None:
            return _joined(desk, meeting, mail, stays=_stays(meeting, mail, *left))
    elif take is None:
        raise _fork(meeting, desk.path, path)
    return (_take_theirs if take is ForkChoice.THEIRS else _keep_mine)(desk, meeting, mail)


def _stays(meeting: _Meeting, mail: Mail, own_left: int, theirs_left: int) -> bool:
    """Whether the receiver's own campaign continues rather than the sender's: it has everything
    that the sender's has, and more; or either both or neither lack something, and both players'
    programs choose it."""
    if own_left or theirs_left:
        return bool(own_left)
    begun = bool(_begun_in(meeting.own))
    is_reported = any(entry.kind == "import" for entry in (*meeting.own, *meeting.theirs))
    if is_reported and begun is not bool(_begun_in(meeting.theirs)):
        return not begun  # the report fits there; the paragraph is begun again
    has_more = _lacks(meeting.theirs, meeting.own)
    if has_more is not _lacks(meeting.own, meeting.theirs):
        return has_more
    sender = None if mail.sender is None else mail.sender.side
    side = meeting.desk.side or (None if sender is None else sender.enemy)
    if has_more and side is not None:
        return side is Side.JAPANESE
    if not has_more and not any(map(mail_state.causes_fork, meeting.own)):
        return False
    return meeting.own[-1].hash < meeting.theirs[-1].hash


def _lacks(there: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """Whether one journal (`there`) lacks any of the order-independent `entries` of another."""
    known = {entry_identity(entry) for entry in there}
    again = filter(mail_state.can_be_entered_again, entries)
    return any(entry_identity(entry) not in known for entry in again)


def _joined(desk: OpenCampaign, meeting: _Meeting, mail: Mail, stays: bool) -> ReceivedMail:
    """Re-enter the order-independent entries after the opponent's entries or, if the receiver's
    campaign `stays`, after its entries."""
    if stays:
        journal, done = unrestricted_campaign(desk), MailResult.NOTHING
        before = len(journal.entries)
        with journal.transaction():  # the record of the join cannot be entered later
            is_late = _enter_again(desk, meeting.theirs, meeting.own, meeting.common[0])
            if len(journal.entries) > before:
                done = MailResult.JOINED
                _enter_join(desk, journal_chain_hashes_by_seat(meeting.book))
        if is_late:
            done = done if done is MailResult.JOINED else MailResult.WAITS
            desk.notices.append(THEIR_LATE_REPORT.format(_reported_date(desk, meeting)))
        return _finished(desk, mail, meeting.common, done)

    unsent, given = max(0, len(unrestricted_campaign(desk).entries) - _given(desk)), 0

    def finish(made: OpenCampaign) -> None:
        nonlocal given
        if _enter_again(made, meeting.own, meeting.theirs, meeting.common[0]):
            desk.notices.append(YOUR_LATE_REPORT.format(_reported_date(desk, meeting)))
        given = len(unrestricted_campaign(made).entries) - unsent  # what was sent comes first
        _enter_join(made, chain_hashes_by_seat(desk))

    kept = _replaced(desk, meeting, finish)
    # If two mails cross, the opponent's program also enters the following entries again.
    return _finished(desk, mail, meeting.common, MailResult.JOINED, kept, given)


def _reported_date(desk: OpenCampaign, meeting: _Meeting) -> str | None:
    """Return the CG Date of the scenario whose end was reported when the two campaigns were last
    identical."""
    common = journal_up_to(unrestricted_campaign(desk), meeting.common[0])
    return common.campaign.situation.scenario_date_of_losses


def _take_theirs(desk: OpenCampaign, meeting: _Meeting, mail: Mail) -> ReceivedMail:
    def finish(made: OpenCampaign) -> None:
        _enter_take(made, ForkChoice.THEIRS.value, chain_hashes_by_seat(desk), meeting.own)

    kept = _replaced(desk, meeting, finish)
    return _finished(desk, mail, mail.tip, MailResult.TOOK_THEIRS, kept, given=0)


def _keep_mine(desk: OpenCampaign, meeting: _Meeting, mail: Mail) -> ReceivedMail:
    with TemporaryDirectory() as folder:
        made = _written(Path(folder), meeting.book)
        if isinstance(desk.path, Path):
            kept: Place = backups.add_file_to_backups(desk.path, made, BackupReason.NOT_TAKEN)
        else:
            kept = store.copy_source_beside_campaign(desk.path, made, BackupReason.NOT_TAKEN)
        theirs = OpenCampaign.open_read_only(made)
        _enter_take(desk, ForkChoice.MINE.value, chain_hashes_by_seat(theirs), meeting.theirs)
        theirs.close()
    return _finished(desk, mail, meeting.common, MailResult.KEPT_MINE, kept)


def _replaced(
    desk: OpenCampaign, meeting: _Meeting, finish: Callable[[OpenCampaign], None]
) -> Place | None:
    """Replace the campaign with the finished new one, completely or not at all. Return the backup
    of the old one, which on a server is a separate campaign."""
    known = file_change_token(desk.path) if isinstance(desk.path, Path) else None
    if desk.has_new_entries():  # entries made meanwhile would be lost without notice
        raise StaleCampaignError
    with TemporaryDirectory() as folder:
        made = OpenCampaign.open(_written(Path(folder), meeting.book), backs_up=False)
        made.set_seat(desk.seat)
        try:
            finish(made)
        finally:
            made.close()
        assert isinstance(made.path, Path), "the campaign was made as a file"
        if isinstance(desk.path, Path):
            return backups.restore_backup(
                desk.path, made.path, desk.backs_up, why=BackupReason.BEFORE_MAIL, known=known
            )
        return store.replace_campaign_keeping_copy(
            desk.path, unrestricted_campaign(desk).head, made.path, BackupReason.BEFORE_MAIL
        )


def _written(folder: Path, book: Journal) -> Path:
    """Return a journal as a file in a folder."""
    path = folder / "mailed.brt"
    _write_file(path, book)
    return path


def _write_file(path: Path, book: Journal) -> None:
    kept = store.prepare_new_store(path)
    try:
        kept.write_with_notices([*book.entries], book.campaign)
    finally:
        kept.close()


def _enter_again(
    desk: OpenCampaign, entries: Sequence[Entry], there: Sequence[Entry], common: int
) -> bool:
    """Enter the order-independent entries after the opponent's, with their original time and seat,
    unless they are there already. Leave out a report that is too late for the Refit Phase, and
    return whether there was one. Raises ForkError, with nothing entered, if any other entry is
    refused now."""
    journal, seat, clock = unrestricted_campaign(desk), desk.seat, unrestricted_campaign(desk).clock
    known = {entry_identity(entry) for entry in there}
    again = [
        entry
        for entry in entries
        if mail_state.can_be_entered_again(entry) and entry_identity(entry) not in known
    ]
    has_begun = any(entry.seq in journal.standing for entry in _begun_in(journal.entries[common:]))
    late = [entry for entry in again if entry.kind == "import" and has_begun]
    try:
        with journal.transaction():
            for entry in again:
                if entry not in late:
                    journal.seat, journal.clock = entry.seat, partial(str, entry.payload["at"])
                    asked = input_for_reentry(journal, entry, common)
                    check_reports_agree(journal, entry.kind, asked)
                    journal.begin_invocation()
                    journal.run_command(entry.kind, asked, str(entry.payload["by"]))
    except RefusedError as why:
        lines = [f"your entries and your opponent's cannot be joined: {why}; nothing was changed"]
        raise ForkError(lines, "choose with --take mine or --take theirs") from None
    finally:
        journal.seat, journal.clock = seat, clock
    return bool(late)


def _begun_in(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that begin a paragraph, or skip one."""
    return [entry for entry in entries if entry.kind in ("begin", "skip")]


def _enter_join(desk: OpenCampaign, before: Heads) -> None:
    """Enter a record of a join, identical for both players: it has no seat, and the time of the
    newest entry."""
    journal = unrestricted_campaign(desk)
    seat, clock = journal.seat, journal.clock
    try:
        journal.seat, journal.clock = None, partial(str, journal.entries[-1].payload["at"])
        _enter_take(desk, "joined", before, ())
    finally:
        journal.seat, journal.clock = seat, clock


def _enter_take(desk: OpenCampaign, took: str, before: Heads, left: Sequence[Entry]) -> None:
    """Enter a record of the dropped entries (the heads of each seat, and the dice), unless there is
    one already."""
    recorded = heads_recorded_as_dropped(unrestricted_campaign(desk).entries)
    lost = {
        seat: [head for head in heads if head not in recorded.get(seat, ())]
        for seat, heads in dropped_heads(before, chain_hashes_by_seat(desk)).items()
    }
    if any(lost.values()):
        dice = [_die(entry) for entry in left if "roll" in entry.payload]
        desk.run_command("take", {"took": took, "dropped": lost, "dice": dice})


def _die(entry: Entry) -> dict[str, Any]:
    ask, roll = entry.payload["ask"], entry.payload["roll"]
    return {
        "rule": ask["rule"],
        "subject": ask["subject"],
        "dice": roll["dice"],
        "secret": entry.payload.get("secret"),
    }


# --- a fork in words ----------------------------------------------------------------------------


def _fork(meeting: _Meeting, place: Place, path: Path) -> ForkError:
    """Return the conflicting entries of both, as the receiver's seat may see them."""
    seat, journal = meeting.desk.seat, unrestricted_campaign(meeting.desk)
    side = None if seat is None else seat.side
    common = visible_journal(journal_up_to(journal, meeting.common[0]), side).campaign.situation
    step = common.paragraph or common.done
    where = ", ".join(filter(None, (common.date, step and f"{step} {TITLES[step]}")))
    lines = [f"both {place} and {path} continued from {where}; nothing was changed"]
    both = (meeting.own, meeting.theirs)
    same = mail_state.count_shared_forking_entries(*both)
    for name, book, added in zip(
        ("in yours", "in the mail"), (journal, meeting.book), both, strict=True
    ):
        differ = [entry for entry in added if mail_state.causes_fork(entry)][same:]
        found = _shown(book, side, {entry.seq for entry in differ})
        lines += [f"{name}: {line}" for line in found or ["nothing you are allowed to see yet"]]
    if entry_that_dropped(meeting.theirs, Seat.UMPIRE, journal.head or ""):
        lines += [
            "your opponent has already dropped your version of the campaign; accept your "
            "opponent's version (--take theirs)"
        ]
    option = f" --side {seat}" if seat else ""
    if meeting.judged_by.as_umpire:
        option += " --from-umpire"
    command = f"brt-cg receive {shell_quote(place)} {shell_quote(path)}{option}"
    choose = f"{command} --take mine, or --take theirs"
    return ForkError(
        lines, f"agree on one of the two: {choose}; the other campaign is kept as a backup"
    )


def _shown(book: Journal, side: Side | None, forking: Set[int]) -> list[str]:
    """Return the first lines of the differences, as a side may see them."""
    lines = updated_seat_reader(visible_journal(book, side), side).lines_where(
        lambda entry, _: entry in forking
    )
    return [escape_unprintable(str(line)) for line in lines[:MOST_SHOWN]]
