"""The demo campaign as ten commits spread over the history played it, each with its own
`brt-cg demo --headless --seed 5`: opened, folded and audited clean.

Code that reads what older programs wrote stays as long as one of these, or of the kept files,
needs it. They are of ten versions of the rules (1 to 25), of revisions 0001 to 0004 and of both
forms of entries, each with the data that its version had in the end: the audit takes data that a
version had only for a while for a player's own.
"""

import tarfile
from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign

ARCHIVE = Path(__file__).parent / "files" / "commits.tar.xz"
HEADS = {  # of the journal, by commit
    "6137602e": "1437c067c9474050117488cfd6cc6ac1ea606d98c3a75d239b2adf7c4e9a9f8a",
    "2e7aebfe": "28c16cfbac2f7af69abcf7ed7664b6b115a37bee3a599633b77ef30e6c7eea1e",
    "f9a743ad": "8f8be37ef25e48247990eb042f4a098c73d91dffb4c0bf5fd4cea5cd91b04a1f",
    "20e5a282": "9e1c51181fde22f23c62e10b5aa73c99b36a28556290a228702b7f1aabab1ab6",
    "54805dec": "f84026041b1a704600fb6ddc0b9cc66446cf392e93e5d3d62c97aad3871744da",
    "2b7bfc76": "ffe019f8501bd38941cd0c397e1d554704c19aef48d0e5573cd8c215a6f242e2",
    "ecf4e71d": "e4bd61cefea10e3792c5057947c9c09e048bd7b29aa752e8018f1a6fbb83bcc4",
    "c5e071f7": "fb35f3a4a65fb0bb5b9ea5b898c012fecba7d42d4ebcde1dfda727f1644ef536",
    "f1e8005c": "c4a0af0d5cce7ab156479ed0c943277274b7a1409609df9844054c506479ac6d",
    "0287a6e7": "0ec8db4b71e2f0e86d71e6e63e737c3d8dbb513ca171dbb70f8eebab077a5201",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the campaigns, each named after its commit."""
    folder = tmp_path_factory.mktemp("commits")
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            if (file := archive.extractfile(member)) is not None:
                (folder / Path(member.name).name).write_bytes(file.read())
    return folder


def test_every_campaign_of_a_commit_is_known(made: Path) -> None:
    assert {path.stem for path in made.iterdir()} == {*HEADS}


@pytest.mark.parametrize("commit", HEADS)
def test_a_campaign_of_an_old_commit_opens_with_its_final_state(made: Path, commit: str) -> None:
    desk = OpenCampaign.open_read_only(made / f"{commit}.brt")
    situation = unrestricted_campaign(desk).campaign.situation
    assert (unrestricted_campaign(desk).head, situation.cg, situation.date, situation.phase) == (
        HEADS[commit],
        "III",
        "21 AM",
        "scenario",
    )


@pytest.mark.parametrize("commit", HEADS)
def test_the_audit_finds_no_fault_in_a_campaign_of_an_old_commit(made: Path, commit: str) -> None:
    """Its rows, which that commit wrote, among them: they are what the journal folds to."""
    report = audit_campaign(made / f"{commit}.brt")
    assert report.findings == ()
