"""Each check of the audit by itself: its code, its rule, its figures."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from brt_cg.audit import audit, chain, meaning, rules
from brt_cg.audit.finding import Finding, printable
from brt_cg.campaign import Campaign, Purchase
from brt_cg.counters import Counter, Fate
from brt_cg.journal.book import RULES
from brt_cg.journal.changes import compare, record_plain
from brt_cg.journal.entries import Entry, canonical, seal
from brt_cg.purchases.limits import LIMITS
from brt_cg.purchases.voids import voiding
from brt_cg.storage.reader import RawEntry
from tests.audit.forger import Forger, codes, messages, pried_open
from tests.audit.played import make
from tests.purchases.shop import Shop, refit_shop, shop
from tests.refit import table
from tests.refit.table import JAPANESE, MARINE, fort, japanese_squad, marine_squad

NOON = "2026-01-01T12:00:00Z"
DRESS = {"by": "players", "at": NOON, "rules": RULES, "call": 1}


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_a_clean_campaign_of_each_game(cg: str, tmp_path: Path) -> None:
    report = audit(make(tmp_path / "clean.brt", cg))
    assert report.findings == ()
    assert report.plain()["ok"] is True
    assert report.text().endswith("nothing found")


# --- the journal's rows ---------------------------------------------------------------------------


def journal(*payloads: dict[str, Any]) -> list[Entry]:
    """Well-hashed entries of these payloads."""
    entries: list[Entry] = []
    for number, payload in enumerate(payloads, start=1):
        entries.append(seal(entries, DRESS | {"call": number, "changes": []} | payload))
    return entries


def rows(*entries: Entry, **cells: Any) -> list[RawEntry]:
    """The rows of entries, the last with other cells if they are given."""
    found = [_row(one.seq, one.text, one.hash, "[]") for one in entries]
    last = entries[-1]
    values = {"seq": last.seq, "payload": last.text, "hash": last.hash, "said": "[]"} | cells
    return [*found[:-1], _row(*values.values())]


def _row(*values: Any) -> RawEntry:
    kinds = {int: "integer", str: "text", bytes: "blob", float: "real", type(None): "null"}
    return RawEntry(*((value, kinds[type(value)]) for value in values))


TWO = journal({"kind": "ruling"}, {"kind": "edit"})


@pytest.mark.parametrize(
    ("cell", "value", "found"),
    [
        ("seq", 2.5, "real"),
        ("payload", b"{}", "blob"),
        ("hash", 5, "integer"),
        ("said", None, "null"),
    ],
)
def test_cells(cell: str, value: Any, found: str) -> None:
    (one,) = chain.cells(rows(*TWO, **{cell: value}))
    assert (one.code, one.rule, one.records) == ("journal-cell", "journal", ("2",))
    due = "integer" if cell == "seq" else "text"
    assert one.message == f"row 2 of the journal: {cell} is stored as {found}, not {due}"


def test_order() -> None:
    (one,) = chain.order(rows(*TWO, seq=5))
    assert (one.code, one.rule, one.records) == ("order", "journal", ("5",))
    assert one.message == "row 2 of the journal has the number 5; due is 2"
    assert list(chain.order(rows(*TWO))) == []


def test_one_missing_number_is_one_finding() -> None:
    three = journal({"kind": "ruling"}, {"kind": "edit"}, {"kind": "edit"}, {"kind": "edit"})
    found = rows(*three)
    del found[1]
    assert [one.records for one in chain.order(found)] == [("3",)]


@pytest.mark.parametrize("cell", [{"hash": "0" * 64}, {"payload": "{}"}, {"seq": 3}])
def test_hashes(cell: dict[str, Any]) -> None:
    (one,) = chain.hashes(rows(*TWO, **cell))
    assert (one.code, one.rule) == ("hash-chain", "journal")
    assert "its hash does not follow" in one.message
    assert list(chain.hashes(rows(*TWO))) == []


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ("gone", "entry 2: its payload is not canonical JSON"),
        ('{"b":1, "a":2}', "entry 2: its payload is not canonical JSON"),
        ("[]", "entry 2: its payload is not an object"),
        ("{}", "entry 2: its payload lacks kind, by, at, rules, call, changes"),
        (
            canonical(DRESS | {"kind": "edit", "changes": [[1]]}),
            "entry 2: its payload lacks changes",
        ),
        (canonical(DRESS | {"kind": "answer", "changes": []}), "entry 2: its payload lacks ask"),
        (canonical(DRESS | {"kind": "undo", "changes": []}), "lacks asked.entries"),
        (canonical(DRESS | {"kind": "begin", "changes": []}), "lacks rule"),
    ],
)
def test_payloads(payload: str, message: str) -> None:
    (one,) = chain.payloads(chain.read(rows(*TWO, payload=payload)))
    assert (one.code, one.rule, one.records) == ("payload", "journal", ("2",))
    assert message in one.message


@pytest.mark.parametrize("said", ["{", "[[]]", '[["a",[1],null]]', '[["a", [], null]]'])
def test_sentences_that_are_none(said: str) -> None:
    (one,) = chain.payloads(chain.read(rows(*TWO, said=said)))
    assert one.code == "payload"
    assert "its sentences" in one.message


def test_calls() -> None:
    entries = journal({"kind": "new"}, {"kind": "edit", "call": 1}, {"kind": "edit", "call": 2})
    (one,) = chain.calls(entries)
    assert (one.code, one.rule, one.records) == ("call", "journal", ("3",))
    assert one.message.startswith("entry 3: it says that the invocation of entry 2 made it")


def test_tail() -> None:
    hashes = [one.hash for one in TWO]
    assert list(chain.tail(hashes, None)) == []
    assert list(chain.tail(hashes, hashes[0])) == []
    (one,) = chain.tail(hashes, "f" * 64)
    assert (one.code, one.rule) == ("head", "journal")
    assert f"whose head is {hashes[1]} after 2 entries" in one.message


def test_nothing_of_a_damaged_file_can_upset_a_terminal() -> None:
    assert printable("a\x1b[2J\n\udcff“–") == "a\\x1b[2J\\n\\udcff“–"
    one = Finding("projection", "projection", "\x00", ("\udcff",))
    assert json.dumps(one.plain(), ensure_ascii=False).encode()
    assert one.text() == "projection · projection · \\x00 [\\udcff]"


# --- dice -----------------------------------------------------------------------------------------

WOUNDED = "15.6112"


def rolled(*dice: int, table: str = WOUNDED, **roll: Any) -> dict[str, Any]:
    """The answer of a leader's dr, heroic, with its roll."""
    final = sum(dice) - 1
    row = "wounded"
    recorded = {
        "table": table,
        "dice": list(dice),
        "modifiers": [[-1, "heroic"]],
        "original": sum(dice),
        "final": final,
        "row": row,
        "position": 0,
        "date": "20 PM",
    }
    ask = {"rule": WOUNDED, "subject": "m-ldr-1", "kind": "roll", "side": "marine"}
    return {"kind": "answer", "rule": WOUNDED, "ask": ask, "answer": 1, "roll": recorded | roll}


