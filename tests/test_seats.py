"""Two players at their seats of a campaign on a server, and the keeper who carries out what they
ask."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from threading import Event
from typing import Any

import psycopg
import pytest

from brt_cg import keeper, seat_desk
from brt_cg.audit import audit
from brt_cg.commands.state_document import document
from brt_cg.model.counters import Side
from brt_cg.questions.answers import Refused
from brt_cg.questions.asks import Roll
from brt_cg.questions.dice import SeededDice
from brt_cg.refit.sequence import paragraph_named
from brt_cg.seat_desk import NotKept, SeatDesk
from brt_cg.service.desk import Desk
from brt_cg.service.supply import Supply
from brt_cg.storage import postgres, seats
from brt_cg.storage.errors import StorageError, Unreachable
from brt_cg.storage.place import Address
from brt_cg.storage.postgres import release
from tests.audit.forger import codes
from tests.exports.journals import JAPANESE, MARINE, NOON, plain_answer, squad
from tests.postgres import Server
from tests.reading import read_entries
from tests.seats import at, kept, make_seats, play_one, release_seats, seated
from tests.secrets.pairs import HIDDEN, POINTS, all_that_is_read, ended

pytestmark = pytest.mark.postgres


@pytest.fixture
def campaign(address: Address) -> Iterator[Address]:
    """A campaign with seats, at the start of its Refit Phase."""
    make(address)
    yield address
    release_seats(address)


@pytest.fixture(scope="module")
def lent(server: Server) -> Iterator[Address]:
    """The same, for tests that leave it as it is."""
    address = server.address("lent-seats")
    make(address)
    yield address
    release_seats(address)
    release(address)


def make(address: Address) -> None:
    """A campaign with seats, at the start of its Refit Phase."""
    desk = Desk.create(address, {"cg": "III", "allotments": POINTS}, lambda: NOON)
    desk.command("import", ended(HIDDEN[0]))
    desk.close()
    make_seats(address)


def note(desk: Desk, words: str, side: str | None = None) -> None:
    desk.command("note", {"words": words, "side": side, "about": None})


def notes(address: Address) -> list[tuple[str, str]]:
    """The notes in the journal, each with by whom."""
    found = (entry for entry in read_entries(address) if entry.kind == "note")
    return [(entry.payload["by"], entry.asked["words"]) for entry in found]


# --- at his seat ----------------------------------------------------------------------------------


def test_a_player_reads_from_his_seat_what_his_side_may_know(lent: Address) -> None:
    whole = Desk.open(lent)
    for side in Side:
        desk = seated(lent, side)
        assert desk.seat is side
        known = all_that_is_read(whole.seen_by(side), side)
        assert all_that_is_read(desk.journal, side) == known
        desk.close()
    whole.close()


def test_a_phase_is_played_from_two_homes(campaign: Address) -> None:
    desks = {side: seated(campaign, side) for side in Side}
    with kept(campaign):
        for _ in range(400):
            for desk in desks.values():
                if desk.moved_on():
                    desk.reload()
            asked = [desk for desk in desks.values() if desk.ask and desk.ask.side is desk.seat]
            if asked:
                play_one(asked[0])
            elif desks[MARINE].campaign.situation.phase == "scenario":
                break
            else:
                desks[MARINE].begin()
        else:
            pytest.fail("the phase does not end")
    assert desks[MARINE].campaign.situation.date == "21 AM"
    assert audit(campaign).ok
    for side, desk in desks.items():
        report = audit(at(campaign, side))
        assert (report.findings, report.head is None) == ((), False)
        assert audit(at(campaign, side), head="0" * 64).findings[0].code == "head"
        desk.close()


def test_pages_of_another_brt_cg_that_cannot_be_read_are_told(campaign: Address) -> None:
    pages = {side: replace(seats.read(campaign, side), stands="{}") for side in Side}
    seats.refresh(campaign, pages)
    with pytest.raises(StorageError, match="is its brt-cg the same as yours"):
        seated(campaign, MARINE)
    assert codes(audit(at(campaign, MARINE))) == {"fold"}


def test_what_the_umpire_enters_is_there_for_both_at_once(campaign: Address) -> None:
    desks = [seated(campaign, side) for side in Side]
    umpire = Desk.open(at(campaign, "umpire"))
    note(umpire, "tea at four")
    note(umpire, "where they hide", "japanese")
    assert [desk.moved_on() for desk in desks] == [True, True]
    for desk, count in zip(desks, (1, 2), strict=True):
        desk.reload()
        assert sum(entry.kind == "note" for entry in desk.entries) == count
    for desk in (umpire, *desks):
        desk.close()


def test_he_adds_no_entry_by_himself(lent: Address) -> None:
    desk = seated(lent, MARINE)
    for _ in range(2):
        with pytest.raises(StorageError, match="Only the keeper"):
            desk.journal.command("note", {"words": "x", "side": None, "about": None}, "marine")
        desk.reload()
    desk.close()


# --- requests -------------------------------------------------------------------------------------


def test_two_requests_in_a_row_are_carried_out_in_order_and_by_their_side(
    campaign: Address,
) -> None:
    marine, japanese = seated(campaign, MARINE), seated(campaign, JAPANESE)
    with kept(campaign) as said:
        note(marine, "one")
        note(marine, "two", "marine")
        note(japanese, "three")
        assert notes(campaign) == [("marine", "one"), ("marine", "two"), ("japanese", "three")]
    assert said[1:] == ["Marine 1: done", "Marine 2: done", "Japanese 1: done"]
    marine.close()
    japanese.close()


def test_two_windows_of_a_player_that_enter_at_once_do_not_end_in_a_traceback(
    campaign: Address,
) -> None:
    player = at(campaign, MARINE)
    requests = f'"{seats.schema_of(campaign)}".requests (side, number, work)'
    with psycopg.connect(player.server) as other, ThreadPoolExecutor() as pool:
        other.execute(f"INSERT INTO {requests} VALUES ('marine', 1, '{{}}')".encode())
        entered = pool.submit(seats.enter, player, MARINE, {"do": "begin"})
        time.sleep(0.2)  # until it waits for the other one
        other.commit()
        with pytest.raises(StorageError, match="nothing was stored: try again"):
            entered.result()
    assert seats.enter(player, MARINE, {"do": "begin"}) == 2


def test_what_is_too_long_for_a_request_is_refused(lent: Address) -> None:
    with pytest.raises(StorageError, match="the server cannot hold such a value"):
        seats.enter(at(lent, MARINE), MARINE, {"do": "x" * 1_000_000})


def test_the_keeper_reads_on_what_the_umpire_enters_in_another_window(campaign: Address) -> None:
    marine, umpire = seated(campaign, MARINE), Desk.open(at(campaign, "umpire"))
    with kept(campaign) as said:
        note(marine, "one")
        umpire.reload()
        note(umpire, "two")
        note(marine, "three")
    assert [words for _, words in notes(campaign)] == ["one", "two", "three"]
    assert said[1:] == ["Marine 1: done", "Marine 2: done"]
    assert sum(entry.kind == "note" for entry in marine.entries) == 3
    assert audit(campaign).ok
    for desk in (marine, umpire):
        desk.close()


def test_what_he_enters_goes_over_one_connection_until_he_leaves(
    lent: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[psycopg.Connection[Any]] = []
    connect = psycopg.connect
    monkeypatch.setattr(
        psycopg, "connect", lambda *a, **k: made.append(connect(*a, **k)) or made[-1]
    )
    place = at(lent, "marine")
    release(place)
    for _ in range(3):
        seats.enter(place, MARINE, {"do": "nothing"})
    assert len(made) == 1
    release(place)
    assert made[0].closed
    keeper.keep(at(lent, "umpire"), lambda _: None, once=True)


def test_what_is_refused_is_told_and_stores_nothing(lent: Address) -> None:
    desk = seated(lent, MARINE)
    before = read_entries(lent)
    with kept(lent), pytest.raises(Refused, match="allowed: "):
        desk.command("edit", {"id": "m-sq-1", "set": {"strength": "double"}, "reason": "why not"})
    assert read_entries(lent) == before
    desk.close()


NOT_THEIRS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("buy", {"item": "wire", "side": "japanese", "beach": "red_one", "quantity": 1}),
    ("note", {"words": "x", "side": "japanese", "about": None}),
    ("edit", {"id": "j-sq-8", "set": {"status": []}, "reason": "x"}),
    ("edit", {"id": "j-sq-1", "set": {"status": []}, "reason": "x"}),
    ("edit", {"id": "japanese", "set": {"cvp": 0}, "reason": "x"}),
    ("edit", {"id": "marine", "set": {"cvp": 99}, "reason": "x"}),
    ("allot", {"side": "marine", "fpp": 999}),
    ("edit", {"id": "campaign", "set": {"massacre": True}, "reason": "x"}),
    ("void", {"purchase": "pj1", "reason": "x"}),
    ("ruling", {"id": "R-SAN", "value": "enter"}),
    ("import", ended(HIDDEN[1])),
    ("new", {"cg": "I"}),
    ("nonsense", {}),
)


def test_a_side_enters_nothing_for_the_other_or_the_umpire(lent: Address) -> None:
    desk = seated(lent, MARINE)
    before = read_entries(lent)
    with kept(lent):
        for kind, asked in NOT_THEIRS:
            with pytest.raises(Refused, match=f"^{kind}: that is not your side's to enter"):
                desk.command(kind, asked)
    assert read_entries(lent) == before
    desk.close()


WRITTEN_BY_HAND = (
    *("", "null", "5", "[]", "{}", "not JSON", "[" * 100_000, '{"do": ["command"]}'),
    *('{"do": "answer", "to": NaN}', '{"do": "undo", "whole": ' + "9" * 5_000 + "}"),
    *('{"do": "nothing"}', '{"do": "undo"}', '{"do": "answer", "to": 1, "raw": {}}'),
    '{"do": "command", "kind": "buy", "asked": 5}',
    '{"do": "command", "kind": "buy", "asked": [5]}',
    r'{"do": "command", "kind": "buy\u0000", "asked": [{}]}',
    r'{"do": "command", "kind": "\ud800", "asked": [{}]}',
    r'{"do": "command", "kind": "note", "asked": [{"words": "\u0000", "side": null}]}',
    r'{"do": "command", "kind": "note", "asked": [{"words": "\udfff", "side": null}]}',
    r'{"do": "command", "kind": "buy", "asked": [{"side": "marine", "item": "\ud800\u0000"}]}',
)


def test_what_is_written_by_hand_is_refused_and_the_keeper_goes_on(lent: Address) -> None:
    """With `psql` a player may add any text as a request."""
    before, said = len(read_entries(lent)), list[str]()
    table = f'"{seats.schema_of(lent)}".requests'
    new = f"INSERT INTO {table} (side, number, work) SELECT 'marine', count(*) + 1, %s FROM {table}"
    with postgres.connect(at(lent, "marine")) as connection:
        for work in WRITTEN_BY_HAND:
            connection.execute(new.encode(), (work,))
    assert not seats.waiting(at(lent, "japanese"))
    keeper.keep(at(lent, "umpire"), said.append, once=True)
    assert [line.split(": ")[1] for line in said[1:]] == ["refused"] * len(WRITTEN_BY_HAND)
    assert not seats.waiting(at(lent, "marine"))
    assert len(read_entries(lent)) == before


def test_what_a_secret_alone_forbids_is_refused_without_a_word_of_it(lent: Address) -> None:
    desk = seated(lent, MARINE)
    half = document(desk.campaign, MARINE)
    half["units"].append(squad("m-sq-9", "N20") | {"id": "j-sq-1"})  # as one that is hidden
    with kept(lent), pytest.raises(Refused) as refused:
        desk.command("import", {"state": half, "source": "m.json", "side": "marine"})
    assert str(refused.value) == keeper.HIDDEN
    desk.close()


def test_a_note_about_a_hidden_counter_is_refused_as_about_one_that_is_not_there(
    lent: Address,
) -> None:
    desk = seated(lent, MARINE)
    told = []
    with kept(lent):
        for id in ("j-sq-1", "j-nobody"):
            with pytest.raises(Refused) as refused:
                desk.command("note", {"words": "x", "side": None, "about": id})
            told.append(str(refused.value).replace(id, "ID"))
    assert told[0] == told[1]
    desk.close()


def test_the_other_side_answers_its_own_questions_and_dice_come_from_the_keeper(
    campaign: Address,
) -> None:
    marine, japanese = seated(campaign, MARINE), seated(campaign, JAPANESE)
    desks = (marine, japanese)
    rolled = []
    with kept(campaign):
        marine.begin()
        for _ in range(60):
            for desk in desks:
                desk.reload()
            ask = next((desk.ask for desk in desks if desk.ask is not None), None)
            assert ask is not None
            own = marine if ask.side is MARINE else japanese
            other = japanese if own is marine else marine
            if isinstance(ask, Roll):
                with pytest.raises(Refused, match="The keeper rolls the dice"):
                    own.answer_on(ask, [1, 1] if ask.table.dice == "DR" else 1)
                # One who writes his requests by hand gets no further.
                to = [ask.rule, ask.subject, ask.kind]
                own.request("answer", to=to, raw=[1, 1], source="hand")
                rolled.append(read_entries(campaign)[-1])
                break
            with pytest.raises(Refused, match=r"answers that|moved on"):
                other.answer_on(ask, None)
            play_one(own)
    answered = next(one for one in read_entries(campaign)[::-1] if "roll" in one.payload)
    assert answered.payload["from"] == "app"
    assert rolled
    for desk in desks:
        desk.close()


def test_undo_and_redo_of_ones_own_but_not_of_the_others(campaign: Address) -> None:
    marine, japanese = seated(campaign, MARINE), seated(campaign, JAPANESE)
    with kept(campaign):
        note(marine, "mine")
        marine.undo()
        marine.redo()
        japanese.reload()
        note(japanese, "theirs", "japanese")
        marine.reload()
        with pytest.raises(Refused, match="This seat has nothing to undo"):
            marine.undo()
        japanese.undo()
        assert japanese.entries[-1].kind == "undo"
    assert [entry.kind for entry in read_entries(campaign)][-5:] == [
        *("note", "undo", "redo", "note", "undo"),
    ]
    marine.close()
    japanese.close()


def test_hidden_purchases_and_setup_are_entered_and_the_enemy_reads_nothing(
    address: Address,
) -> None:
    Desk.create(address, {"cg": "III", "allotments": POINTS}).close()
    make_seats(address)
    marine, japanese = seated(address, MARINE), seated(address, JAPANESE)
    before = marine.journal.digest
    order = {"item": "hmg", "side": "japanese", "beach": "red_one", "quantity": 2}
    with kept(address):
        japanese.command("buy", order)
        japanese.command("buy", order | {"quantity": 1, "draft": True})
        japanese.command("commit", {"side": "japanese"})
    assert len(japanese.campaign.purchases) == 2
    assert seats.tip(at(address, "marine"), MARINE) == before
    with kept(address):
        for _ in range(20):
            for desk in (marine, japanese):
                desk.reload()
            asked = [desk for desk in (marine, japanese) if desk.ask]
            if marine.campaign.situation.phase == "scenario":
                break
            if not asked:
                marine.begin()
            elif asked[0].ask is not None and asked[0].ask.side is JAPANESE:
                japanese.answer_typed(f"{next(iter(japanese.ask.subjects))} J12")  # type: ignore
            else:
                play_one(asked[0])
    found = [unit for unit in japanese.campaign.counters() if unit.location == "J12"]
    assert found
    assert all(marine.campaign.find(one.id) is None for one in found)
    release_seats(address)


def test_at_15_614_the_japanese_buy_while_the_marines_still_do_but_not_before(
    address: Address,
) -> None:
    desk = Desk.create(address, {"cg": "III", "allotments": POINTS}, lambda: NOON)
    desk.command("import", ended(HIDDEN[0]))
    for _ in desk.play(Supply(dice=SeededDice(1), defaults=True), paragraph_named("15.6113")):
        pass
    asked = desk.go()
    assert asked is not None
    assert (asked.rule, asked.side) == ("15.6114", MARINE)
    make_seats(address)
    japanese, order = seated(address, JAPANESE), {"item": "hmg", "beach": "red_one", "quantity": 1}
    with kept(address), pytest.raises(Refused, match=keeper.STANDS):
        japanese.command("buy", order | {"side": "japanese"})
    desk.reload()
    while desk.ask is not None and not desk.ask.buying:
        desk.answer_on(desk.ask, plain_answer(desk.ask))
    japanese.reload()
    assert japanese.ask is not None
    assert (japanese.ask.buying, japanese.ask.side) == (True, MARINE)
    with kept(address), pytest.raises(Refused, match="the Marine side answers that"):
        japanese.answer_typed("done")
    with kept(address):
        japanese.command("buy", order | {"side": "japanese"})
    assert len(japanese.campaign.purchases) == 1
    release_seats(address)


@pytest.fixture
def fought(address: Address) -> Iterator[Address]:
    """A campaign with seats whose next scenario has been played."""
    desk = Desk.create(address, {"cg": "III", "allotments": POINTS}, lambda: NOON)
    desk.command("import", ended(HIDDEN[0]))
    assert [*desk.play(Supply(dice=SeededDice(1), defaults=True))]
    assert desk.campaign.situation.phase == "scenario"
    desk.close()
    make_seats(address)
    yield address
    release_seats(address)


def half_of(player: SeatDesk) -> dict[str, Any]:
    """What a player's side imports of the scenario's end."""
    half = document(player.campaign, player.seat)
    half["scenario"] |= {"winner": "marine", "moved_first": "marine"}
    return {"state": half, "source": "half.json", "missing": None, "side": player.seat.value}


def test_what_the_server_cannot_hold_is_refused_and_the_keeper_goes_on(fought: Address) -> None:
    player = seated(fought, MARINE)
    asked = half_of(player)
    too_long = f"m-sq-{Random(1).randbytes(9000).hex()}"  # for an index
    asked["state"]["units"].append(squad(too_long, "N20"))
    with kept(fought):
        with pytest.raises(Refused, match="the server cannot hold such a value"):
            player.command("import", asked)
        note(player, "the keeper goes on")
    player.close()


def test_each_side_takes_in_its_own_half_of_a_scenarios_end(fought: Address) -> None:
    address = fought
    desk = Desk.open(address)
    whole = desk.campaign
    desk.close()
    with kept(address):
        for side in Side:
            player = seated(address, side)
            asked = half_of(player)
            if side is MARINE:
                with pytest.raises(Refused, match="not your side's to enter"):
                    player.command("import", asked | {"side": "japanese"})
            player.command("import", asked)
            player.close()
    after = Desk.open(address)
    assert after.campaign.situation.phase == "refit"
    assert after.campaign.units.keys() == whole.units.keys()
    assert after.campaign.units["j-sq-1"].location == whole.units["j-sq-1"].location
    after.close()


def test_what_is_refused_long_after_it_was_entered_is_told_when_it_is_known(
    campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_desk, "PATIENCE", 0.0)
    desk = seated(campaign, MARINE)
    with pytest.raises(NotKept):
        desk.command("edit", {"id": "m-sq-1", "set": {"strength": "double"}, "reason": "why not"})
    keeper.keep(at(campaign, "umpire"), lambda _: None, once=True)
    desk.reload()
    assert [words for words in desk.notices if "was refused: " in words]
    desk.close()


# --- without a keeper -----------------------------------------------------------------------------


def test_without_a_keeper_nothing_changes_and_it_waits(
    campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_desk, "PATIENCE", 0.1)
    monkeypatch.setattr(seat_desk, "A_MOMENT", 0.1)
    desk = seated(campaign, MARINE)
    before = read_entries(campaign)
    with pytest.raises(NotKept, match=r"The keeper is not running .* nothing has changed"):
        note(desk, "in the dark")
    with pytest.raises(NotKept, match="This was not entered: what you entered before still waits"):
        note(desk, "again")
    assert read_entries(campaign) == before
    keeper.keep(at(campaign, "umpire"), lambda _: None, once=True)
    assert notes(campaign) == [("marine", "in the dark")]
    desk.reload()
    monkeypatch.undo()
    with kept(campaign):
        note(desk, "in the light")
    assert len(notes(campaign)) == 2
    desk.close()


def test_a_keeper_that_lost_its_server_says_so_once(
    campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "AGAIN", 0.0)
    tries, ended, said = iter(["refused", "refused", "starting up"]), Event(), list[str]()

    def keeping(_: Address) -> None:
        why = next(tries, None)
        if why is None:
            ended.set()
        raise Unreachable(str(why))

    monkeypatch.setattr(seats, "keeping", keeping)
    keeper.keep(at(campaign, "umpire"), said.append, ended=ended)
    assert [line.partition(";")[0] for line in said] == ["refused", "starting up", "None"]


def killed_at(address: Address, moment: str) -> None:
    """A keeper that is killed at that moment of carrying out a request. The connections of the
    process that it was forked from are not its own."""
    postgres._idle.clear()
    owner, name = {"before": (seats, "write"), "within": (seats, "answer")}.get(
        moment, (keeper, "_answer_all")
    )
    real = getattr(owner, name)

    def die(*args: Any, **how: Any) -> None:
        real(*args, **how)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, die)
    if moment == "before":
        seats.refresh = lambda *_: None  # type: ignore[assignment]
    keeper.keep(address, lambda _: None, once=True)


@pytest.mark.parametrize("moment", ["before", "within", "after"])
def test_a_keeper_that_is_killed_carries_a_request_out_exactly_once(
    moment: str, campaign: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_desk, "PATIENCE", 0.0)
    desk = seated(campaign, MARINE)
    with pytest.raises(NotKept):
        note(desk, "once")
    address = at(campaign, "umpire")
    child = multiprocessing.get_context("fork").Process(target=killed_at, args=(address, moment))
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    assert notes(campaign) == ([("marine", "once")] if moment == "after" else [])
    for _ in range(2):
        keeper.keep(address, lambda _: None, once=True)
    assert notes(campaign) == [("marine", "once")]
    assert audit(campaign).ok
    desk.close()


def test_a_campaign_is_kept_from_one_place_and_by_no_player(lent: Address) -> None:
    with kept(lent) as said:
        while not said:
            time.sleep(0.001)
        with pytest.raises(StorageError, match="is kept already"):
            keeper.keep(at(lent, "umpire"), said.append, once=True)
    with pytest.raises(StorageError, match="a player's role keeps no campaign"):
        keeper.keep(at(lent, "marine"), said.append, once=True)


def test_the_next_keeper_need_not_wait_until_the_server_notices_that_one_went(
    lent: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    lingering: list[psycopg.Connection[Any]] = []
    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "__exit__", lambda gone, *_: lingering.append(gone))
        keeper.keep(at(lent, "umpire"), lambda _: None, once=True)
    assert lingering
    keeper.keep(at(lent, "umpire"), lambda _: None, once=True)
    for connection in lingering:
        connection.close()


def test_a_campaign_without_seats_is_not_kept(address: Address) -> None:
    Desk.create(address, {"cg": "III"}).close()
    with pytest.raises(StorageError, match="has no seats yet"):
        keeper.keep(address, lambda _: None, once=True)


def test_what_a_brt_cg_without_seats_added_is_written_by_the_keeper(campaign: Address) -> None:
    desk = seated(campaign, MARINE)
    with postgres.transaction(campaign) as connection:
        connection.execute(f'DELETE FROM "{seats.schema_of(campaign)}".rows WHERE number > 1')
        connection.execute(f"UPDATE \"{seats.schema_of(campaign)}\".stands SET digest = ''")
    keeper.keep(at(campaign, "umpire"), lambda _: None, once=True)
    assert isinstance(desk, SeatDesk)
    before = desk.entries
    desk.reload()
    assert [*desk.entries] == [*before]
    desk.close()
