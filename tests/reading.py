"""What stands in a campaign, all at once; and what its journal alone gives."""

import os
from pathlib import Path
from typing import Any

from brt_cg.journal.changes import apply_changes
from brt_cg.journal.entries import Entry
from brt_cg.journal.journal import Journal
from brt_cg.model.campaign import Campaign
from brt_cg.storage import reader
from brt_cg.storage.cells import RawTable
from brt_cg.storage.place import Place


def read_entries(path: Place) -> list[Entry]:
    """The whole journal. Raises as `reader.stream_entries` does."""
    return list(reader.stream_entries(path))


def is_its_owners_only(path: Path) -> bool:
    """Whether nobody else may read a file, where files have modes."""
    return os.name == "nt" or path.stat().st_mode & 0o077 == 0


def folded(journal: Journal) -> Campaign:
    """The campaign that the journal alone gives."""
    campaign = Campaign()
    for entry in journal.entries:
        apply_changes(campaign, entry.changes)
    return campaign


def reopened(journal: Journal) -> Journal:
    """The same journal, as another program would open it."""
    again = Journal(journal.clock)
    again.load(journal.entries)
    return again


def raw_tables(path: Place) -> dict[str, RawTable]:
    """Every table but the journal and Alembic's own, by name."""
    return {name: reader.raw_table(path, name) for name in reader.table_names_besides_journal(path)}


def differences(kept: Any, found: Any, place: str = "state") -> list[str]:
    """Where what was kept is not found as it was; fields that were added since do not count."""
    if isinstance(kept, dict) and isinstance(found, dict):
        missing = [f"{place}.{key} is gone" for key in kept.keys() - found.keys()]
        both = sorted(kept.keys() & found.keys())
        below = [differences(kept[key], found[key], f"{place}.{key}") for key in both]
        return missing + [each for some in below for each in some]
    if isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        pairs = enumerate(zip(kept, found, strict=True))
        below = [differences(*pair, f"{place}[{number}]") for number, pair in pairs]
        return [each for some in below for each in some]
    return [] if kept == found else [f"{place}: {kept!r} was kept, {found!r} is found"]