def on(campaign: Campaign, *payloads: dict[str, Any]) -> list[Finding]:
    """What the checks of the meaning find in entries on a campaign, which the first one sets up."""
    everything = compare(Campaign(), campaign)
    first = {"kind": "redo", "changes": everything}
    return meaning.folded(journal(first, *payloads))[1]


def only(findings: Iterable[Finding], code: str) -> Finding:
    (found,) = [one for one in findings if one.code == code]
    return found


@pytest.mark.parametrize("dice", [(7,), (0,), (3, 4), ()])
def test_dice(dice: tuple[int, ...]) -> None:
    found = only(on(table.campaign(), rolled(*dice)), "dice")
    assert (found.rule, found.records) == (WOUNDED, ("2",))
    assert "1 to 6" in found.message or "dr" in found.message


def test_rolls_final() -> None:
    found = only(on(table.campaign(), rolled(3, final=5)), "roll")
    assert found.rule == WOUNDED
    assert found.message == "entry 2: Original 3, Final 5, where 3, 2 are right"


def test_rolls_row() -> None:
    found = only(on(table.campaign(), rolled(3, row="eliminated")), "roll")
    right = "row eliminated, where wounded is right for a Final 2"
    assert found.message == f"entry 2: {right}"


def test_rolls_table() -> None:
    found = only(on(table.campaign(), rolled(3, table="15.9")), "roll")
    assert found.message == "entry 2: there is no table 15.9"


