"""Two players in two homes: what one mails continues the other's campaign, or is told apart."""

import gzip
import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.cli.early_answers import add_to_shopping_list
from brt_cg.forecast.upcoming_questions import EarlyAnswerSheet, enter_early_answers
from brt_cg.imports.state_file import read_state_input
from brt_cg.journal.changes import Change, invert_changes
from brt_cg.journal.entries import canonical_json, chain_hash
from brt_cg.journal.heads import short_head
from brt_cg.model.counters import Side
from brt_cg.model.records import Phase
from brt_cg.model.seat import Seat
from brt_cg.questions.answers import RefusedError
from brt_cg.questions.dice import SeededDice
from brt_cg.service import demo, last_seen, mail, mail_audit, mail_state
from brt_cg.service.agreements import agree_and_carry_out_request
from brt_cg.service.answer_supply import AnswerSupply
from brt_cg.service.mail import TRIES, ForkChoice, ForkError, MailResult, ReceivedMail
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import backups
from brt_cg.storage.errors import StorageError
from brt_cg.views.requests import enter_request
from brt_cg.views.rights import NotYourTurnError
from tests.cli.shell import state, written
from tests.homes import set_state_home
from tests.secrets.pairs import POINTS
from tests.settings import count, crossed

ROLLED = {
    **{"table": "wounds", "dice": [3], "modifiers": [], "original": 3, "final": 3},
    **{"row": "recovers", "position": 0, "date": "20 AM"},
}
HIDDEN = "j-cr-9"  # a hidden crew, about which 15.602 asks the Japanese side


@dataclass
class Player:
    """A player at home: his file, and the folder where his program remembers."""

    seat: Seat
    home: Path
    patch: pytest.MonkeyPatch

    @property
    def file(self) -> Path:
        return self.home / "campaign.brt"

    def sits(self) -> OpenCampaign:
        set_state_home(self.patch, self.home / "state")
        desk = OpenCampaign.open(self.file)
        desk.set_seat(self.seat)
        return desk

    def does(self, work: Callable[[OpenCampaign], object]) -> None:
        desk = self.sits()
        work(desk)
        desk.close()

    def plays(self, seed: str) -> bool:
        """Rolls and decides what his seat may; whether the phase is over."""
        desk = self.sits()
        try:
            for _ in desk.play_with_supply(AnswerSupply(dice=SeededDice(seed), defaults=True)):
                pass
            return True
        except NotYourTurnError:
            return False
        finally:
            desk.close()

    def notes(self, words: str) -> None:
        self.does(lambda desk: desk.run_command("note", {"words": words, "side": None}))

    def sends(self, whole: bool = False) -> Path:
        return self.sends_from(self.seat, whole)

    def sends_from(self, seat: Seat | None, whole: bool = False) -> Path:
        path = self.home / "new.brtmail"
        desk = self.sits()
        self.letter = mail.write_mail_file(desk, path, seat, whole, force=True).letter
        desk.close()
        return path

    def receives(
        self, path: Path, take: ForkChoice | None = None, from_umpire: bool = False
    ) -> ReceivedMail:
        set_state_home(self.patch, self.home / "state")
        return mail.receive_mail(self.file, path, self.seat, take, from_umpire=from_umpire)

    @property
    def head(self) -> str:
        return unrestricted_campaign(OpenCampaign.open_read_only(self.file)).head or ""

    def words(self) -> list[str]:
        entries = unrestricted_campaign(OpenCampaign.open_read_only(self.file)).entries
        return [entry.asked["words"] for entry in entries if entry.kind == "note"]


@pytest.fixture(scope="session")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo at the question whether the hidden crew is shown."""
    path = demo.create_demo(tmp_path_factory.mktemp("mailed"))
    assert isinstance(path, Path)
    desk = OpenCampaign.open(path, backs_up=False)
    desk.set_seat(Seat.MARINE)
    with pytest.raises(NotYourTurnError):
        [*desk.play_with_supply(AnswerSupply(dice=SeededDice("mail"), defaults=True))]
    desk.close()
    return path


@pytest.fixture(scope="session")
def _homes(laid_out: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The homes of both players, who have the same campaign, which each knows the other has."""
    homes = tmp_path_factory.mktemp("homes")
    with pytest.MonkeyPatch.context() as patch:
        both = [Player(seat, homes / seat, patch) for seat in (Seat.MARINE, Seat.JAPANESE)]
        for player in both:
            player.home.mkdir()
            shutil.copy(laid_out, player.file)
        marine, japanese = both
        marine.receives(japanese.sends(whole=True))
        japanese.receives(marine.sends())
    return homes


@pytest.fixture
def players(_homes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Player, Player]:
    """The Marine and the Japanese player, at home."""
    shutil.copytree(_homes, tmp_path, dirs_exist_ok=True)
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    return marine, japanese


def answers(typed: str) -> Callable[[OpenCampaign], object]:
    return lambda desk: desk.answer_typed(typed)


def forged(path: Path, change: Callable[[dict[str, Any], list[Any]], None]) -> Path:
    """A mail whose header and entries (hash, text, said) were changed, its sum made to fit."""
    header, *rows = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    change(header, rows)
    rest = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    header["sum"] = sha256(rest).hexdigest()
    path.write_bytes(gzip.compress(json.dumps(header).encode() + b"\n" + rest))
    return path


# --- to and fro -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("read_on")
def test_a_refit_phase_needs_mails_for_the_opponents_decisions_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    marine.home.mkdir()
    japanese.home.mkdir()
    shutil.move(str(demo.create_demo(tmp_path)), marine.file)
    assert japanese.receives(marine.sends(whole=True)).done is MailResult.BEGUN
    at_work, other, mails = marine, japanese, 0
    while not at_work.plays("few"):
        assert other.receives(at_work.sends()).done is MailResult.APPENDED
        at_work, other, mails = other, at_work, mails + 1
    assert other.receives(at_work.sends()).done is MailResult.APPENDED
    assert marine.head == japanese.head
    assert (
        unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).campaign.situation.phase
        is Phase.SCENARIO
    )
    assert audit_campaign(marine.file).ok
    assert mails == turns_of(marine.file)


