"""What is asked of a backup before it replaces a campaign."""

from pathlib import Path

from brt_cg.audit import audit
from brt_cg.storage.errors import StorageError
from brt_cg.text import counted


def check_backup(path: Path) -> None:
    """Raises StorageError if the audit finds anything in a backup. It does not say what, as that
    may be a secret."""
    findings = audit(path).findings
    if findings:
        count = counted(len(findings), "finding")
        raise StorageError(
            f"{path.name}: an audit of it ends with {count}; nothing was changed: `audit` of it "
            "tells which, `restore --force` takes it as it is"
        )