def test_a_roll_that_is_right_is_no_finding() -> None:
    assert on(table.campaign(), rolled(3)) == []


# --- the fold -------------------------------------------------------------------------------------


def test_fold() -> None:
    edit = {"kind": "edit", "changes": [["sides", "marine", "cvp", 77, 78]]}
    found = only(on(table.campaign(), edit), "fold")
    assert (found.rule, found.records) == ("journal", ("2",))
    told = "entry 2: it does not fit the campaign that it found: marine.cvp is 0, not 77"
    assert found.message.startswith(told)


@pytest.mark.parametrize(
    "change",
    [
        ["gifts", "a", "", None, {}],
        ["units", "nobody", "name", None, "x"],
        ["sides", "marine", "luck", 0, 1],
        ["sides", "marine", "cvp", 0, "many"],
        ["units", "u", "", None, {"id": "u"}],
        ["units", "u", "", None, None],
        ["units", "u", "", {"id": "u"}, None],
    ],
)
def test_a_change_that_fits_nothing(change: list[Any]) -> None:
    assert only(on(table.campaign(), {"kind": "begin", "rule": "x", "changes": [change]}), "fold")


def test_the_fold_goes_on_as_the_entry_says() -> None:
    entries = journal(
        {"kind": "import", "changes": compare(Campaign(), table.campaign())},
        {"kind": "edit", "changes": [["sides", "marine", "cvp", 77, 78]]},
        {"kind": "edit", "changes": [["sides", "marine", "cvp", 78, 79]]},
    )
    campaign, findings = meaning.folded(entries)
    assert campaign.sides["marine"].cvp == 79
    assert len(findings) == 1


# --- counters -------------------------------------------------------------------------------------


def adds(record: Any) -> list[Any]:
    return [record.TABLE, record.id, "", None, record_plain(record)]


@pytest.mark.parametrize("kind", ["edit", "ruling", "void", "discard", "allot"])
def test_origins(kind: str) -> None:
    payload = {"kind": kind, "changes": [adds(marine_squad("m1", "N21"))]}
    found = only(on(table.campaign(), payload), "origin")
    assert (found.rule, found.records) == ("15.6", ("2",))
    assert found.message == f"entry 2: m1 appears by a {kind}"


@pytest.mark.parametrize("kind", ["import", "reinforce"])
def test_what_is_taken_in_has_an_origin(kind: str) -> None:
    payload = {"kind": kind, "changes": [adds(marine_squad("m1", "N21", purchase="p9"))]}
    assert on(table.campaign(), payload) == []


def test_a_counter_that_no_purchase_created() -> None:
    payload = {"kind": "begin", "rule": "15.614", "changes": [adds(fort("p9-1", "N21"))]}
    payload["changes"][0][4]["purchase"] = "p9"
    found = only(on(table.campaign(), payload), "origin")
    assert (found.rule, found.records) == ("15.614", ("p9-1", "p9"))
    assert found.message == "p9-1 says that p9 created it, which did not"


def test_a_purchase_whose_counters_are_nowhere() -> None:
    market = shop()
    market.buy("hmg")
    del market.campaign.weapons["p17-1"]
    found = only(on(market.campaign), "origin")
    assert found.message == "p17 created p17-1, which is nowhere"
    assert found.secret is JAPANESE


@pytest.mark.parametrize("became", [None, "nobody"])
def test_fates(became: str | None) -> None:
    gone = marine_squad("m1", None, fate=Fate.RECOMBINED, became=became)
    found = only(on(table.campaign(gone)), "fate")
    assert (found.rule, found.records) == ("15.6", ("m1",))
    assert found.message == "m1 is recombined, but not into any counter"


# --- purchases ------------------------------------------------------------------------------------


def forged(market: Shop, *bought: Purchase) -> list[Finding]:
    """What is found in purchases entered without asking the rules."""
    changes = [adds(one) for one in bought]
    return on(market.campaign, {"kind": "buy", "changes": changes})


