"""Campaign files spoiled as by disks and careless programs: what `repair` calls whole is whole."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from brt_cg.service import recovery
from brt_cg.storage.errors import StorageError
from tests.audit import played
from tests.faults.table import Harm, Problem
from tests.reading import read_entries

PAGE = 4096
WAYS = ("byte", "8-bytes", "64-bytes", "400-bytes", "4-kib", "zeroed", "garbled", "cut")
LENGTHS = dict(zip(WAYS, (1, 8, 64, 400, 4096), strict=False))


def spoiled(content: bytes, way: str, chance: Random) -> bytes:
    """A file of which a stretch of bytes or a page is not as it was, or the end is gone."""
    if way == "cut":
        return content[: chance.randrange(len(content))]
    if way in ("zeroed", "garbled"):
        at, long = chance.randrange(len(content) // PAGE) * PAGE, PAGE
    else:
        long = LENGTHS[way]
        at = chance.randrange(len(content) - long + 1)
    put = bytes(long) if way == "zeroed" else chance.randbytes(long)
    return content[:at] + put + content[at + long :]


class Spoiled:
    """A campaign of some dates, spoiled: the seed "cut 12" is the thirteenth cut. It is not told
    what this machine saw of the campaign, which would help."""

    def __init__(self, folder: Path, quick: int, full: int) -> None:
        self.folder, self.quick, self.full = folder, quick, full
        self.whole = folder / "whole.brt"
        if not self.whole.exists():
            played.make(self.whole)
        self.entries = read_entries(self.whole)

    def seeds(self, full: bool) -> Iterable[str]:
        for number in range(self.full if full else self.quick):
            yield f"{WAYS[number % len(WAYS)]} {number // len(WAYS)}"

    def problems(self, seed: str) -> Iterator[Problem]:
        """What is wrong with a repair: it says that all is saved and it is not; it alters what it
        says it left as it was; or it saves less than the entries before the first that is bad."""
        path, target = self.folder / "spoiled.brt", self.folder / "saved.brt"
        path.write_bytes(spoiled(self.whole.read_bytes(), seed.partition(" ")[0], Random(seed)))
        target.unlink(missing_ok=True)
        try:
            found = recovery.save_damaged_campaign(path, target, None).found
        except StorageError:
            if target.exists():
                yield Problem(Harm.UNTRUE, "it is refused, and a file is left")
            return
        saved = [one.hash for one in read_entries(target)[: found.entries]]
        there = [one.hash for one in self.entries]
        if found.is_complete and saved != there:
            yield Problem(Harm.UNTRUE, f"whole with {len(saved)} of {len(there)} entries")
        if saved[: found.unchanged] != there[: found.unchanged]:
            yield Problem(Harm.UNTRUE, "what is said to be as it was is not")
        if saved == there and found.bad:
            yield Problem(Harm.UNTRUE, f"nothing is lost, and it says {found.bad}")
