"""Campaigns made by chance that differ only in the secrets of one side, each played by itself.

What is seen, what is rolled for it and what the other side answers is the same in all, as dice and
answers follow from the seed, the rule and the subject. What the Japanese hide is of every kind and
anywhere: with the Marines in one Location, inside a pillbox in their area, aboard, in the Ocean,
beside what is seen; and they buy what they like. The Marines differ in drafts, and in where they
set up. Sooner or later the rules show something of it to all: then the campaign is played no
further.
"""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from brt_cg.commands import Command
from brt_cg.commands.registry import COMMANDS
from brt_cg.journal.journal import Journal
from brt_cg.model.counters import Fate, Side, Unit
from brt_cg.model.records import Phase
from brt_cg.model.visibility import visible_campaign
from brt_cg.questions.answers import AnswerForm, Raw, RefusedError
from brt_cg.questions.dice import RollKey, SeededDice, faces_as_json
from brt_cg.questions.question_types import (
    ChoiceQuestion,
    EntryQuestion,
    MultiQuestion,
    Question,
    RollQuestion,
)
from brt_cg.refit.selection import friendly_units_retained_with
from brt_cg.refit.sequence import NUMBERS, next_paragraph_number
from brt_cg.views.public_point import known_question, visible_journal
from brt_cg.views.steps import list_steps
from brt_cg.views.view import create_view
from brt_cg.views.view_chain import view_links
from tests.exports.journals import JAPANESE, MARINE, new, state
from tests.secrets.pairs import POINTS, quick_glance

DATES = {"I": ("21 AM", "21 PM"), "II": ("21 AM", "21 PM"), "III": ("20 AM", "20 PM")}
PERIMETERS = (
    [["N18-N21", "M18-M21"]],
    [["N18-N21", "M18-M21"], ["K30-K31"]],
    [["N18-N20"], ["K28-K30"]],
)
INLAND = ("N18", "N19", "N20", "M19", "M20", "O21", "P34", "P35", "K31", "K36", "L38", "M41")
PLACES = (*INLAND, *INLAND, "S22", "T26")  # two of them Ocean
KINDS = ("squad", "squad", "half_squad", "half_squad", "crew", "leader", "leader", "hero")
CLASSES = ("elite", "first_line", "second_line", "conscript")
DIGITS = {"squad": "7-6-8", "half_squad": "3-4-8", "crew": "2-2-8"}
OF_UNITS = ("broken", "encircled", "low_ammo", "ti", "pinned")
OF_VEHICLES = ("immobilized", "bogged", "stunned", "shocked", "motion", "encircled")
DANGEROUS = ("encircled", "bogged", "stunned", "shocked", "malfunctioned", "wounded")
FORTS = (
    *("pillbox", "pillbox_1_3_5", "tunnel", "passage", "fortified_building", "wire", "trench"),
    *("at_mine_factor", "foxhole_1s", "bombproof", "tetrahedron"),
)
BOUGHT = {
    JAPANESE: (
        *("hmg", "at_37l", "wire", "trench", "foxhole_1s", "tunnel", "fortified_building"),
        *("pillbox_fpp_1_3_5", "concealment", "passage", "hip_hs"),
    ),
    MARINE: ("foxhole_1s", "foxhole_3s", "seawall_breach", "concealment", "san_increase"),
}
# By one what is hidden may count for all to see, by the other the Perimeters are not in play.
NOT_CHOSEN = ("R-SPLIT", "R-CG2-AREA")
SCENARIOS = 2
AT_SETUP = ("15.6201", "15.6202")  # where many counters get a Location at once
OF_PERSONNEL = ("15.6132", "15.6134")  # a dr for a Weapon where there is any
BEFORE_THE_END = NUMBERS[: NUMBERS.index("15.6202") + 1]
Counter = dict[str, Any]


