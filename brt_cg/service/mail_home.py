"""Whose mail it is: the campaign that a mail belongs to, found by the campaign's own identity."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from brt_cg.files import CAMPAIGN_ENDING
from brt_cg.model.counters import Side
from brt_cg.service.mail_file import Mail, read_mail
from brt_cg.storage import reader
from brt_cg.storage.errors import StorageError


def home_of(path: Path, known: Iterable[Path]) -> tuple[Mail, Path | None]:
    """A mail, and the file of its campaign: of those known the first, else one beside the mail;
    None if there is neither. Raises Refused for a file that is not a mail."""
    mail = read_mail(path)
    beside = sorted(path.absolute().parent.glob(f"*{CAMPAIGN_ENDING}"))
    return mail, next((file for file in (*known, *beside) if _begins(file, mail.campaign)), None)


def _begins(file: Path, campaign: str) -> bool:
    """Whether a campaign file begins with the entry of this hash."""
    with suppress(StorageError, OSError):
        return file.exists() and reader.read_range(file, 1, 1)[0].hash == campaign
    return False


def new_home(path: Path) -> Path:
    """A name beside a mail for the campaign that it holds, which is not taken yet."""
    stem = path.stem
    for side in Side:  # whose mail it is, not whose campaign
        stem = stem.removesuffix(f"-{side.value}")
    plain = path.absolute().with_name(f"{stem or path.stem}{CAMPAIGN_ENDING}")
    numbered = (plain.with_stem(f"{plain.stem}-{number}") for number in range(2, 100))
    return next((file for file in (plain, *numbered) if not file.exists()), plain)
