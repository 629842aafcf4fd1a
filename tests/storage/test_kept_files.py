"""Campaigns that earlier programs played: read, folded and audited alike, and played on with."""

import ctypes
import gzip
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from brt_cg.cli import main
from brt_cg.model.counters import Side
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage.reader import HEAD, read_revision
from brt_cg.views.public_point import visible_journal
from brt_cg.views.view_chain import view_hashes
from tests.faults.children import in_child
from tests.homes import set_state_home
from tests.reading import differences
from tests.settings import crossed

CAPABILITIES = 0x20080522  # the version of Linux's own structure
WRITE_ANYWHERE = 1 << 1  # CAP_DAC_OVERRIDE
FILES = Path(__file__).parent / "files"
KEPT = sorted(path.name.removesuffix(".brt.gz") for path in FILES.glob("*.brt.gz"))
FORMS, GAMES = (sorted({*each}) for each in zip(*(name.split("-") for name in KEPT), strict=True))
SOME = ["-".join(each) for each in crossed(FORMS, GAMES)]
OLDER = [name for name in KEPT if not name.startswith(HEAD)]

# The length and the head of the journal, and of the Marine and of the Japanese player's chain, as
# they were when they were made. A player may have noted the head.
CHAINS = {
    "0001": (
        (5, "d9053cc6676a6809d037ffca3c229399ce5ce9cb4f89398210593d558aeb7825"),
        (7, "bbf8366d9225be1ce29d236d4129b788c5bb529cd12cf06f5668d8872eb08a25"),
        (7, "1de645dd225b52511bb11ee9e17cd700212a50ee98a6c2aaccb2aa9fcc77e98a"),
    ),
    "0001-cg3": (
        (160, "16895113a58abd46196b3544f89979ae2036de325c36e86c38f3ea0889040caf"),
        (44, "a6035f7dc14d26f0ebe5c77764d0cebf88e8c11ad77a59fe4f271819605bd911"),
        (38, "740520c93fa224b7de3d1d69309d4f0d8c9f034dd64b26c44dbbbf07ab5e6922"),
    ),
    "0001-demo": (
        (270, "3ac078d0fa2ddae4754456abb6d8ebbf161f4d2a3b673268b6cf07c0562f0ad8"),
        (148, "c7f8c74af206ba05beee5970344cd4f8327f346c9ae6d9e4d5725c2605d8f505"),
        (178, "9e920feeab35b86a44e5914dc406e8d4e5d2e1acd1c4238da5def33a0109d4dc"),
    ),
    "0002": (
        (5, "39ad68a181ced20c5f19adfd2c5382b9b73770021ac7f6995417cf0f086c60a7"),
        (7, "bbf8366d9225be1ce29d236d4129b788c5bb529cd12cf06f5668d8872eb08a25"),
        (7, "1de645dd225b52511bb11ee9e17cd700212a50ee98a6c2aaccb2aa9fcc77e98a"),
    ),
    "0002-cg3": (
        (163, "f745b9d9cfe2e2b3eb9ca56e281043257f47e8490e8cb9f5b8bf050509dbca39"),
        (47, "df5fe1087a84f83cd576b1ff9d1bc437924e9842ac2156392b09517cfa6e460c"),
        (38, "68c752c9ad76c2a5c72a5fb2a9f532c7448c8fa23636abd5f2bccecf34f8ee7d"),
    ),
    "0002-demo": (
        (280, "cb39dcb0ddccbd7823bce301a07cf77f24602cd94c1d418beede383bbcb3d63d"),
        (158, "8714dea650a445f437a7bd59f84bc61ef3e88843b69924bd0d3c05325e8565c7"),
        (178, "6e047e295eff79cc20da7ffdc856f5851af6f507d9f948086aceae4ee53adcb8"),
    ),
    "0003": (
        (5, "9198c0e0bc4283ae2ffb09627aac12006102848d64fc0e38263a5e78c984e7c0"),
        (7, "bbf8366d9225be1ce29d236d4129b788c5bb529cd12cf06f5668d8872eb08a25"),
        (7, "1de645dd225b52511bb11ee9e17cd700212a50ee98a6c2aaccb2aa9fcc77e98a"),
    ),
    "0004": (
        (5, "621728a3f93767fdd6cc07cb4ef05f6574b89a47387e3eed13f7b9483df06671"),
        (7, "84df7b2ece64859060b30f4489faf9d1d0db3b836bab5dd13a3f649e6eb49824"),
        (7, "3c447b6e084f9db49ea6c790d5ac57cafd5e12c1a8a4f1d42415feec6ded632c"),
    ),
    "0004-cg3": (
        (162, "b9b14ef7cfcd9789d4d25f81c4ae66a2362fba89efc30be8591be7e09b5a4889"),
        (46, "6ceae9e1058f5e79d6e710b0d3638aeb9f929cd5ea408f2352dd8ed2afaa6c67"),
        (38, "fce4867997f10c268d51034faa74f4183cec92e99291e78a0253452856d63aeb"),
    ),
    "0004-demo": (
        (280, "73e0e5bf9814dc3dd43084a9655b07e6a1ec616d711eab32c61ee47d26a669e6"),
        (161, "c0d9a0c2dde644aafaa4d294c729388e9955a365c993f4801807d6e5bcffc265"),
        (180, "425c325dda1c8175beac49542176c8e5b405473f572beadc148ef33ddf40f800"),
    ),
    "0005": (
        (5, "76c3f210983bb2691206574366d4df92c821350c07acda38063246dc78c448e0"),
        (7, "84df7b2ece64859060b30f4489faf9d1d0db3b836bab5dd13a3f649e6eb49824"),
        (7, "3d6d6568001212be54ff4401750f5032c57b93ba662fe87ee842e2f0e8a5ad25"),
    ),
    "0005-cg3": (
        (162, "9dd867d22e7eba8f2a59d213c04654817f6b3f5ac72c213e2034aeba9271686c"),
        (48, "151b721601ceeabb4459517e75eaeefbec1b5e12ee4e4c4d921eea8f0721b8e6"),
        (42, "a0512cef5b538b5c1d1c47900288e6fc7687e1e3aeec7c62ed5b790fca06186b"),
    ),
    "0005-demo": (
        (282, "c5f9bda2b3533aef90c22edaa5e74bcf68023a1d186cbe9f495ae770a34f5e56"),
        (163, "fdd69f3816427359f9db3bc815b9c655bcd06dd7793bb13e375fd769b9fa7f2c"),
        (180, "815a74d4259145b89dcbec66e50a8f34b24cc1f64c321b09f87034fc0b47211e"),
    ),
}


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def campaign(kept: str, tmp_path: Path) -> Path:
    """A copy of a kept campaign, to do as one likes with."""
    path = tmp_path / f"{kept}.brt"
    unpack(kept, path)
    return path


