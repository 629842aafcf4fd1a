"""The file of the open campaign on the screen: restored from one of its backups, or accepted as it
is although it does not continue the campaign as the seat saw it."""

from functools import partial

from brt_cg.audit import audit_backup
from brt_cg.model import seat_of_side
from brt_cg.questions import RefusedError
from brt_cg.service import last_seen
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.recovery import RestoreLoss, find_restore_loss, restore_backup
from brt_cg.service.shown_actions import CHANGED, NotAsShownError
from brt_cg.storage.backups import KEPT, NONE_YET, Backup, list_backups
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import file_of_place
from brt_cg.text import count_text
from brt_cg.tui.dialogs.choice import ChoiceScreen, Reply, confirm
from brt_cg.tui.session.campaign_app import CampaignApp
from brt_cg.tui.session.session import Seat

WHICH = (
    "The ten latest copies, kept beside the campaign file. Before you go back to one, the current "
    "state is backed up."
)
KEYS = "1234567890"[:KEPT]


async def restore_chosen_backup(app: CampaignApp) -> None:
    """Ask which backup to go back to, and ask again before doing so."""
    session, seat = app.session, app.session.seat
    backups = await session.look_up(lambda desk: list_backups(file_of_place(desk.path)))
    if not backups:
        app.show_notice(f"There are {NONE_YET}.")
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
            going = await session.look_up(lambda desk: _restore_loss(desk, backup))
        except (RefusedError, StorageError) as refused:
            app.show_notice(str(refused))
            return
        words = f"{_row_text(backup, seat)}\n\nIf you go back, {going.text(seat_of_side(seat))}."
        sure = await confirm(app, "Go back to this backup?", words, yes, no)
        if sure and session.seat is seat:
            app.perform(partial(_go_back, backup=backup, shown=going), app.show_notice)


def _row_text(backup: Backup, seat: Seat) -> str:
    """Return a backup in one line. Only the umpire sees its number of entries, because some are
    secret."""
    made = f"{backup.made[5:]}  {backup.why.replace('-', ' '):<14}"
    if backup.problem is not None:
        return f"{made}  cannot be read"
    entries = f" · {count_text(backup.entries, 'entry')}" if seat is None else ""
    return f"{made}  {backup.date} {backup.phase}{entries}"


def _restore_loss(desk: CampaignReader, backup: Backup) -> RestoreLoss:
    return find_restore_loss(file_of_place(desk.path), backup.path, desk.seat, audit_backup)


def _go_back(desk: CampaignReader, backup: Backup, shown: RestoreLoss) -> str:
    """Replace the campaign with the backup, provided that this loses exactly the entries that were
    shown. Return a sentence about it. Raises NotAsShownError."""

    def check(now: RestoreLoss) -> None:
        desk.before_storing()
        if now != shown:
            raise NotAsShownError(CHANGED)

    desk.close()
    path, seat = file_of_place(desk.path), desk.seat
    try:
        kept = restore_backup(path, backup.path, seat, desk.backs_up, audit_backup, check)
    finally:
        desk.reload()
    before = f" The previous state is now backup {kept.name}." if kept is not None else ""
    return f"The campaign is back at {backup.date}, {backup.phase}.{before}"


# --- accepted as it is ----------------------------------------------------------------------------


WHAT = "This replaces what your seat saw of it before."
CONTINUES = "This file continues the one that your seat saw; there is nothing to accept."


async def accept_diverged_campaign(app: CampaignApp) -> None:
    """Accept the open file as it is, if it does not continue the campaign as the seat saw it and
    the player is sure. Must run in a worker."""
    session, seat = app.session, app.session.seat
    if session.seen is None or session.seen.shows_shared_table:
        return
    parted = await session.look_up(last_seen.find_divergence_or_remember)
    if parted is None:
        app.show_notice(CONTINUES)
        return
    words = f"{parted.text(str(session.path), WHAT)}"
    sure = await confirm(app, "Accept the file as it is?", words, "accept it as it is")

    if sure and session.seat is seat:
        app.perform(last_seen.accept_as_seen, lambda _: app.show_notice("Accepted as it is."))
