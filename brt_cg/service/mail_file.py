"""The file in which entries of a campaign are mailed from one player to the other.

It is packed with gzip, so that nobody reads a secret by accident. Its first line names the versions
and is judged before anything else is read; each further line is an entry, as its campaign holds it.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from brt_cg import __version__
from brt_cg.commands.registry import COMMANDS
from brt_cg.files import CAMPAIGN_ENDING, MOST_BYTES, read_bytes, translate_errors
from brt_cg.immutable import immutable
from brt_cg.journal import rules_version
from brt_cg.journal.entries import (
    KINDS_OF_PARAGRAPH,
    NO_HASH,
    TIME_TRAVEL,
    Entry,
    canonical_json,
    chain_hash,
    log_lines_from_json,
    log_lines_to_json,
)
from brt_cg.journal.payload_checks import matches_form, payload_problems
from brt_cg.model import FORM, Seat, Side
from brt_cg.questions import RefusedError
from brt_cg.storage import reader
from brt_cg.storage.errors import StorageError
from brt_cg.text import short_json

FORMAT, VERSION = "brt-cg/mail", 1
NO_MAIL = (
    "not a brt-cg mail file, or damaged in transit; save the attachment again, or "
    "ask your opponent to send it again"
)
QUICKLY = 3  # the file is 10% larger, in a fifth of the time
KINDS = {*COMMANDS, *KINDS_OF_PARAGRAPH, *TIME_TRAVEL}
# The parts that must not be newer than this program: a mail with a newer part could not be read, or
# would be continued under older rules.
NEWEST = {
    "version": VERSION,
    "form": FORM,
    "tables": int(reader.HEAD),
    "rules": rules_version.VERSION,
}
HEADER: dict[str, Any] = {
    **{"campaign": str, "sum": str, "after": (int, str)},
    "from": {None, *Seat},
}


@immutable
class Mail:
    """The entries that follow the one with the number and hash `after`, in the campaign whose first
    entry has the hash `campaign`; `sender` is the seat that they come from, if that is known."""

    campaign: str
    sender: Seat | None
    after: tuple[int, str]
    entries: Sequence[Entry]

    @property
    def tip(self) -> tuple[int, str]:
        """The number and hash of the newest entry, or if the mail is empty, of the entry that it
        follows."""
        return (self.entries[-1].seq, self.entries[-1].hash) if self.entries else self.after


def pack_mail(mail: Mail) -> bytes:
    """Return a mail as the contents of a file; the same mail gives the same bytes."""
    rows = (
        _line([entry.hash, entry.text, log_lines_to_json(entry.said)]) for entry in mail.entries
    )
    rest = b"".join(rows)
    header = {
        "format": FORMAT,
        **NEWEST,
        "program": __version__,
        "campaign": mail.campaign,
        "from": None if mail.sender is None else mail.sender.value,
        "after": list(mail.after),
        "sum": sha256(rest).hexdigest(),
    }
    return gzip.compress(_line(header) + rest, QUICKLY, mtime=0)


def _line(found: Any) -> bytes:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_mail(path: Path) -> Mail:
    """Return a mail from its file, after checking every hash. Raises RefusedError, for a mail from
    a newer brt-cg before anything but its versions is read."""
    data = read_bytes(path)
    with translate_errors(path, "a brt-cg mail file"):
        first, _, rest = _unpacked(path, data).partition(b"\n")
        header = _header(path, first)
        if sha256(rest).hexdigest() != header["sum"]:
            raise RefusedError(f"{path} was damaged in transit; ask your opponent to send it again")
        number, digest = header["after"]
        if number < 0 or (number == 0 and digest != NO_HASH):
            raise RefusedError(
                f"{path} is not a brt-cg mail file (after: {short_json([number, digest])})"
            )
        entries = [*_entries(path, (number, digest), rest)]
        if number == 0 and entries and entries[0].hash != header["campaign"]:
            raise RefusedError(
                f"{path} is not a brt-cg mail file (it begins "
                f"with an entry of a different campaign)"
            )
        sender = Seat.from_name(header["from"])
        return Mail(header["campaign"], sender, (number, digest), entries)


def _unpacked(path: Path, data: bytes) -> bytes:
    unpacking = zlib.decompressobj(wbits=31)  # gzip
    try:
        found = unpacking.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise RefusedError(f"{path}: {NO_MAIL}") from None
    if len(found) > MOST_BYTES:
        raise RefusedError(f"{path} is larger than {MOST_BYTES // 1024**2} MB when it is unpacked")
    if not unpacking.eof:
        raise RefusedError(f"{path} is incomplete; ask your opponent to send it again")
    return found


def _header(path: Path, line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except ValueError:
        raise RefusedError(f"{path}: {NO_MAIL}") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise RefusedError(f"{path}: {NO_MAIL}")
    for name, known in NEWEST.items():
        found = header.get(name)
        if type(found) is not int:
            raise RefusedError(f"{path} is not a brt-cg mail file ({name}: {short_json(found)})")
        if found > known:
            raise RefusedError(
                f"{path}: made by a newer brt-cg ({header.get('program')}; this is {__version__}): "
                f"its {name} is {found}, but this version knows only up to {known}; install "
                f"that version first"
            )
    for name, form in HEADER.items():
        if not matches_form(header.get(name), form):
            raise RefusedError(
                f"{path} is not a brt-cg mail file ({name}: {short_json(header.get(name))})"
            )
    return header


def _entries(path: Path, after: tuple[int, str], rest: bytes) -> Iterator[Entry]:
    seq, before = after
    for line in rest.splitlines():
        seq += 1
        try:
            digest, text, said = json.loads(line)
            payload = json.loads(text)
            found = Entry(seq, text, digest, payload, log_lines_from_json(said))
            whole = chain_hash(before, seq, text) == digest and canonical_json(payload) == text
        except (ValueError, TypeError):
            whole = False
        if not whole:
            raise RefusedError(
                f"{path}: entry {seq} was damaged in transit; ask your opponent to send it again"
            )
        for problem in payload_problems(payload, seq):
            raise RefusedError(
                f"{path}: entry {seq}: {problem}; ask your opponent to send it again"
            )
        if found.kind not in KINDS:
            raise RefusedError(f"{path}: entry {seq} is of an unknown kind")
        yield found
        before = digest


# --- the sender of a mail -------------------------------------------------------------------------


def read_mail_and_find_campaign(path: Path, known: Iterable[Path]) -> tuple[Mail, Path | None]:
    """Return a mail, and the file of its campaign: the first one among the known files, else one
    next to the mail, else None. Raises RefusedError for a file that is not a mail."""
    mail = read_mail(path)
    beside = sorted(path.absolute().parent.glob(f"*{CAMPAIGN_ENDING}"))
    return mail, next((file for file in (*known, *beside) if _begins(file, mail.campaign)), None)


def _begins(file: Path, campaign: str) -> bool:
    """Whether a campaign file begins with the entry that has this hash."""
    with suppress(StorageError, OSError):
        return file.exists() and reader.read_range(file, 1, 1)[0].hash == campaign
    return False


def unused_campaign_path(path: Path) -> Path:
    """Return an unused file name, next to a mail, for the campaign that it contains."""
    stem = path.stem
    for side in Side:  # the name of the sender, not of the owner
        stem = stem.removesuffix(f"-{side.value}")
    plain = path.absolute().with_name(f"{stem or path.stem}{CAMPAIGN_ENDING}")
    numbered = (plain.with_stem(f"{plain.stem}-{number}") for number in range(2, 100))
    return next((file for file in (plain, *numbered) if not file.exists()), plain)
