"""The file of the open campaign on the screen: back to one of its backups, or taken as it is
although it does not continue what the seat saw."""

from brt_cg.audit import check_backup
from brt_cg.questions.answers import Refused
from brt_cg.service import last_seen
from brt_cg.service.desk import Desk
from brt_cg.service.recovery import restore, what_goes
from brt_cg.storage.backups import KEPT, NONE_YET, Backup, listed
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import file_of
from brt_cg.text import counted
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, is_sure
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat

WHICH = (
    "The newest ten copies, kept beside the campaign file. Going back to one makes a backup first."
)
KEYS = "1234567890"[:KEPT]


async def choose_backup(app: CampaignApp) -> None:
    """Asks which backup to go back to, and asks again before doing so."""
    session, seat = app.session, app.session.seat
    backups = await session.consult(lambda desk: listed(file_of(desk.path)))
    if not backups:
        app.say(f"There are {NONE_YET}.")
        return
    answers = [
        Reply(backup, key, _row_text(backup, seat))
        for backup, key in zip(backups, KEYS, strict=False)
    ]
    chosen = await app.push_screen_wait(ChoiceScreen("Backups", WHICH, answers))
    if chosen is not None:
        backup, yes = chosen.value, "go back; the campaign as it is now is backed up first"
        no = "leave the campaign as it is"
        try:
            going = await session.consult(lambda desk: _what_goes(desk, backup))
        except (Refused, StorageError) as refused:
            app.say(str(refused))
            return
        words = f"{_row_text(backup, seat)}\n\nIf you go back, {going}."
        sure = await is_sure(app, "Go back to this backup?", words, yes, no)
        if sure and session.seat is seat:
            app.perform(lambda desk: _go_back(desk, backup), app.say)


def _row_text(backup: Backup, seat: Seat) -> str:
    """A backup in one line. Only the umpire sees its number of entries, because some are secret."""
    made = f"{backup.made[5:]}  {backup.why.replace('-', ' '):<14}"
    if backup.problem is not None:
        return f"{made}  cannot be read"
    entries = f" · {counted(backup.entries, 'entry')}" if seat is None else ""
    return f"{made}  {backup.date} {backup.phase}{entries}"


def _what_goes(desk: Desk, backup: Backup) -> str:
    going = what_goes(file_of(desk.path), backup.path, desk.seat, check_backup)
    return going.text(desk.seat)


def _go_back(desk: Desk, backup: Backup) -> str:
    """Replaces the campaign by the backup, and returns a sentence about it."""
    desk.close()
    path, seat = file_of(desk.path), desk.seat
    kept = restore(path, backup.path, seat, desk.backs_up, check_backup, lambda _: None)
    desk.reload()
    before = f" The campaign as it was is now backup {kept.name}." if kept is not None else ""
    return f"The campaign is back at {backup.date}, {backup.phase}.{before}"


# --- taken as it is -------------------------------------------------------------------------------


WHAT = "What your seat saw of it before is then forgotten."
CONTINUES = "The file continues what your seat saw: there is nothing to accept."


async def accept(app: CampaignApp) -> None:
    """Takes the open file as it is, if it does not continue what the seat saw and the player is
    sure. Must run in a worker."""
    session, seat = app.session, app.session.seat
    if session.seen is None or session.seen.at_table:
        return
    parted = await session.consult(last_seen.look)
    if parted is None:
        app.say(CONTINUES)
        return
    words = f"{parted.text(str(session.path), WHAT)}"
    sure = await is_sure(app, "Accept the file as it is?", words, "accept it as it is")

    if sure and session.seat is seat:
        app.perform(last_seen.accept, lambda _: app.say("Accepted as it is."))