def purchase(item: str = "hmg", **fields: Any) -> Purchase:
    """A purchase before the initial scenario that breaks nothing by itself."""
    given: dict[str, Any] = {
        "id": "p2",
        "date": "20 AM",
        "side": JAPANESE,
        "beach": "red_one",
        "points": "gpp",
        "item": item,
        "quantity": 1,
        "unit_cost": 4,
        "total": 4,
        "initial": True,
    }
    return Purchase(**given | fields)


def fpp(item: str, cost: int, **fields: Any) -> Purchase:
    total = cost * fields.get("quantity", 1)
    return purchase(item, points="fpp", unit_cost=cost, total=total, **fields)


def first(*counters: Counter, **each: int) -> Shop:
    """A shop before the initial scenario of CG III."""
    return shop(*counters, date="20 AM", ended=None, **({"each": each} if each else {}))


def poor() -> Shop:
    return first(gpp=3, capp=9, exponent=0)


def later() -> Shop:
    """A shop at 15.614 of a Refit Phase, with an Isolated squad and a front line."""
    alone = japanese_squad("j1", "E10", isolated=True, recorded_location="E10")
    many = (japanese_squad(f"s{number}", None, setup_area="J1") for number in range(10))
    areas = {"J1": "N17-N21 L15-L25 M15-M25", "M1": "O14-O22"}
    return refit_shop(alone, *many, areas=areas)


def closed() -> Shop:
    """The same shop once its side is done."""
    market = later()
    market.campaign.situation.buying = ()
    return market


LATER: dict[str, Any] = {"initial": False, "date": "20 PM"}
PILLBOX: dict[str, Any] = {"points": "capp", "unit_cost": 3, "total": 3}


@dataclass(frozen=True)
class Broken:
    """A purchase that breaks a limit, and what the audit says of it."""

    code: str
    rule: str
    words: str
    bought: Purchase
    market: Callable[[], Shop] = first


BROKEN = (
    Broken("item", "15.614", "p2: cannon is in no price list", purchase("cannon")),
    Broken("quantity", "15.6141", "0 × HMG: at least 1", purchase(quantity=0, total=0)),
    Broken("side", "15.6141", "HMG: for the Japanese side only", purchase(side=MARINE)),
    Broken(
        *("window", "15.614", "until it is done; now it is done", purchase(**LATER)),
        closed,
    ),
    Broken("window", "15.614", "it carries the CG Date 22 AM", purchase(date="22 AM")),
    Broken("price", "15.6141", "HMG: unit cost 3; it must be 4", purchase(unit_cost=3)),
    Broken("price", "15.6141", "HMG: total 3; it must be 4", purchase(total=3)),
    Broken("price", "15.6141", "points fpp; it must be gpp", purchase(points="fpp")),
    Broken("price", "15.6141", "HMG: exponent 1; it must be 0", purchase(exponent=1)),
    Broken("price", "15.6141", "for the initial scenario", purchase(initial=False)),
    Broken("capacity", "15.6141", "HMG has no capacity to choose", purchase(capacity=1)),
    Broken(
        *("initial-only", "15.6143", "Wire: only before the initial", fpp("wire", 5, **LATER)),
        later,
    ),
    Broken(
        *("concealment-date", "15.6143", "before a date of"),
        fpp("concealment", 1, side=MARINE, beach=None),
    ),
    Broken("beach", "15.6141", "HMG for island; allowed: green", purchase(beach="island")),
    Broken("beach", "15.6143", "Marine FPP have no beach", fpp("foxhole_1s", 1, side=MARINE)),
    Broken(
        *("beach", "15.614", "no Japanese Setup Area holds a Beach hex of black_two"),
        *(purchase(beach="black_two", **LATER), later),
    ),
    Broken("allotment", "15.6141", "4 spent with this, 3 given, 1 too many", purchase(), poor),
    Broken(
        *("exponent", "15.6142", "1 spent with this, 0 given, 1 too many"),
        *(purchase("pillbox_1_3_5", exponent=1, capacity=1, **PILLBOX), poor),
    ),
    Broken(
        *("beach-maximum", "15.6141", "HMG for red_one: 5 with this, at most 4 per beach"),
        purchase(quantity=5, total=20),
    ),
    Broken(
        *("campaign-maximum", "15.6141", "HMG: 17 with this, at most 16 in CG III"),
        purchase(quantity=17, total=68),
    ),
    Broken(
        *("san", "15.6143", "2 with this before the initial scenario, at most 1"),
        fpp("san_increase", 8, quantity=2),
    ),
    Broken(
        *("san", "15.6143", "Japanese SAN 4 → 8: at most 7"),
        fpp("san_increase", 8, quantity=4),
    ),
    Broken("at-mines", "15.6143", "no tetrahedron is bought for it", fpp("at_mine_factor", 4)),
    Broken(
        *("tetrahedra", "15.6143", "5 with this, at most 4 per beach"),
        fpp("tetrahedron", 8, quantity=5),
    ),
    Broken(
        *("hip", "15.6143", "HIP for 1 squad-equivalents with this, at most ½: 5% of"),
        *(fpp("hip_squad", 3, **LATER), later),
    ),
    Broken(
        *("placement", "15.6143", "Tetrahedron at L20: it must stand in an Ocean hex"),
        fpp("tetrahedron", 8, location="L20"),
    ),
    Broken(
        *("isolated", "15.6143", "E10 is an Isolated Location"),
        *(fpp("fortified_building", 16, beach="island", location="E10", **LATER), later),
    ),
    Broken(
        *("front-line", "15.6143", "N20 is a Front Line Location"),
        *(fpp("foxhole_1s", 1, beach="island", location="N20", **LATER), later),
    ),
)