class Making:
    """Counters of a state in the making; their ids begin with `letters`. Of a calm one nothing is
    lost by dice before the purchases, as far as its states go."""

    def __init__(self, seed: object, letters: str, calm: bool) -> None:
        self.chance = random.Random(str(seed))
        self.letters, self.calm = letters, calm
        self.made: dict[str, list[Counter]] = {
            name: [] for name in ("units", "weapons", "vehicles", "fortifications", "terrain")
        }

    @property
    def counters(self) -> list[Counter]:
        return [counter for table in self.made.values() for counter in table]

    def _add(self, table: str, *parts: Counter) -> Counter:
        counter = {"id": f"{self.letters}-{len(self.counters)}"}
        for part in parts:
            counter |= part
        self.made[table].append(counter)
        return counter

    def _some(self, *words: str) -> list[str]:
        words = tuple(word for word in words if not (self.calm and word in DANGEROUS))
        return sorted(self.chance.sample(words, self.chance.randint(0, min(2, len(words)))))

    def _place(self) -> Counter:
        return {"location": self.chance.choice(INLAND if self.calm else PLACES)}

    def unit(self, side: str, **fields: Any) -> Counter:
        kinds = KINDS if side == "marine" or "status" in fields else KINDS[:-1]
        kind = self.chance.choice(kinds)
        unit: Counter = {"side": side, "kind": kind, "status": self._some(*OF_UNITS)}
        if kind == "leader":
            unit |= {"type": self.chance.choice(("9-1", "8-0")), "traits": self._some("heroic")}
            unit["status"] = sorted({*unit["status"], *self._some("wounded")})
        elif kind == "hero":
            unit["type"] = "1-4-9"
        elif side == "marine":
            unit["type"] = DIGITS[kind]
        else:
            unit["class"] = "elite" if kind == "crew" else self.chance.choice(CLASSES)
        made = self._add("units", unit, self._place(), fields)
        if side == "japanese" and kind in ("squad", "crew", "leader", "hero"):
            made["status"] = [each for each in made["status"] if each != "broken"]  # no such side
        return made

    def weapon(self, side: str, **fields: Any) -> Counter:
        kind, type_ = self.chance.choice((("sw", "HMG"), ("sw", "LMG"), ("gun", "37L AT")))
        weapon = {"side": side, "kind": kind, "type": type_, "pp": 3, "repair_number": 2}
        weapon["nation"] = self.chance.choice((side, side, "marine", "japanese"))
        states = {"status": self._some("malfunctioned"), "depleted": self._some("AP")}
        return self._add("weapons", weapon, states, self._place(), fields)

    def vehicle(self, side: str, **fields: Any) -> Counter:
        type_ = "M4A2" if side == "marine" else "Type 95 HA-GO"
        vehicle = {"side": side, "type": type_, "cvp": 5, "best_af": 4}
        vehicle["status"] = self._some(*OF_VEHICLES)
        if self.chance.random() < 0.2:
            vehicle |= {"status": ["abandoned"], "inherent_crew": False}
        return self._add("vehicles", vehicle, self._place(), fields)

    def fort(self, **fields: Any) -> Counter:
        type_ = fields.get("type") or self.chance.choice(FORTS)
        place = {"location": self.chance.choice(INLAND)}
        if type_ in ("tunnel", "passage"):
            place["exit"] = self.chance.choice(INLAND)
        more = {"capacity": 3} if type_.startswith("pillbox") else {}
        fort = {"side": "japanese", "type": type_, "hidden": False}
        return self._add("fortifications", fort, place, more, fields)

    def what_is_seen(self) -> None:
        many = self.chance.randint
        for side in ("marine", "japanese"):
            for _ in range(many(2, 6)):
                unit = self.unit(side)
                if self.chance.random() < 0.3:
                    self.weapon(side, possessor=unit["id"], location=unit["location"])
            for _ in range(many(0, 2)):
                self.weapon(side)
            for _ in range(many(0, 2)):
                self.vehicle(side)
        guards = self.chance.sample(self.made["units"], many(0, 2))
        for guard in guards:
            side = "japanese" if guard["side"] == "marine" else "marine"
            held = {"status": ["prisoner"], "guard": guard["id"], "location": guard["location"]}
            self.unit(side, **held)
        for _ in range(many(0, 3)):
            self.fort()
        for kind in self._some("building", "wooden_rubble", "stone_rubble"):
            fire = self.chance.choice((None, "flame", "blaze"))
            self._add("terrain", {"kind": kind, "fire": fire}, {"location": self._dry()})

    def _dry(self) -> str:
        return self.chance.choice(INLAND)

    def what_hides(self, beside: list[str]) -> None:
        """Anything of the Japanese, mostly in one of these places."""
        for _ in range(self.chance.randint(0, 6)):
            place = self.chance.choice((*beside, self._place()["location"])).partition(":")[0]
            sorts = (self._squad, self._garrison, self._crew, self._gun, self._work)
            self.chance.choice(sorts)(place)

    def marines_who_hide(self, beside: list[str]) -> None:
        """In some of these places."""
        for place in self.chance.sample(beside, min(len(beside), self.chance.randint(0, 3))):
            self.unit("marine", location=place.partition(":")[0], status=["hidden"])

    def _squad(self, place: str) -> None:
        status = [self.chance.choice(("hidden", "cloaked")), *self._some("broken", "encircled")]
        unit = self.unit("japanese", location=place, status=sorted(status))
        if self.chance.random() < 0.5:
            self.weapon("japanese", possessor=unit["id"], location=place)

    def _garrison(self, place: str) -> None:
        pillbox = self.fort(type="pillbox", hidden=True, location=place)
        inside = f"{place}:{pillbox['id']}"
        self.unit("japanese", location=inside, status=[])
        if self.chance.random() < 0.5:
            self.weapon("japanese", location=inside, nation="japanese")

    def _crew(self, place: str) -> None:
        hidden = {"status": ["hidden"], "inherent_crew": True}
        tank = self.vehicle("japanese", location=place, **hidden)
        self.unit("japanese", location=place, aboard=tank["id"], status=[])

    def _gun(self, place: str) -> None:
        self.weapon("japanese", location=place, status=["hidden"], nation="japanese")

    def _work(self, place: str) -> None:
        self.fort(location=place, hidden=True)


