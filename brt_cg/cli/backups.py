"""The commands for the file itself: listing its backups, restoring one, and repairing the file."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from brt_cg.audit import audit_backup
from brt_cg.cli.console import (
    DONE,
    FINDINGS,
    ask_choice,
    is_terminal,
    print_error,
    print_list,
    print_output,
    side_option,
)
from brt_cg.journal.heads import short_head
from brt_cg.model import Seat, Side, seat_of_side
from brt_cg.questions import RefusedError
from brt_cg.service import recovery
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.recovery import RestoreLoss
from brt_cg.storage import backups
from brt_cg.storage.backups import Backup
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import file_of_place
from brt_cg.storage.repair import RepairResult
from brt_cg.text import count_text, shell_quote

PLURAL = {"is": "are", "was": "were", "does": "do", "has": "have"}


def backups_(options: argparse.Namespace) -> int:
    listed = backups.list_backups(file_of_place(options.file))
    if not listed:
        OpenCampaign.open_read_only(
            file_of_place(options.file)
        ).close()  # the backups of a file that is gone are listed
    found = [_plain(backup, side_option(options)) for backup in listed]
    return print_list(found, options.json, _line, f"{options.file}: {backups.NONE_YET}")


def _line(backup: dict[str, Any]) -> str:
    entries = count_text(backup["entries"], "entry")
    holds = "{date} {phase} · {} · checksum {head}".format(entries, **backup)
    return "{number:>3} · {made} · {why} · ".format(**backup) + (backup["problem"] or holds)


def _plain(backup: Backup, side: Side | None) -> dict[str, Any]:
    """Return a backup as JSON, with the entries and the head that the side may know."""
    if side is not None and backup.problem is None:
        try:
            hashes = OpenCampaign.open_read_only(
                backup.path, Seat.from_name(side)
            ).entry_hashes_for_seat()
            backup = replace(backup, entries=len(hashes), head=hashes[-1] if hashes else "")
        except (StorageError, ValueError) as error:
            backup = replace(backup, problem=str(error))
    document = {name: value for name, value in asdict(backup).items() if name != "path"}
    return {"file": backup.path.name} | document


def restore(options: argparse.Namespace) -> int:
    path = file_of_place(options.file)
    backup = backups.find_backup(path, options.backup)
    seat = Seat.from_name(options.side)
    check = (lambda _: None) if options.force else audit_backup

    def sure(going: RestoreLoss) -> None:
        if going:
            print_error(f"{backup.name}: {going.text(seat)}")
            if seat is None and not going.saved.is_complete:
                print_error(" ".join(_losses(going.saved)))
            _agree(options.yes)

    before = recovery.restore_backup(path, backup, seat, not options.no_backup, check, sure)
    desk = OpenCampaign.open_read_only(path, seat)
    situation = desk.view().campaign.situation
    print_output(
        f"{options.file} now holds the backup {backup.name}: {situation.date}, "
        f"{situation.phase.when_text}, "
        f"{count_text(len(desk.entry_hashes_for_seat()), 'entry')}"
    )
    if before is not None:
        print_error(f"the campaign as it was before the restore has been saved as {before.name}")
    return DONE


def _agree(said: bool) -> None:
    """Raise RefusedError unless the player agrees now, or has agreed by an option."""
    if said:
        return
    if not is_terminal():
        raise RefusedError("nothing was changed; add --yes to go back anyway")
    if ask_choice("go back anyway?", ("yes", "no")) == "no":
        raise RefusedError("nothing was changed")


def repair(options: argparse.Namespace) -> int:
    path = file_of_place(options.file)
    backups.backup_folder(path)  # only a file can be repaired
    target: Path = options.out or path.with_name(f"{path.stem}.repaired{path.suffix}")
    saved = recovery.save_damaged_campaign(path, target, Seat.from_name(options.side))
    found = saved.found
    if (side := side_option(options)) is None:
        print_output(_repair_text(found, target, saved.head))
    else:
        print_output(_repair_for(side, found, target))
    if found.is_complete:
        return DONE
    better = [backup for backup in backups.list_backups(path) if backup.entries > found.entries]
    if better:
        newest = better[0]
        held = _plain(newest, side_option(options))["entries"]
        print_error(
            f"backup {newest.number} holds {count_text(held, 'entry')}: "
            f"brt-cg restore {shell_quote(options.file)} {newest.number}"
        )
    return FINDINGS


def _repair_for(side: Side, found: RepairResult, target: Path) -> str:
    """Describe the result of a repair to a side, without the numbers of lost entries, because these
    count the enemy's secrets too."""
    hashes = OpenCampaign.open_read_only(target, seat_of_side(side)).entry_hashes_for_seat()
    head, held = short_head(hashes[-1]), count_text(len(hashes), "entry")
    if found.is_complete:
        rest = "The whole journal is saved; the tables are rebuilt from it."
    else:
        certain = "is" if found.bad or found.lost else "may be"
        tells = "`repair` without --side, for the umpire, lists the losses"
        rest = f"Some of the journal {certain} lost: {tells}."
    return f"written: {target} with {held} of the {side.label} view, checksum {head}. {rest}"


def _repair_text(found: RepairResult, target: Path, head: str) -> str:
    """Describe the result of a repair in one paragraph: saved, rebuilt and lost entries."""
    text = [f"written: {target} with {count_text(found.entries, 'entry')}, checksum {head}."]
    if found.is_complete:
        text.append("The whole journal is saved; the tables are rebuilt from it.")
    if found.mended:
        text.append(f"Rebuilt by the rules, with the old checksum: {_entries(found.mended)}.")
    if found.reworded:
        text.append(f"Log text rewritten by the rules: {_entries(found.reworded)}.")
    return " ".join([*text, *_losses(found)])


def _losses(found: RepairResult) -> Iterator[str]:
    """List the lost entries of a journal, and those that may be lost, in sentences."""
    for why in dict.fromkeys(found.bad.values()):
        seqs = [seq for seq, found_so in found.bad.items() if found_so == why]
        verb, _, rest = why.partition(" ")
        yield f"Lost: {_entries(seqs)} {verb if len(seqs) == 1 else PLURAL[verb]} {rest}."
    if again := found.entries - found.unchanged:
        yield (
            f"Of the rest, {count_text(again, 'entry')} could be entered again with the same "
            "result; the checksums from there on differ."
        )
    if found.lost:
        first, kind = found.lost[0]
        numbers = _entries([seq for seq, _ in found.lost])
        yield (
            f"Also lost, although readable: {numbers}; entry {first} ({kind}) does not follow "
            "from what was saved."
        )
    if found.doubts:
        yield f"More may be lost: {'; '.join(found.doubts)}."


def _entries(seqs: Sequence[int]) -> str:
    """Return the numbers of entries in words, shortened if there are many: "entries 4, 7–9"."""
    runs: list[list[int]] = []
    for seq in seqs:
        if runs and runs[-1][-1] == seq - 1:
            runs[-1] = [runs[-1][0], seq]
        else:
            runs.append([seq])
    spans = ", ".join("–".join(map(str, run)) for run in runs)
    return f"{'entry' if len(seqs) == 1 else 'entries'} {spans}"