def numbered(one: Broken) -> str:
    return f"{one.code}-{one.bought.item}"


@pytest.mark.parametrize("broken", BROKEN, ids=numbered)
def test_purchases(broken: Broken) -> None:
    found = [
        one
        for one in forged(broken.market(), broken.bought)
        if one.code == broken.code and broken.words in one.message
    ]
    assert [(one.rule, one.records) for one in found] == [(broken.rule, ("p2",))]
    assert found[0].secret is (broken.bought.side if broken.bought.side is JAPANESE else MARINE)


def test_every_limit_has_its_forgery() -> None:
    """Each code that a limit may give is in the list above."""
    tried = {one.code for one in BROKEN}
    assert {"item", "quantity", "side", "window", "price", "capacity", "initial-only"} <= tried
    assert len(LIMITS) <= len(tried) + 1  # allotment gives two codes, placement three


def test_purchases_of_one_commit_are_judged_together() -> None:
    drafts = [purchase(id=f"p{n}", quantity=3, total=12, draft=True) for n in (2, 3)]
    market = first()
    for one in drafts:
        market.campaign.add(one)
    commits = [["purchases", one.id, "draft", True, False] for one in drafts]
    found = only(on(market.campaign, {"kind": "commit", "changes": commits}), "beach-maximum")
    assert "HMG for red_one: 6 with this, at most 4 per beach" in found.message
    assert found.records == ("p2", "p3")


def test_a_purchase_is_judged_by_the_rulings_of_its_own_moment() -> None:
    """R-HMG-CG2: 8 or 12 in all, whatever is agreed later."""
    campaign = shop(cg="II", date="20 AM").campaign
    bought = purchase(quantity=9, total=36)
    agreed = campaign.ruling("R-HMG-CG2")
    ruled = {"kind": "ruling", "changes": [["rulings", "R-HMG-CG2", "value", agreed, "8"]]}
    buys = {"kind": "buy", "changes": [adds(bought)]}
    assert "campaign-maximum" not in {one.code for one in on(campaign, buys, ruled)}
    found = only(on(campaign, ruled, buys), "campaign-maximum")
    assert "HMG: 9 with this, at most 8 in CG II (R-HMG-CG2: 8)" in found.message


def test_the_places_of_marine_purchases_are_told_to_the_marines_alone() -> None:
    there = fpp("foxhole_1s", 1, side=MARINE, beach=None, location="S22")
    assert only(forged(first(), there), "placement").secret is MARINE