def _halves(document: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Side]]:
    """The end of a scenario as each side enters its half of it; nobody is a prisoner."""
    lists = {name: document[name] for name in ("units", "weapons", "vehicles", "fortifications")}
    for side in (JAPANESE, MARINE):
        own = {
            name: [one for one in counters if one["side"] == side and "guard" not in one]
            for name, counters in lists.items()
        }
        yield document | own, side


@dataclass
class Read:
    """What a side reads where something is asked that it knows of: whom that is about, and
    everything it reads, by where it stands."""

    asked: tuple[str, str] | None
    told: dict[str, Any]


class Played:
    """The campaign of a seed, with the secrets of the enemy of the `reader` in the `number`-th of
    its kind."""

    def __init__(self, seed: int, number: int, reader: Side) -> None:
        self.seed, self.number, self.reader = seed, number, reader
        self.keeper = reader.enemy
        calm = seed % 2 == 0
        seen, mine = Making(seed, "s", calm), Making((seed, number), f"h{number}", calm)
        seen.what_is_seen()
        beside = [counter["location"] for counter in seen.counters]
        if self.keeper is JAPANESE:
            mine.what_hides(beside)
        elif seed % 4 == 1:  # for a while: hidden Marines go on map at once (15.602)
            mine.marines_who_hide(beside)
        self.hidden = {counter["id"] for counter in mine.counters}
        pick, cg = seen.chance.choice, ("I", "II", "III")[seed % 3]
        both = {name: seen.made[name] + mine.made[name] for name in seen.made}
        document = state(date=pick(DATES[cg]), **both) | {"perimeters": pick(PERIMETERS)}
        sides = {name: pick(("marine", "japanese")) for name in ("winner", "moved_first")}
        document["scenario"] |= sides
        self.journal: Journal = new(
            cg, allotments=POINTS if cg == "III" else {"marine": POINTS["marine"]}
        )
        for id in seen.chance.sample(sorted(self.journal.card.rulings), (seed % 5) * 3):
            if id not in NOT_CHOSEN:
                value = pick(self.journal.card.rulings[id].values)
                with suppress(RefusedError):
                    self.journal.run_command("ruling", {"id": id, "value": value}, "players")
        self.scenarios, self.perimeters = 1, document["perimeters"]
        self.ends = [*_halves(document)] if seed % 4 == 3 else [(document, None)]
        self.squads = {one["id"] for one in mine.made["units"] if one["kind"] == "squad"}

    def _import(self, document: dict[str, Any], side: Side | None = None) -> None:
        asked = {"state": document, "source": "s.json", "missing": "keep", "side": side}
        self.journal.run_command("import", asked, side or "players")

    def reads(self) -> Iterator[Read]:
        """Plays Refit Phases, as long as all that hides is secret."""
        journal = self.journal
        for document, side in self.ends:
            self._import(document, side)
            yield Read(None, dict(self._told(None)))
        while True:
            ask = journal.play_to_next_question()
            if self._is_shown(ask):
                return
            assert ask is None or ask.secret is not ask.side.enemy, "nobody may answer that"
            known = known_question(journal, self.reader)
            if known is not None or ask is None:
                yield Read(known and (known.rule, known.subject), dict(self._told(known)))
            if ask is None and not self._plays_the_next_scenario():
                return
            if ask is None:
                continue
            journal.begin_invocation()
            self._buys(ask)
            journal.answer(self._answer(ask), ask.side)

    def _plays_the_next_scenario(self) -> bool:
        """Nothing moves in it."""
        situation = self.journal.campaign.situation
        if situation.phase is not Phase.SCENARIO or self.scenarios == SCENARIOS:
            return False
        self.scenarios += 1
        self._import(state(date=situation.date, perimeters=self.perimeters))
        return True

    def _buys(self, ask: Question[Any]) -> None:
        """What the Japanese buy, and what the Marines draft, and how much of it, is of this
        campaign alone; nothing is seen as long as it has no Location. The Marines buy the same, but
        for other places."""
        if ask.rule != "15.614":
            return
        mine = random.Random(f"{self.seed} {self.number} {self.scenarios}")
        if ask.side is self.keeper:
            for _ in range(mine.randint(0, 3)):
                order = {"item": mine.choice(BOUGHT[ask.side]), "side": ask.side, "draft": True}
                if ask.side is JAPANESE:
                    order |= {"beach": "red_one", "draft": mine.random() < 0.3}
                self._buy(order, ask.side)
        if ask.side is MARINE:
            for _ in range(self.seed % 3):
                places = mine.sample(INLAND, 6) if self.keeper is MARINE else []
                for place in (*places, None):
                    order = {"item": "foxhole_1s", "side": MARINE, "location": place}
                    if self._buy(order, MARINE):
                        break
        made = (purchase.created for purchase in self.journal.campaign.purchases.values())
        self.hidden |= {id for ids in made for id in ids if self.keeper is JAPANESE}

    def _buy(self, order: dict[str, Any], side: Side) -> bool:
        with suppress(RefusedError):
            self.journal.run_command("buy", order, side)
            return True
        return False

    def _hides_its_setup(self, ask: Question[Any]) -> bool:
        """Of the Japanese what is seen sets up the same, or it could be played no further."""
        return ask.rule in AT_SETUP and ask.side is self.keeper is MARINE

    def _is_shown(self, ask: Question[Any] | None) -> bool:
        """Whether the rules show something of what hides: it is seen, lost, reduced, holds a
        prisoner, helps with a roll; or its squads put off the victory of CG I."""
        campaign = self.journal.campaign
        if (
            self.keeper is MARINE
            and next_paragraph_number(campaign.situation) not in BEFORE_THE_END
        ):
            return True  # both have set up
        if (
            isinstance(ask, RollQuestion)
            and ask.secret is self.keeper
            and ask.counter not in self.hidden
        ):
            return True
        if isinstance(ask, RollQuestion) and ask.rule in OF_PERSONNEL:  # who may all hide
            weapon = campaign.weapons[ask.subject]
            if {unit.id for unit in friendly_units_retained_with(campaign, weapon)} <= self.hidden:
                return True
        seen = visible_campaign(campaign, self.reader)
        hiding = [campaign.find(id) for id in self.hidden]
        lost = (Fate.ELIMINATED, Fate.CAPTURED)
        guards = {unit.guard for unit in campaign.units.values()}
        return (
            campaign.situation.victor is not None
            or not self.hidden.isdisjoint(guards)
            or any(each is None or each.fate in lost or seen.find(each.id) for each in hiding)
            or not all(self._is_whole(campaign.units[id]) for id in self.squads)
        )

    @staticmethod
    def _is_whole(unit: Unit) -> bool:
        return unit.kind == "squad"

    # --- what is answered -------------------------------------------------------------------------

    def _answer(self, ask: Question[Any]) -> Raw:
        if isinstance(ask, RollQuestion):
            date = self.journal.campaign.situation.date
            key = RollKey(date, ask.rule, ask.subject, self.journal.times_answered(ask))
            return faces_as_json(SeededDice(self.seed).roll(ask.table.dice, key))
        if ask.rule in ("15.601", "15.602"):
            return ask.default
        if ask.rule == "15.605" and ask.counter in self.hidden:
            return ask.default  # a seen SMC lands with it, on a hex that is free to choose
        if ask.side is JAPANESE and not ask.public and ask.counter not in self.hidden:
            if isinstance(ask, ChoiceQuestion):  # whom the enemy knows of, as long as there is one
                known = (one.raw for one in ask.options if not self._names_hidden(one.raw))
                return next(known, ask.default)
            if ask.rule not in AT_SETUP:
                return ask.default
        return self._by_chance(ask)

    def _by_chance(self, ask: Question[Any]) -> Raw:
        chance = random.Random(
            f"{self.seed} {ask.rule} {ask.subject} {self.journal.times_answered(ask)}"
        )
        if isinstance(ask, ChoiceQuestion):
            return chance.choice(ask.options).raw
        if isinstance(ask, EntryQuestion):
            offered = self._offered(ask.form, ask) if chance.random() < 0.5 else []
            raw = chance.choice(offered) if offered else ask.default
            with suppress(RefusedError):
                ask.read(raw)
                return raw
            return ask.default
        assert isinstance(ask, MultiQuestion)
        chosen: dict[str, Raw] = {}
        for item in ask.items:
            own = self.number if self._hides_its_setup(ask) else ""
            chance = random.Random(f"{self.seed} {own} {ask.rule} {item.subject}")
            offered = self._offered(item.form, ask) if item.subject not in self.hidden else []
            if offered and chance.random() < 0.4:
                with suppress(RefusedError):
                    more = chosen | {item.subject: chance.choice(offered)}
                    ask.read(more)
                    chosen = more
        return chosen

    def _offered(self, form: AnswerForm, ask: Question[Any]) -> list[Raw]:
        raws = (offered.raw for offered in form.candidates_for(ask.side))
        return [raw for raw in raws if not self._names_hidden(raw)]

    def _names_hidden(self, raw: Raw) -> bool:
        text = json.dumps(raw)
        return any(f'"{id}"' in text or f':{id}"' in text for id in self.hidden)

    # --- what is read -----------------------------------------------------------------------------

    def _told(self, ask: Question[Any] | None) -> Iterator[tuple[str, Any]]:
        yield from quick_glance(self.journal, self.reader).items()
        yield "steps", repr(list_steps(create_view(self.journal, self.reader)))
        known = visible_journal(self.journal, self.reader)
        yield "rows", repr(create_view(self.journal, self.reader).rows)
        yield "links", view_links(known, self.reader)
        if ask is not None and ask.side is self.reader:
            yield "refused", [*self._refusals(ask)]

    def _refusals(self, ask: Question[Any]) -> Iterator[str]:
        """What is told to who tries what he cannot know of: ids that something hidden may have, and
        places where it may be."""
        items = [item.subject for item in ask.items][:3] if isinstance(ask, MultiQuestion) else []
        for id in (f"h{number}-{n}" for number in (0, 1) for n in (0, 1)):
            raws: list[Any] = [id, [id], {"guard": id}, {id: "N19"}, {id: {"helpers": []}}]
            raws += [[{"do": "x", "counter": id, "set": {"name": "x"}}]]
            raws += [[{"do": "x", "counter": own, "set": {to: id}}] for own, to in self._links()]
            raws += [
                [{"do": "x", "counter": own, "set": {"location": f"{place}:{id}"}}]
                for own, _ in self._links()
                for place in ("N18", "N19", "M19")
            ]
            raws += [{each: raw} for each in items for raw in (f"N19:{id}", id, {"helpers": [id]})]
            for raw in raws:
                yield f"{raw}: {_outcome(ask.read, raw)}"
            for typed in (id, f"{id} name=x: y", f"eliminated {id}"):
                yield f"{typed}: {_outcome(ask.parse, typed, self.reader)}"
        if ask.rule in AT_SETUP:
            places = [(item, place) for item in items for place in INLAND]
            yield from (f"{it} at {at}: {_outcome(ask.read, {it: at})}" for it, at in places)
        for place in INLAND if ask.rule == "15.614" else ():
            order = {"item": "foxhole_1s", "side": self.reader, "quantity": 1, "location": place}
            journal, on = self.journal, self.journal.campaign.clone()
            buy = Command("buy", order, on, journal.card, journal.numbers, str(self.reader), "")
            yield f"foxhole at {place}: {_outcome(COMMANDS['buy'], buy)}"

    def _links(self) -> Iterator[tuple[str, str]]:
        """A Weapon, a unit and a Fortification of the reader's, each with a field that may name
        another counter."""
        names = {"weapons": ("possessor", "vehicle"), "units": ("guard", "aboard")}
        for table, fields in names.items():
            own = (one for one in self.journal.campaign.tables[table].values())
            mine = next((one.id for one in own if one.side is self.reader and one.in_play), None)
            yield from ((mine, field) for field in fields if mine is not None)


def _outcome(does: Any, *given: Any) -> str:
    try:
        does(*given)
    except RefusedError as refused:
        return str(refused)
    return "allowed"