def unpack(kept: str, path: Path) -> None:
    plain = FILES / f"{kept}.brt"
    packed = FILES / f"{kept}.brt.gz"
    path.write_bytes(plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes()))


def brt(*words: object) -> int:
    return main([str(word) for word in words])


def state_of(campaign: Path) -> dict[str, Any]:
    out = campaign.with_suffix(".json")
    assert brt("export", campaign, "state", "-o", out) == 0
    state: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return state


def test_a_kept_campaign_has_its_recorded_state(campaign: Path, kept: str) -> None:
    state = json.loads(gzip.decompress((FILES / f"{kept}.json.gz").read_bytes()))
    if state["scenario"]["winner"] is None:  # an export told those of the last
        state["facts"]["pillbox_vp"] = 0
    assert differences(state, state_of(campaign)) == []


@pytest.mark.parametrize("name", CHAINS)
def test_each_seat_has_its_recorded_checksums(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.brt"
    unpack(name, path)
    desk = OpenCampaign.open_read_only(path)
    hashes = [[entry.hash for entry in unrestricted_campaign(desk).entries]]
    hashes += [
        view_hashes(visible_journal(unrestricted_campaign(desk), side), side) for side in Side
    ]
    assert tuple((len(each), each[-1]) for each in hashes) == CHAINS[name]


def test_the_checksums_of_every_kept_file_are_known() -> None:
    assert {path.name.partition(".")[0] for path in FILES.glob("*.brt*")} == {*CHAINS}


@pytest.mark.usefixtures("made_again_once")
def test_the_audit_of_a_kept_campaign_finds_no_fault_and_every_noted_checksum(
    campaign: Path, kept: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert brt("audit", campaign) == 0, capsys.readouterr()
    for side, (_, head) in zip(Side, CHAINS[kept][1:], strict=True):
        found = brt("audit", campaign, "--side", side, "--head", head)
        assert found == 0, (side, capsys.readouterr())


@pytest.mark.parametrize("kept", SOME)
def test_a_kept_campaign_can_be_continued(
    campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_a_phase(campaign)
    assert brt("undo", campaign) == 0
    assert brt("redo", campaign) == 0
    assert brt("audit", campaign) == 0, capsys.readouterr()


def play_a_phase(campaign: Path) -> None:
    """Plays on to the end of a Refit Phase: the one in progress, or the next."""
    if _phase(campaign) == "scenario":
        state = state_of(campaign)
        state["sides"]["marine"]["cvp"] += 3
        situation = campaign.with_name("next.json")
        situation.write_text(json.dumps(state))
        assert brt("import", campaign, situation, "--yes", "--missing", "keep") == 0
    assert _phase(campaign) == "refit"
    assert brt("refit", campaign, "--auto", "--seed", 9) == 0
    assert _phase(campaign) == "scenario"


def _phase(campaign: Path) -> str:
    return unrestricted_campaign(
        OpenCampaign.open_read_only(campaign)
    ).campaign.situation.phase.value


LOOKS = (["status"], ["audit"], ["explain", "san"], ["purchases"], ["export", "roster"])


def write_only_where_allowed() -> None:
    """Takes from root the right to write everywhere. As another user it could not read a checkout
    in its own home."""
    libc = ctypes.CDLL(None, use_errno=True)
    header, rights = (ctypes.c_uint32 * 2)(CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, rights)
    rights[0] &= ~WRITE_ANYWHERE
    assert libc.capset(header, rights) == 0, os.strerror(ctypes.get_errno())


def looks_at(campaign: Path) -> int:
    """Looks in every way, in a folder that takes no file and whose files cannot be written to."""
    campaign.chmod(0o444)
    campaign.parent.chmod(0o555)
    if os.geteuid() == 0:
        write_only_where_allowed()
    with pytest.raises(PermissionError):
        campaign.with_name("new").touch()
    codes = [main([words[0], str(campaign), *words[1:]]) for words in LOOKS]
    return max(codes)


@pytest.mark.posix
@pytest.mark.parametrize("kept", SOME)
def test_a_kept_campaign_in_a_read_only_folder_can_be_viewed(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place, "mailed")
        folder.mkdir()
        Path(place).chmod(0o755)
        path = folder / "old.brt"
        unpack(kept, path)
        before = path.read_bytes()
        set_state_home(monkeypatch, folder)
        assert in_child(lambda: looks_at(path)) == 0
        assert [each.name for each in folder.iterdir()] == ["old.brt"]
        assert path.read_bytes() == before
        folder.chmod(0o755)


@pytest.mark.parametrize("kept", OLDER)
def test_an_older_campaign_is_upgraded_after_a_backup_when_something_is_entered(
    campaign: Path,
) -> None:
    before = read_revision(campaign)
    assert brt("status", campaign) == 0
    assert read_revision(campaign) == before
    campaign.chmod(0o644)
    assert brt("note", campaign, "seen") == 0
    assert read_revision(campaign) == HEAD
    backups = campaign.with_name(f"{campaign.stem}.backups")
    assert ["before-upgrade" in each.name for each in backups.iterdir()] == [True]