@pytest.mark.parametrize("kind", ["edit", "buy", "void", "answer", "import"])
def test_ledger_altered(kind: str) -> None:
    market = first()
    market.buy("hmg")
    change = ["purchases", "p17", "beach", "red_one", "green"]
    ask = {"rule": "15.614", "subject": "marine", "kind": "choice", "side": "marine"}
    found = only(on(market.campaign, {"kind": kind, "ask": ask, "changes": [change]}), "ledger")
    assert (found.rule, found.records, found.secret) == ("15.614", ("2",), JAPANESE)
    assert found.message == (
        f"entry 2: p17 is altered by a {kind}; a mistake is voided by a later record"
    )


def test_ledger_deleted() -> None:
    market = first()
    market.buy("hmg")
    gone = ["purchases", "p17", "", record_plain(market.campaign.purchases["p17"]), None]
    assert only(on(market.campaign, {"kind": "discard", "changes": [gone]}), "ledger")


def test_a_draft_may_go() -> None:
    market = first()
    market.buy("hmg", draft=True)
    gone = ["purchases", "p17", "", record_plain(market.campaign.purchases["p17"]), None]
    assert on(market.campaign, {"kind": "discard", "changes": [gone]}) == []


# --- voids ----------------------------------------------------------------------------------------


def voided(market: Shop, **fields: Any) -> list[Finding]:
    """What is found in a void of p17, with some fields otherwise."""
    void = voiding(market.campaign, market.campaign.purchases["p17"], "v2", "a slip", "Ann", NOON)
    for name, value in fields.items():
        setattr(void, name, value)
    return on(market.campaign, {"kind": "void", "changes": [adds(void)]})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"voids": "p99"}, "v2 voids p99, which is no purchase"),
        ({"reason": " "}, "a void needs a reason"),
        ({"total": -3}, "v2 voids p17 with total -3; it must be -4"),
        ({"quantity": 0}, "v2 voids p17 with quantity 0; it must be -1"),
        ({"beach": "green"}, "v2 voids p17 with beach green; it must be red_one"),
        ({"item": "inf_37"}, "v2 voids p17 with item inf_37; it must be hmg"),
    ],
)
def test_voids(fields: dict[str, Any], words: str) -> None:
    market = first()
    market.buy("hmg")
    found = [one for one in voided(market, **fields) if one.code == "void"]
    assert [one.message for one in found] == [words]
    assert (found[0].rule, found[0].secret) == ("15.614", JAPANESE)


def test_a_purchase_voided_twice() -> None:
    market = first()
    market.buy("hmg")
    market.void("p17", "once")
    found = only(voided(market), "void")
    assert found.message.startswith("p17 is voided already, by v18")


def test_a_void_out_of_time() -> None:
    market = later()
    market.buy("foxhole_1s", beach="island")
    market.campaign.situation.paragraph, market.campaign.situation.done = None, "15.6143"
    assert only(voided(market), "window").rule == "15.614"


def test_a_void_that_breaks_nothing_is_no_finding() -> None:
    market = first()
    market.buy("hmg")
    assert voided(market) == []


# --- pools ----------------------------------------------------------------------------------------


def test_pools() -> None:
    market = first(gpp=8, fpp=8)
    market.buy("hmg")
    less = {"kind": "allot", "changes": [["allotments", "japanese/red_one", "gpp", 8, 1]]}
    found = only(on(market.campaign, less), "pool")
    assert (found.rule, found.records, found.secret) == ("15.6141", ("2",), JAPANESE)
    assert found.message == "entry 2: GPP of red_one: 4 spent of 1 given, 3 too many"


def test_a_pool_below_zero_for_a_moment() -> None:
    market = first(gpp=8, fpp=8)
    market.marine_buys("foxhole_3s")
    less = {"kind": "allot", "changes": [["allotments", "marine", "fpp", 8, 2]]}
    more = {"kind": "allot", "changes": [["allotments", "marine", "fpp", 2, 8]]}
    found = only(on(market.campaign, less, more), "pool")
    assert (found.message, found.secret) == (
        "entry 2: FPP of the Marines: 3 spent of 2 given, 1 too many",
        None,
    )


# --- the rules run again --------------------------------------------------------------------------