def turns_of(file: Path) -> int:
    """How often it became the other side's turn to decide: nobody waits for a die."""
    decided: list[str] = [Seat.MARINE]
    for entry in unrestricted_campaign(OpenCampaign.open_read_only(file)).entries:
        if entry.kind == "answer" and (entry.secret or "roll" not in entry.payload):
            ask = entry.payload["ask"]
            whose = str(entry.secret or ask["side"])
            concerns_both = entry.payload.get("public") and ask["subject"] not in [*Side]
            if whose != decided[-1] and not concerns_both:
                decided.append(whose)
    return len(decided) - 1


def test_a_mail_continues_my_campaign_and_receiving_it_twice_does_nothing(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    japanese.does(answers("stay_hidden"))
    path = japanese.sends()
    assert marine.receives(path).done is MailResult.APPENDED
    assert marine.head == japanese.head
    assert marine.receives(path).done is MailResult.NOTHING


def whispers(desk: OpenCampaign) -> None:
    asked = {"words": "mine alone", "side": "japanese", "about": None}
    desk.run_command("note", asked, "japanese")


def answers_early(desk: OpenCampaign) -> None:
    sheet = EarlyAnswerSheet(desk, Side.JAPANESE).asks
    enter_early_answers(desk, Side.JAPANESE, {each.key: each.ask.default for each in sheet[-1:]})


def lists(desk: OpenCampaign) -> None:
    order = {"item": "san_increase", "side": "japanese", "beach": "red_one"}
    add_to_shopping_list(desk, Side.JAPANESE, order)


def errs(desk: OpenCampaign) -> None:
    whispers(desk)
    desk.undo_or_request()


SECRETS: dict[str, Callable[[OpenCampaign], object]] = {
    "a note": whispers,
    "an early answer": answers_early,
    "a shopping list": lists,
    "a note that is undone": errs,
    "an answer": answers("stay_hidden"),
}


@pytest.mark.parametrize(("secret", "has_entered"), crossed(SECRETS, [False, True]))
def test_a_mail_of_secrets_reads_like_an_empty_mail(
    players: tuple[Player, Player], secret: str, has_entered: bool
) -> None:
    marine, japanese = players
    if has_entered:
        marine.notes("mine")
    empty = marine.receives(japanese.sends())
    japanese.does(SECRETS[secret])
    got = marine.receives(japanese.sends())
    assert got.done is not MailResult.NOTHING
    words = [(each.result_text, each.backup_text, each.notices) for each in (empty, got)]
    assert words == [(mail.NOTHING_NEW, "", [])] * 2
    japanese.notes("for both")
    assert marine.receives(japanese.sends()).result_text != mail.NOTHING_NEW


def test_the_umpire_sees_a_mail_of_secrets(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    japanese.does(whispers)
    path = japanese.sends()
    for words in ("it continues your campaign", "nothing to do"):
        assert words in mail.receive_mail(marine.file, path, None).result_text


def test_a_lost_mail_loses_no_entries(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    japanese.notes("first")
    japanese.sends().unlink()
    japanese.notes("second")
    marine.receives(japanese.sends())
    assert marine.words() == ["first", "second"]


def test_only_entries_since_the_last_received_mail_are_sent(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    japanese.notes("new")
    _, *rows = gzip.decompress(japanese.sends().read_bytes()).splitlines()
    assert len(rows) == 1
    marine.receives(japanese.sends())
    marine.notes("an answer")
    japanese.receives(marine.sends())
    japanese.notes("the next")
    _, *rows = gzip.decompress(japanese.sends().read_bytes()).splitlines()
    assert len(rows) == 1


def test_my_own_mail_does_not_count_as_received_by_the_opponent(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.notes("one")
    assert marine.receives(marine.sends()).done is MailResult.NOTHING
    marine.notes("two")
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED
    assert japanese.words() == ["one", "two"]


def test_a_mail_after_a_missing_one_asks_for_a_full_mail(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    before = (marine.home / "before.brt", marine.file)
    shutil.copy(marine.file, before[0])
    japanese.notes("one")
    marine.receives(japanese.sends())
    marine.notes("two")
    japanese.receives(marine.sends())
    japanese.notes("three")
    shutil.copy(*before)  # the Marine's disk is put back
    with pytest.raises(RefusedError, match="--all"):
        marine.receives(japanese.sends())
    assert marine.words() == []
    with pytest.raises(RefusedError, match="Marine seat"):
        marine.receives(japanese.sends(whole=True))
    marine.receives(japanese.sends(whole=True), ForkChoice.THEIRS)
    assert marine.words() == ["one", "two", "three"]


# --- the text that goes along ---------------------------------------------------------------------


def test_the_text_says_who_must_answer_without_revealing_hidden_counters(
    players: tuple[Player, Player],
) -> None:
    marine, _ = players
    marine.sends()
    assert "It is the Japanese player's turn to make a secret decision" in marine.letter
    assert HIDDEN not in marine.letter
    assert max(map(len, marine.letter.splitlines())) <= 76


def test_the_text_contains_nothing_secret_from_the_receiver(
    players: tuple[Player, Player],
) -> None:
    _, japanese = players
    japanese.sends()
    assert HIDDEN not in japanese.letter
    assert "secret decision" in japanese.letter
    desk = japanese.sits()
    letter = mail.write_mail_file(desk, japanese.home / "open.brtmail", None).letter
    assert HIDDEN not in letter


@pytest.mark.usefixtures("read_on")
def test_the_text_says_briefly_what_happened_and_which_key_to_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marine = Player(Seat.MARINE, tmp_path / "marine", monkeypatch)
    japanese = Player(Seat.JAPANESE, tmp_path / "japanese", monkeypatch)
    marine.home.mkdir()
    japanese.home.mkdir()
    shutil.move(str(demo.create_demo(tmp_path)), marine.file)
    at_work, other = marine, japanese
    whole_one = True
    while not at_work.plays("few"):
        other.receives(at_work.sends(whole=whole_one))
        at_work, other, whole_one = other, at_work, False
        letter = other.letter
        assert "open brt-cg, press M, then r" in letter.replace("\n    ", " ")
        assert not {*"{}[]"} & {*letter}, letter
        assert not re.search(r"\bhead\b", letter)
        happened = letter.split("What happened:\n", 1)[-1].split("\n\n", 1)[0]
        assert len([line for line in happened.split("\n") if not line.startswith("    ")]) <= 5
        assert len(letter.split("\n")) < 30


def test_the_first_entry_after_a_mail_warns_once(players: tuple[Player, Player]) -> None:
    _, japanese = players
    japanese.sends()
    desk = japanese.sits()
    desk.run_command("note", {"words": "no answer", "side": None})
    assert desk.notices == []
    desk.answer_typed("stay_hidden")
    assert desk.notices == [mail_state.WARNING]
    desk.undo_or_request()
    assert desk.notices == [mail_state.WARNING]
    desk.close()


# --- both have gone on ----------------------------------------------------------------------------


def test_notes_of_both_players_are_joined_in_order_once(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.notes("of the Marine")
    japanese.does(answers("stay_hidden"))
    japanese.notes("of the Japanese")
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert marine.words() == ["of the Japanese", "of the Marine"]
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED
    assert japanese.words() == ["of the Japanese", "of the Marine"]
    assert marine.head == japanese.head
    assert audit_campaign(marine.file).ok


def test_an_entry_re_entered_after_a_mail_is_not_reported_as_lost(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.notes("of the Marine")
    looks = OpenCampaign.open_read_only(marine.file)
    last_seen.remember_seen_if_continued(looks)
    looks.close()
    japanese.does(answers("stay_hidden"))
    japanese.notes("of the Japanese")
    got = marine.receives(japanese.sends())
    assert got.backup_text.startswith("your earlier campaign is kept as ")
    parted = last_seen.find_divergence_or_remember(OpenCampaign.open_read_only(marine.file))
    assert parted is not None
    assert parted.text("campaign.brt").endswith("now comes after the entries from the mail")


def test_a_note_in_the_mail_is_entered_again_after_my_answer(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.notes("of the Marine")
    japanese.does(answers("stay_hidden"))
    assert japanese.receives(marine.sends()).done is MailResult.JOINED
    assert japanese.words() == ["of the Marine"]
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert marine.words() == ["of the Marine"]
    assert audit_campaign(marine.file).ok


def test_end_of_scenario_reports_and_drafts_of_both_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)]
    for player in both:
        player.home.mkdir()
    marine, japanese = both
    OpenCampaign.create(marine.file, {"cg": "III", "name": None, "allotments": None}).close()
    japanese.receives(marine.sends(whole=True))
    for player in both:
        written(player.home / "end.json", state())
        player.does(adopt_half(player))
    assert marine.receives(japanese.sends(whole=True)).done is MailResult.JOINED
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED
    assert marine.head == japanese.head
    units = unrestricted_campaign(OpenCampaign.open_read_only(japanese.file)).campaign.units
    assert {"m-sq-1", "j-sq-1"} <= {*units}
    assert audit_campaign(japanese.file).ok


def adopt_half(player: Player) -> Callable[[OpenCampaign], object]:
    half = {"missing": None, "side": player.seat.value}
    return lambda desk: desk.run_command(
        "import", read_state_input(player.home / "end.json") | half
    )


def test_a_checksum_noted_before_a_join_is_recognized(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.notes("of the Marine")
    noted = short_head(marine.head)
    japanese.does(answers("stay_hidden"))
    marine.receives(japanese.sends())
    assert audit_campaign(marine.file, head=noted).ok


def take_back(desk: OpenCampaign) -> None:
    """Takes back what the other player never had."""
    desk.set_seat(None)
    desk.run_command("note", {"words": "a slip", "side": None})
    desk.undo_or_request()


def correct(desk: OpenCampaign) -> None:
    desk.set_seat(None)
    desk.run_command("edit", {"id": "marine", "set": {"san": 5}, "reason": "misread"})


@pytest.mark.parametrize("kind", ["an undo", "an answer", "a correction"])
def test_conflicting_entries_are_a_fork_and_change_nothing(
    players: tuple[Player, Player], kind: str
) -> None:
    marine, japanese = players
    ways = {"an undo": take_back, "an answer": umpire_answers, "a correction": correct}
    marine.does(ways[kind])
    japanese.does(answers("stay_hidden"))
    before = marine.head
    with pytest.raises(ForkError) as fork:
        marine.receives(japanese.sends())
    assert marine.head == before
    assert "--take mine" in str(fork.value)
    assert HIDDEN not in str(fork.value)
    assert "in the mail: nothing you are allowed to see yet" in str(fork.value)


def anyone(typed: str) -> Callable[[OpenCampaign], object]:
    """Answers from no seat."""

    def does(desk: OpenCampaign) -> None:
        desk.set_seat(None)
        desk.answer_typed(typed)

    return does


@pytest.mark.parametrize("more", ["", "marine", "japanese"])
def test_the_same_answer_of_both_is_joined_and_the_rest_follows(
    players: tuple[Player, Player], more: str
) -> None:
    marine, japanese = players
    marine.does(anyone("stay_hidden"))
    japanese.does(answers("stay_hidden"))
    for player in players:
        if player.seat == more:
            player.does(anyone("stay_hidden"))
    done = marine.receives(japanese.sends(), from_umpire=True).done
    allowed = {
        "": (MailResult.JOINED, MailResult.NOTHING),
        "marine": (MailResult.NOTHING,),
    }  # "": by their hashes
    assert done in allowed.get(more, (MailResult.JOINED,))
    japanese.receives(marine.sends(), from_umpire=True)
    marine.receives(japanese.sends(), from_umpire=True)
    assert marine.head == japanese.head
    assert audit_campaign(marine.file).ok


def test_a_fork_shows_the_first_entries_that_differ(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    for player, last in ((marine, "reveal"), (japanese, "stay_hidden")):
        player.does(anyone("stay_hidden"))
        player.does(anyone(last))
    with pytest.raises(ForkError) as fork:
        japanese.receives(marine.sends(), from_umpire=True)
    yours, mail = (
        [line for line in fork.value.lines if line.startswith(half)]
        for half in ("in yours: ", "in the mail: ")
    )
    assert yours
    assert mail
    assert yours[0].partition(": ")[2] != mail[0].partition(": ")[2]
    assert "head" not in str(fork.value)


@pytest.fixture
def buyers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Player, Player]:
    """Both players with a new campaign, before its first scenario."""
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    for player in (marine, japanese):
        player.home.mkdir()
    new = {"cg": "III", "name": None, "allotments": POINTS}
    OpenCampaign.create(marine.file, new).close()
    japanese.receives(marine.sends(whole=True))
    marine.receives(japanese.sends())
    return marine, japanese


ITEMS = {"marine": "foxhole_1s", "japanese": "wire"}


def buys(player: Player, draft: bool = False) -> Callable[[OpenCampaign], object]:
    side = player.seat.value
    beach = "red_one" if side == "japanese" else None
    order = {"item": ITEMS[side], "side": side, "beach": beach, "quantity": 1, "draft": draft}
    return lambda desk: desk.run_command("buy", order | {"location": "N20"}, side)


def drafted(player: Player) -> set[str]:
    purchases = unrestricted_campaign(
        OpenCampaign.open_read_only(player.file)
    ).campaign.purchases.values()
    return {purchase.item for purchase in purchases if purchase.draft}


def test_purchases_of_both_fork_and_drafts_of_both_are_joined(
    buyers: tuple[Player, Player],
) -> None:
    marine, japanese = buyers
    for player in buyers:
        player.does(buys(player, draft=True))
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED
    assert drafted(marine) == drafted(japanese) == {*ITEMS.values()}
    assert marine.head == japanese.head
    marine.does(buys(marine))
    japanese.does(buys(japanese))
    before = marine.head
    with pytest.raises(ForkError) as fork:
        marine.receives(japanese.sends())
    assert marine.head == before
    assert "wire" not in str(fork.value)
    assert audit_campaign(marine.file).ok


def test_a_draft_is_placed_once_after_the_opponents_purchases(
    buyers: tuple[Player, Player],
) -> None:
    marine, japanese = buyers
    marine.does(buys(marine, draft=True))
    japanese.does(buys(japanese))
    lost = japanese.sends()
    lost.unlink()
    japanese.notes("it was lost")
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED
    assert japanese.receives(marine.sends()).done is MailResult.NOTHING
    assert drafted(japanese) == {"foxhole_1s"}
    assert marine.head == japanese.head
    for player in buyers:
        assert audit_campaign(player.file).ok


def test_a_draft_returns_to_its_author_only_once(
    buyers: tuple[Player, Player],
) -> None:
    marine, japanese = buyers
    japanese.does(buys(japanese))
    marine.does(buys(marine, draft=True))
    assert japanese.receives(marine.sends()).done is MailResult.JOINED
    *_, draft, join = unrestricted_campaign(OpenCampaign.open_read_only(japanese.file)).entries
    assert (draft.kind, join.kind) == ("buy", "take")
    desk = OpenCampaign.open(japanese.file, clock=lambda: str(draft.payload["at"]))
    desk.set_seat(Seat.MARINE)
    desk.run_command("buy", draft.asked, "marine")
    desk.close()
    before = marine.head
    with pytest.raises(RefusedError, match="it contains an entry from the Marine seat"):
        marine.receives(japanese.sends())
    assert marine.head == before


def test_entries_of_another_window_during_a_join_are_kept(
    players: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    marine, japanese = players
    marine.notes("mine")
    japanese.notes("his")
    checked = mail._checked

    def meanwhile(*given: Any) -> list[str]:
        marine.notes("from another window")
        return checked(*given)

    monkeypatch.setattr(mail, "_checked", meanwhile)
    with pytest.raises(StorageError, match="added entries"):
        marine.receives(japanese.sends())
    assert marine.words() == ["mine", *["from another window"] * TRIES]


def test_a_mail_is_received_while_another_window_makes_an_entry(
    players: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    marine, japanese = players
    marine.notes("mine")
    japanese.notes("his")
    checked, windows = mail._checked, iter([lambda: marine.notes("from another window")])

    def meanwhile(*given: Any) -> list[str]:
        next(windows, lambda: None)()
        return checked(*given)

    monkeypatch.setattr(mail, "_checked", meanwhile)
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert sorted(marine.words()) == ["from another window", "his", "mine"]
    assert audit_campaign(marine.file).ok


def test_entries_after_the_backup_are_kept_when_theirs_is_chosen(
    players: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    marine, japanese = players
    marine.does(take_back)
    japanese.does(answers("stay_hidden"))
    put, windows = backups._put, iter([lambda: marine.notes("from another window")])

    def meanwhile(*given: Any) -> None:
        next(windows, lambda: None)()
        put(*given)

    monkeypatch.setattr(backups, "_put", meanwhile)
    got = marine.receives(japanese.sends(), ForkChoice.THEIRS)
    assert got.done is MailResult.TOOK_THEIRS
    assert isinstance(got.kept, Path)
    kept = [
        entry.kind for entry in unrestricted_campaign(OpenCampaign.open_read_only(got.kept)).entries
    ]
    assert kept[-1] == "note"
    assert [one.why for one in backups.list_backups(marine.file)].count("before-mail") == 1


def test_dice_of_both_are_a_fork(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    japanese.plays("mail")
    marine.receives(japanese.sends())
    marine.does(decide_until_a_roll)
    japanese.receives(marine.sends())
    for player, seed in ((marine, "one"), (japanese, "other")):
        player.does(rolls_once(seed))
    before = marine.head
    with pytest.raises(ForkError, match=r"in yours: .*\n.*in the mail: "):
        marine.receives(japanese.sends())
    assert marine.head == before


def rolls_once(seed: str) -> Callable[[OpenCampaign], object]:
    def roll(desk: OpenCampaign) -> None:
        ask = desk.continue_play()
        assert ask is not None
        raw, source = desk.get_answer_from_supply(ask, AnswerSupply(dice=SeededDice(seed)))
        desk.answer(raw, ask.side, source)

    return roll


def umpire_answers(desk: OpenCampaign) -> None:
    desk.set_seat(None)
    desk.answer_typed("reveal")


def test_choosing_theirs_keeps_mine_as_a_named_backup(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.does(take_back)
    noted = short_head(marine.head)
    japanese.does(answers("stay_hidden"))
    got = marine.receives(japanese.sends(), ForkChoice.THEIRS)
    assert got.done is MailResult.TOOK_THEIRS
    assert got.kept is not None
    assert (
        short_head(unrestricted_campaign(OpenCampaign.open_read_only(got.kept)).head or "") == noted
    )
    entry = unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries[-1]
    assert (entry.kind, noted in entry.asked["dropped"]["umpire"]) == ("take", True)
    assert audit_campaign(marine.file, head=noted).ok
    assert audit_campaign(marine.file).ok
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED


def test_choosing_mine_keeps_the_mail_as_a_backup(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    marine.does(take_back)
    japanese.does(answers("stay_hidden"))
    theirs = short_head(japanese.head)
    got = marine.receives(japanese.sends(), ForkChoice.MINE)
    assert got.done is MailResult.KEPT_MINE
    assert got.kept in [each.path for each in backups.list_backups(marine.file)]
    kept = unrestricted_campaign(OpenCampaign.open_read_only(got.kept))
    assert short_head(kept.head or "") == theirs
    assert (
        theirs
        in unrestricted_campaign(OpenCampaign.open_read_only(marine.file))
        .entries[-1]
        .asked["dropped"]["umpire"]
    )
    with pytest.raises(ForkError, match="already dropped your version of the campaign"):
        japanese.receives(marine.sends())
    japanese.receives(marine.sends(), ForkChoice.THEIRS)
    assert audit_campaign(japanese.file).ok


def test_dropped_dice_are_listed(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    japanese.plays("mail")
    marine.receives(japanese.sends())
    marine.does(decide_until_a_roll)
    japanese.receives(marine.sends())
    both = len(unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries)
    marine.plays("one")
    japanese.plays("other")
    later = unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries[both:]
    rolled = [entry.payload["roll"]["dice"] for entry in later if "roll" in entry.payload]
    assert rolled
    marine.receives(japanese.sends(), ForkChoice.THEIRS)
    dice = unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries[-1].asked["dice"]
    assert [die["dice"] for die in dice] == rolled
    assert audit_campaign(marine.file).ok


def decide_until_a_roll(desk: OpenCampaign) -> None:
    ask = desk.continue_play()
    while ask is not None and ask.kind != "roll":
        ask = desk.answer_and_play(ask, ask.default)


# --- what is not taken ----------------------------------------------------------------------------


def no_checks(path: Path, change: Callable[[bytes], bytes]) -> Path:
    path.write_bytes(change(path.read_bytes()))
    return path


def test_a_mail_of_another_campaign_is_refused(players: tuple[Player, Player]) -> None:
    marine, japanese = players

    def other(header: dict[str, Any], rows: list[Any]) -> None:
        header["campaign"] = "0" * 64

    with pytest.raises(RefusedError, match="is a mail of a different campaign"):
        marine.receives(forged(japanese.sends(), other))


def test_a_mail_that_was_altered_is_refused(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    japanese.does(answers("stay_hidden"))
    before = marine.head

    def alter(header: dict[str, Any], rows: list[Any]) -> None:
        rows[0][1] = rows[0][1].replace("stay_hidden", "reveal")

    path = japanese.sends()
    with pytest.raises(RefusedError, match="was damaged in transit"):
        marine.receives(forged(path, alter))
    path.unlink()
    japanese.sends()
    for damaged in (lambda data: data[:-20], lambda data: b"nonsense", lambda data: b""):
        with pytest.raises(RefusedError):
            marine.receives(no_checks(path, damaged))
        path.unlink()
        japanese.sends()
    assert marine.head == before


@pytest.mark.parametrize("name", ["version", "form", "tables", "rules"])
def test_a_mail_of_a_newer_version_is_refused_first(
    players: tuple[Player, Player], name: str
) -> None:
    marine, japanese = players

    def newer(header: dict[str, Any], rows: list[Any]) -> None:
        header |= {name: 999, "program": "9.0", "after": "no such thing"}
        rows[:] = ["unreadable"]

    with pytest.raises(RefusedError, match=rf"newer brt-cg \(9.0.*its {name} is 999"):
        marine.receives(forged(japanese.sends(), newer))


def test_an_endless_compressed_mail_is_refused(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    path = japanese.home / "bomb.brtmail"
    path.write_bytes(gzip.compress(b" " * (80 * 1024**2)))
    with pytest.raises(RefusedError, match="larger than"):
        marine.receives(path)


def test_a_seat_mails_nothing_that_it_may_not_enter(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    marine.does(umpire_answers)  # the Japanese crew is shown by the Marine player
    before = japanese.head
    with pytest.raises(RefusedError, match="Marine seat may not enter") as refused:
        japanese.receives(marine.sends())
    assert japanese.head == before
    assert HIDDEN not in str(refused.value)


def test_a_seat_cannot_mail_as_the_other_seat(players: tuple[Player, Player]) -> None:
    marine, japanese = players

    def as_the_japanese(desk: OpenCampaign) -> None:
        desk.set_seat(Seat.JAPANESE)
        desk.answer_typed("reveal")

    marine.does(as_the_japanese)
    with pytest.raises(RefusedError, match="an entry from the Japanese seat"):
        japanese.receives(marine.sends())


def test_an_entry_that_does_not_fit_is_refused(players: tuple[Player, Player]) -> None:
    marine, japanese = players
    japanese.notes("words")

    def misfit(header: dict[str, Any], rows: list[Any]) -> None:
        payload = json.loads(rows[0][1])
        payload["changes"] = [["units", "nobody", "name", None, "Able"]]
        text = canonical_json(payload)
        number, before = header["after"]
        rows[0] = [chain_hash(before, number + 1, text), text, rows[0][2]]

    with pytest.raises(RefusedError, match="not a mail file from this campaign"):
        marine.receives(forged(japanese.sends(), misfit))
    with pytest.raises((RefusedError, StorageError)):
        mail.receive_mail(marine.home / "none.brt", japanese.sends(), None)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("rule", [], r"\(rule\)"),
        ("ask", {"rule": "15.602"}, r"\(ask.subject"),
        ("answer", "dance", "an entry that you may not see yet: replayed by the rules"),
        ("roll", ROLLED | {"final": 2**63}, r"\(roll.final\)"),
        ("roll", ROLLED | {"dice": []}, r"\(roll.dice\)"),
    ],
)
def test_an_entry_that_would_block_the_campaign_is_refused(
    players: tuple[Player, Player], key: str, value: Any, said: str
) -> None:
    marine, japanese = players
    japanese.does(answers("stay_hidden"))

    def misshapen(header: dict[str, Any], rows: list[Any]) -> None:
        payload = json.loads(rows[0][1]) | {key: value}
        number, before = header["after"]
        text = canonical_json(payload)
        rows[:] = [[chain_hash(before, number + 1, text), text, rows[0][2]]]

    mailed_to_me, before = forged(japanese.sends(), misshapen), marine.head
    with pytest.raises(RefusedError, match=said):
        marine.receives(mailed_to_me)
    assert marine.head == before


def begins_with_no_chain(header: dict[str, Any], rows: list[Any]) -> None:
    before = header["after"][1] = "f" * 64
    for number, row in enumerate(rows, 1):
        row[0] = before = chain_hash(before, number, row[1])


def begins_otherwise(header: dict[str, Any], rows: list[Any]) -> None:
    header["campaign"] = "f" * 64


@pytest.mark.parametrize("spoil", [begins_with_no_chain, begins_otherwise])
def test_a_campaign_begins_at_its_own_first_entry(
    players: tuple[Player, Player], spoil: Callable[[dict[str, Any], list[Any]], None]
) -> None:
    marine, japanese = players
    spoilt = forged(japanese.sends(whole=True), spoil)
    marine.file.unlink()
    with pytest.raises(RefusedError, match="not a brt-cg mail file"):
        marine.receives(spoilt)
    assert not marine.file.exists()


@pytest.mark.parametrize("value", [None, 3, [], [1], [-1, ""], ["x", "y"], {}, "seat"])
def test_a_wrong_header_is_reported_in_plain_words(
    players: tuple[Player, Player], value: Any
) -> None:
    marine, japanese = players
    sent = japanese.sends()
    for key in {"campaign", "from", "after"} - ({"from"} if value is None else set()):
        if key == "campaign" and value == "seat":
            continue

        def spoil(header: dict[str, Any], rows: list[Any], key: str = key) -> None:
            header[key] = value

        spoilt = marine.home / "spoilt.brtmail"
        shutil.copy(sent, spoilt)
        with pytest.raises(RefusedError, match=rf"not a brt-cg mail file \({key}: "):
            marine.receives(forged(spoilt, spoil))


# --- by whose rights a mail is judged -------------------------------------------------------------


def as_umpire(work: Callable[[OpenCampaign], object]) -> Callable[[OpenCampaign], object]:
    """What a player does on his own copy when he says that he is the umpire."""

    def do(desk: OpenCampaign) -> None:
        desk.set_seat(Seat.UMPIRE)
        work(desk)

    return do


def breaks_a_japanese_squad(desk: OpenCampaign) -> None:
    asked = {"id": "j-sq-1", "set": {"name": "Mine"}, "reason": "I say so"}
    desk.run_command("edit", asked)


@pytest.mark.parametrize("seat", [Seat.UMPIRE, None, Seat.JAPANESE])
def test_a_mail_may_only_hold_entries_its_side_may_make(
    players: tuple[Player, Player], seat: Seat | None
) -> None:
    marine, japanese = players
    marine.does(as_umpire(breaks_a_japanese_squad))
    before = japanese.head
    with pytest.raises(
        RefusedError, match=r"Marine seat may not enter .*\(Correction\).*--from-umpire"
    ):
        japanese.receives(marine.sends_from(seat))
    assert japanese.head == before


@pytest.mark.parametrize("seat", [Seat.UMPIRE, None])
def test_a_mail_received_as_the_umpires_is_accepted_and_reported(
    players: tuple[Player, Player], seat: Seat | None
) -> None:
    marine, japanese = players
    marine.does(as_umpire(breaks_a_japanese_squad))
    got = japanese.receives(marine.sends_from(seat), from_umpire=True)
    assert (got.done, [*got.notices]) == (MailResult.APPENDED, [mail_audit.FROM_UMPIRE])
    japanese.notes("and on we play")
    assert marine.receives(japanese.sends()).done is MailResult.APPENDED


@pytest.mark.parametrize("take", [None, ForkChoice.THEIRS])
def test_umpire_entries_are_checked_in_a_join_and_in_a_replacement(
    players: tuple[Player, Player], take: ForkChoice | None
) -> None:
    marine, japanese = players
    marine.does(as_umpire(breaks_a_japanese_squad))
    japanese.notes("of the Japanese")
    before = japanese.head
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        japanese.receives(marine.sends_from(None), take)
    assert japanese.head == before


def test_a_refusal_names_no_secret_of_the_sender(players: tuple[Player, Player]) -> None:
    marine, japanese = players

    def of_the_marine(desk: OpenCampaign) -> None:
        desk.run_command("note", {"words": "of my own", "side": "marine"})

    marine.does(of_the_marine)

    def as_a_correction(header: dict[str, Any], rows: list[Any]) -> None:
        payload = json.loads(rows[-1][1]) | {"kind": "edit"}
        rows[-1][1] = canonical_json(
            payload | {"asked": {"id": "m-sq-1", "set": {}, "reason": "r"}}
        )
        rechain(header, rows)

    with pytest.raises(RefusedError, match="something you are not allowed to see yet") as refused:
        japanese.receives(forged(marine.sends(), as_a_correction))
    assert "m-sq-1" not in str(refused.value)


def rechain(header: dict[str, Any], rows: list[Any]) -> None:
    """Makes the hashes of altered entries fit again, as a forger would."""
    number, before = header["after"]
    for seq, row in enumerate(rows, number + 1):
        row[0] = before = chain_hash(before, seq, row[1])


UNJUDGED = {
    "appended": MailResult.APPENDED,
    "joined": MailResult.JOINED,
    "mine": MailResult.KEPT_MINE,
    "theirs": MailResult.TOOK_THEIRS,
    "nothing": MailResult.NOTHING,
}


@pytest.mark.parametrize("outcome", UNJUDGED)
@pytest.mark.parametrize("seat", [None, Seat.UMPIRE][: count(1, 2)])
def test_an_umpire_is_always_warned_of_an_unchecked_mail(
    players: tuple[Player, Player], outcome: str, seat: Seat | None
) -> None:
    marine, japanese = players
    if outcome in ("mine", "theirs"):
        marine.does(take_back)
    elif outcome == "joined":
        marine.notes("of the Marine")
    if outcome != "nothing":
        japanese.does(answers("stay_hidden"))
    path = japanese.sends_from(seat, whole=True)
    take = ForkChoice(outcome) if outcome in ("mine", "theirs") else None
    got = mail.receive_mail(marine.file, path, None, take)
    assert (got.done, mail_audit.UNNAMED in got.notices) == (UNJUDGED[outcome], True)


def test_an_umpire_checks_a_mail_by_the_side_it_names(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.does(as_umpire(breaks_a_japanese_squad))
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        mail.receive_mail(japanese.file, marine.sends(), None)


def test_a_campaign_adopted_by_one_player_starts_at_the_others_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marine, japanese = (
        Player(seat, tmp_path / seat, monkeypatch) for seat in (Seat.MARINE, Seat.JAPANESE)
    )
    for player in (marine, japanese):
        player.home.mkdir()
    OpenCampaign.create(marine.file, {"cg": "III", "name": None, "allotments": None}).close()
    written(marine.home / "end.json", state())
    whole = {**read_state_input(marine.home / "end.json"), "missing": None, "side": None}
    marine.does(as_umpire(lambda desk: desk.run_command("import", whole)))
    got = japanese.receives(marine.sends(whole=True))
    assert (got.done, got.notices[0]) == (MailResult.BEGUN, mail_audit.AS_IT_IS)
    marine.notes("your turn")
    again = japanese.receives(marine.sends(whole=True))
    assert (again.done, [*again.notices]) == (MailResult.APPENDED, [])
    marine.does(as_umpire(breaks_a_japanese_squad))
    with pytest.raises(RefusedError, match="--from-umpire"):
        japanese.receives(marine.sends())


def test_umpire_entries_of_the_receiver_himself_are_accepted_back(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.does(as_umpire(lambda desk: desk.run_command("note", {"words": "w", "side": "marine"})))
    japanese.does(answers("stay_hidden"))
    assert japanese.receives(marine.sends(), from_umpire=True).done is MailResult.JOINED
    assert marine.receives(japanese.sends()).done is MailResult.JOINED
    assert marine.words() == ["w"]
    assert audit_campaign(marine.file).ok


def test_entries_attributed_to_me_come_with_theirs_and_are_reported(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    shutil.copy(marine.file, before := marine.home / "before.brt")
    marine.notes("before my disk broke")
    japanese.receives(marine.sends())
    shutil.copy(before, marine.file)
    path = japanese.sends(whole=True)
    with pytest.raises(RefusedError, match="an entry from the Marine seat"):
        marine.receives(path)
    got = marine.receives(path, ForkChoice.THEIRS)
    assert [*got.notices] == [mail_audit.TAKEN_BACK]
    assert marine.words() == ["before my disk broke"]


def test_a_shared_scenario_end_is_not_undone_by_mail_alone(
    players: tuple[Player, Player],
) -> None:
    """Neither at his desk, where it is asked for, nor as umpire on his own copy."""
    marine, japanese = players
    marine.does(lambda desk: desk.undo_or_request())
    assert unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries[-1].kind == "ask"
    japanese.receives(marine.sends())

    def as_umpire(desk: OpenCampaign) -> None:
        desk.set_seat(None)
        desk.undo_or_request()

    marine.does(as_umpire)
    with pytest.raises(RefusedError, match=r"may not enter its contents \(Undo\)"):
        japanese.receives(marine.sends())


def test_entries_the_opponent_never_received_are_undone_freely(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    marine.notes("mine")
    marine.does(lambda desk: desk.undo_or_request())
    assert (
        unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries[-1].kind == "undo"
    )
    assert japanese.receives(marine.sends()).done is MailResult.APPENDED


def last_kind(player: Player) -> str:
    """The kind of the newest entry of a player's campaign."""
    return unrestricted_campaign(OpenCampaign.open_read_only(player.file)).entries[-1].kind


def test_an_old_mail_received_again_does_not_make_mailed_dice_mine(
    players: tuple[Player, Player],
) -> None:
    """It made the program forget what had been sent: dice could be undone and rolled again, and
    the opponent's program refused the next mail."""
    marine, japanese = players
    marine.notes("old")
    old = Path(shutil.copy(marine.sends(), marine.home / "old.brtmail"))
    japanese.receives(old)
    japanese.plays("mailed")
    marine.receives(japanese.sends())
    assert japanese.receives(old).done is MailResult.NOTHING
    japanese.does(lambda desk: desk.undo_or_request())
    assert last_kind(japanese) == "ask"
    assert marine.receives(japanese.sends()).done is MailResult.APPENDED


@pytest.mark.parametrize("side", ["marine", "japanese"])
def test_a_crossing_mail_does_not_make_mailed_entries_mine(
    players: tuple[Player, Player], side: str
) -> None:
    marine, japanese = players
    mine, other = (marine, japanese) if side == "marine" else (japanese, marine)
    mine.plays("mailed")
    mine.notes("well rolled")
    other.notes("crossing")
    there = mine.sends()
    mine.receives(other.sends())
    while last_kind(mine) != "ask":
        mine.does(lambda desk: desk.undo_or_request(True))
        assert last_kind(mine) in ("ask", "undo")
    standing = mine.words()
    other.receives(there)
    other.receives(mine.sends())
    assert set(other.words()) == {*standing}


@pytest.mark.parametrize("how", ["as it was asked", "and more"])
def test_agreeing_to_an_undo_undoes_only_the_requested_entries(
    players: tuple[Player, Player], how: str
) -> None:
    def asks(desk: OpenCampaign) -> None:
        enter_request(unrestricted_campaign(desk), "undo", {"whole": False}, Side.JAPANESE)

    marine, japanese = players
    japanese.notes("of the Japanese")
    marine.receives(japanese.sends())
    marine.notes("of the Marine")
    japanese.receives(marine.sends())
    japanese.does(asks)
    marine.receives(japanese.sends())
    last = max(unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).standing)
    marine.does(agree_and_carry_out_request)

    def more(header: dict[str, Any], rows: list[Any]) -> None:
        payload = json.loads(rows[-1][1])
        assert payload["asked"]["entries"] == [last]
        payload["asked"]["entries"] = [last - 1, last]
        rows[-1][1] = canonical_json(payload)
        rechain(header, rows)

    path = marine.sends()
    if how == "as it was asked":
        assert japanese.receives(path).done is MailResult.APPENDED
        return
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        japanese.receives(forged(path, more))


# --- the beginning of a paragraph, undone to make room --------------------------------------------


def corrects_his_crew(desk: OpenCampaign) -> None:
    desk.run_command("edit", {"id": HIDDEN, "set": {"name": "Q"}, "reason": "misread"})


def makes_room(row: list[Any]) -> bool:
    return "for" in json.loads(row[1]).get("asked", {})


def test_a_started_paragraph_is_undone_for_a_mailed_command(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    japanese.does(corrects_his_crew)
    _, *rows = map(json.loads, gzip.decompress(japanese.sends().read_bytes()).splitlines())
    assert any(map(makes_room, rows))
    assert marine.receives(japanese.sends()).done is MailResult.APPENDED


def for_another(header: dict[str, Any], rows: list[Any]) -> None:
    """Says that room was made for another command than the one that follows."""
    for row in filter(makes_room, rows):
        payload = json.loads(row[1])
        payload["asked"]["for"] = "buy"
        row[1] = canonical_json(payload)
    rechain(header, rows)


def for_nothing(header: dict[str, Any], rows: list[Any]) -> None:
    """Leaves out the command for which room was made."""
    del rows[1 + next(number for number, row in enumerate(rows) if makes_room(row)) :]


def in_another_call(header: dict[str, Any], rows: list[Any]) -> None:
    """Says that the command was entered later, by itself."""
    at = 1 + next(number for number, row in enumerate(rows) if makes_room(row))
    payload = json.loads(rows[at][1])
    rows[at][1] = canonical_json(payload | {"call": header["after"][0] + at + 1})
    rechain(header, rows)


@pytest.mark.parametrize("forgery", [for_another, for_nothing, in_another_call])
def test_an_undo_without_a_following_command_is_refused(
    players: tuple[Player, Player], forgery: Callable[[dict[str, Any], list[Any]], None]
) -> None:
    marine, japanese = players
    japanese.does(corrects_his_crew)
    before = marine.head
    with pytest.raises(RefusedError, match="Japanese seat may not enter"):
        marine.receives(forged(japanese.sends(), forgery))
    assert marine.head == before


@pytest.mark.parametrize("kind", ["note", "edit", "ruling", "no such command"])
def test_an_enemy_answer_is_not_undone_for_a_command(
    players: tuple[Player, Player], kind: str
) -> None:
    marine, japanese = players
    japanese.does(answers("stay_hidden"))
    marine.receives(japanese.sends())
    answered = next(
        entry
        for entry in reversed(
            unrestricted_campaign(OpenCampaign.open_read_only(marine.file)).entries
        )
        if entry.kind == "answer"
    )
    marine.notes("nothing to see here")

    def forge(header: dict[str, Any], rows: list[Any]) -> None:
        note = json.loads(rows[-1][1])
        undone: list[Change] = invert_changes(answered.changes)
        undo = note | {"kind": "undo", "asked": {"entries": [answered.seq], "for": kind}}
        undo["changes"] = undone
        if kind != "no such command":
            note["kind"] = kind
        rows[-1:] = [
            ["", canonical_json(undo), rows[-1][2]],
            ["", canonical_json(note), rows[-1][2]],
        ]
        rechain(header, rows)

    before = japanese.head
    with pytest.raises(RefusedError, match="Marine seat may not enter"):
        japanese.receives(forged(marine.sends(), forge))
    assert japanese.head == before


# --- large ----------------------------------------------------------------------------------------


def test_a_mail_with_twice_the_entries_takes_twice_the_work(
    players: tuple[Player, Player],
) -> None:
    marine, japanese = players
    work = []
    for entries in (150, 300):
        desk = japanese.sits()
        wanted = [{"words": f"note {number}", "side": None} for number in range(entries)]
        desk.run_commands("note", wanted)
        desk.close()
        work.append(calls_of(lambda: marine.receives(japanese.sends())))
        japanese.receives(marine.sends())
    assert work[1] < 2.3 * work[0]


def calls_of(work: Callable[[], ReceivedMail]) -> int:
    """How many functions are called while a mail is made and taken."""
    calls = 0

    def count_calls(_frame: object, event: str, _called: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count_calls)
    try:
        done = work().done
    finally:
        sys.setprofile(None)
    assert done is MailResult.APPENDED
    return calls