def test_rules(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.change(seq, "units", "name")[4] = "Charlie"
    one = next(one for one in forger.audited().findings if one.code == "rules")
    assert (one.rule, one.records) == ("journal", (str(seq),))
    words = "(edit) the rules change m-sq-1.name from 'Able' to 'Baker'"
    assert one.message.startswith(f"entry {seq}: {words}; recorded is m-sq-1.name from 'Able'")


def test_rules_name_the_paragraph(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "j-ldr-1")
    forger.payload(seq)["changes"] = []
    found = [one for one in forger.audited().findings if one.code == "rules"]
    assert (found[0].rule, found[0].records) == ("15.6112", (str(seq),))


def test_after_a_forged_change_the_paragraph_goes_on(played: Path) -> None:
    """One altered change in the middle of a paragraph is one finding, not one for all its rest."""
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-mg-1")
    forger.change(seq, "weapons", "status")[4] = ["disabled"]
    found = [one for one in forger.audited().findings if one.code == "rules"]
    assert [one.records for one in found][:1] == [(str(seq),)]
    assert len(found) <= 3


def test_sentences_of_these_rules_must_be_theirs(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.said[seq - 1] = canonical([["never mind", [], None]])
    (one,) = forger.audited().findings
    assert (one.code, one.records) == ("rules", (str(seq),))
    assert "its sentences are not those that the rules say" in one.message


def test_old_wording_is_no_finding(played: Path) -> None:
    """Entries of older rules keep the sentences of their time."""
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.payload(seq)["rules"] = "0"
    forger.said[seq - 1] = canonical([["it was said otherwise then", ["m-sq-1"], None]])
    assert forger.audited().findings == ()


def test_other_changes_of_older_rules_are_a_finding_that_says_so(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("edit")
    forger.payload(seq)["rules"] = "0"
    forger.change(seq, "units", "name")[4] = "Charlie"
    assert "made under rules 0" in forger.audited().findings[0].message


def test_a_broken_rule_is_a_finding_too(monkeypatch: pytest.MonkeyPatch, played: Path) -> None:
    def breaks(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setitem(rules.COMMANDS, "edit", breaks)
    monkeypatch.setattr(meaning, "CHECKS", (breaks,))
    report = audit(played)
    assert {"rules", "unjudged"} <= codes(report)
    assert "out of order" in messages(report, "rules")[0]


# --- the tables -----------------------------------------------------------------------------------


def test_projection(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE units SET location = 'Z1' WHERE id = 'm-sq-2'")
    (one,) = audit(played).findings
    assert (one.code, one.rule, one.records) == ("projection", "projection", ("m-sq-2",))
    assert one.message == "units: m-sq-2.location is 'Z1' (text), the journal says 'off_map'"


def test_integrity(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE die_rolls SET seq = 1000 WHERE seq = 45")
    found = messages(audit(played), "integrity")
    assert found == ["the file is damaged: die_rolls row 1000 points to no row of journal"]


# --- a side's audit -------------------------------------------------------------------------------


def test_a_side_reads_of_forged_tables_only_that_they_are(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE purchases SET total = 9")
        connection.execute("UPDATE units SET location = 'Z1' WHERE id LIKE 'j-%'")
        connection.execute("UPDATE journal SET hash = 'x' WHERE seq > 50")
    findings = audit(played, side=MARINE).findings
    assert [(one.code, one.message, one.records) for one in findings] == [
        ("hash-chain", "an entry's hash does not follow from it and the one before", ()),
        ("projection", "a table holds what the journal does not make", ()),
    ]


def test_a_side_reads_nothing_of_the_enemys_broken_limits(played: Path) -> None:
    forger = Forger(played)
    seq = forger.of_kind("buy")
    forger.change(seq, "purchases", "")[4] |= {"quantity": 9, "total": 36}
    forger.payload(seq)["asked"]["quantity"] = 9
    forger.seal()
    assert audit(played, side=MARINE).ok
    assert {"allotment", "beach-maximum"} <= codes(audit(played, side=JAPANESE))


def test_a_side_reads_the_number_of_its_own_row(played: Path) -> None:
    forger = Forger(played)
    seq = forger.where(lambda one: (one.get("ask") or {}).get("subject") == "m-ldr-1")
    forger.payload(seq)["roll"]["final"] += 1
    forger.seal()
    (one,) = [one for one in audit(played, side=MARINE).findings if one.code == "roll"]
    row = int(one.records[0])
    assert one.message.startswith(f"row {row} of the journal: Original")
    assert row < seq
