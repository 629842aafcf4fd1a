"""How scenarios may end: situations thought up by chance, of everything that a Refit Phase asks."""

import random
from typing import Any

Counter = dict[str, Any]

# Where each side stands; the last ones are in the water off the beaches.
BEACHHEAD = ("N18", "N19", "N20", "N21", "M18", "M19", "M20", "M21")
INLAND = ("N24", "M25", "L24", "K24", "P25", "L30", "K30", "G20", "M27", "J24")
CUT_OFF = ("K24", "L30", "M25")
WATER = ("P18", "Q18", "R20", "Q20")
PERIMETER = ["N18-N21", "M18-M21"]
WITHOUT_THE_PILLBOX = ["N18-N21", "M18-M20"]
PILLBOXES: list[Counter] = [
    {"id": "j-pb-1", "side": "japanese", "type": "pillbox", "capacity": 2, "location": "M21"},
    {"id": "j-pb-2", "side": "japanese", "type": "pillbox", "capacity": 1, "location": "L24"},
    {"id": "j-pb-3", "side": "japanese", "type": "pillbox", "capacity": 3, "location": "M27"},
]
FIRES = ("flame", "blaze", None)


class Situations:
    """A dozen and a half counters, fought over by chance."""

    def __init__(
        self,
        chance: random.Random,
        cg: str,
        winner: str | None,
        massacre: bool,
        fought_out: bool = False,
    ) -> None:
        self.chance = chance
        self.fought_out = fought_out
        self.cg = cg
        self.winner = winner
        self.massacre = massacre
        self.cvp = {"marine": 0, "japanese": 0}

    # --- who comes to the island --------------------------------------------------------------

    def order_of_battle(self) -> dict[str, Any]:
        draw = self.chance
        marine = [
            *(
                self._squad(f"m-sq-{n}", draw.choice(("7-6-8", "6-6-8", "5-5-8")))
                for n in range(1, 5)
            ),
            *(self._half(f"m-hs-{n}") for n in range(1, 4)),
            self._leader("m-ldr-1", "marine", draw.choice(("10-2", "9-1", "9-2"))),
            self._leader("m-ldr-2", "marine", draw.choice(("8-0", "7-0", "8-1"))),
            {"id": "m-hero-1", "side": "marine", "kind": "hero", "type": "1-4-9"},
        ]
        classes = ("elite", "first_line", "second_line", "conscript")
        japanese = [
            *(self._japanese(f"j-sq-{n}", "squad", draw.choice(classes)) for n in range(1, 5)),
            *(self._japanese(f"j-hs-{n}", "half_squad", draw.choice(classes)) for n in range(1, 3)),
            self._japanese("j-lab-1", "squad", "conscript") | {"traits": ["korean_laborer"]},
            self._japanese("j-crew-1", "crew", "elite"),
            self._leader("j-ldr-1", "japanese", draw.choice(("10-1", "9-0", "10-0"))),
            {"id": "j-hero-1", "side": "japanese", "kind": "hero", "type": "1-4-9"},
        ]
        return {
            "format": "brt-cg/state",
            "version": 1,
            "units": [each | {"location": "off_map"} for each in marine]
            + [each | {"location": None} for each in japanese],
            "vehicles": [
                {"id": "m-tk-1", "side": "marine", "type": "M4A2", "best_af": 11, "cvp": 6}
                | {"location": "off_map"},
                {"id": "m-lvt-1", "side": "marine", "type": "LVT2", "amphibious": True, "cvp": 4}
                | {"location": "off_map", "armored": False},
                {"id": "j-tk-1", "side": "japanese", "type": "Type 95 HA-GO", "best_af": 1}
                | {"location": None, "cvp": 5},
            ],
        } | ({"fortifications": PILLBOXES} if self.fought_out else {})

    def _squad(self, id: str, digits: str) -> Counter:
        return {"id": id, "side": "marine", "kind": "squad", "type": digits}

    def _half(self, id: str) -> Counter:
        return {"id": id, "side": "marine", "kind": "half_squad", "type": "3-4-8"}

    def _japanese(self, id: str, kind: str, quality: str) -> Counter:
        return {"id": id, "side": "japanese", "kind": kind, "class": quality}

    def _leader(self, id: str, side: str, digits: str) -> Counter:
        return {"id": id, "side": side, "kind": "leader", "type": digits}

    # --- the end of a scenario ------------------------------------------------------------------

    def after(self, date: str, state: dict[str, Any]) -> dict[str, Any]:
        """What may have become of all who are in play."""
        draw = self.chance
        winner = self.winner or draw.choice(("marine", "japanese"))
        units = [self._unit(each) for each in state["units"] if each["fate"] == "in_play"]
        units = [each for each in units if draw.random() > 0.08 or self._holds_out(each)]
        self._take_prisoners(units)
        for last in filter(self._holds_out, units):
            last.pop("guard", None)
            last |= {"location": "G20", "status": []}
        self._link(units)
        vehicles = [self._vehicle(each) for each in state["vehicles"] if each["fate"] == "in_play"]
        self._board(units, vehicles)
        for side in self.cvp:
            at_least = state["sides"][side]["cvp"]
            self.cvp[side] = at_least + draw.randint(2, 14) + (9 if side == winner else 0)
        ended = {"date": date, "winner": winner, "moved_first": draw.choice(("marine", "japanese"))}
        sides = {side: state["sides"][side] | {"cvp": self.cvp[side]} for side in self.cvp}
        first = {"marine": {"san": 4, "elr": 5}, "japanese": {"san": 5, "elr": 4}}
        sides = {
            side: {name: fields[name] or first[side][name] for name in ("san", "elr")}
            | {"cvp": fields["cvp"]}
            for side, fields in sides.items()
        }
        return {
            "format": "brt-cg/state",
            "version": 1,
            "scenario": ended,
            "facts": {"massacre": self.massacre, "pillbox_vp": draw.choice((0, 0, 0, 3))},
            "sides": sides,
            "perimeters": [self._perimeter()],
            "units": units,
            "weapons": self._weapons(units, state["weapons"]),
            "vehicles": vehicles,
            "fortifications": [
                self._fort(each) for each in state["fortifications"] if each["fate"] == "in_play"
            ],
            "terrain": self._terrain(state["terrain"]),
        }

    def _holds_out(self, unit: Counter) -> bool:
        """One squad keeps the Marines from the victory at once of CG I."""
        return self.fought_out and unit["id"] == "j-sq-1"

    def _perimeter(self) -> list[str]:
        """The first pillbox changes hands now and then."""
        without = self.fought_out and self.chance.random() < 0.5
        return WITHOUT_THE_PILLBOX if without else PERIMETER

    def _kept(self, counter: Counter, *names: str) -> Counter:
        wanted = ("id", "side", "kind", "type", "class", "strength", "traits", "name", *names)
        return {name: counter[name] for name in wanted if counter.get(name) not in (None, [])}

    def _place(self, side: str, wading: bool = True) -> str:
        odds = self.chance.random()
        if wading and odds < 0.08:
            return self.chance.choice(WATER)
        if side == "marine":
            return self.chance.choice(CUT_OFF if odds < 0.2 else BEACHHEAD)
        return self.chance.choice(BEACHHEAD if odds < 0.15 else INLAND)

    def _unit(self, unit: Counter) -> Counter:
        draw, kept = self.chance, self._kept(unit)
        status: list[str] = []
        odds = draw.random()
        if unit["kind"] in ("leader", "hero"):
            if odds < 0.4:
                status.append("wounded")
            elif odds < 0.5 and unit["kind"] == "leader":
                kept["traits"] = sorted({*kept.get("traits", ()), "heroic"})
        elif odds < 0.15 and unit["side"] == "japanese" and unit["kind"] in ("squad", "crew"):
            kept["strength"] = "reduced"  # it has no broken side
        elif odds < 0.15:
            status.append("broken")
        elif odds < 0.25:
            status.append("pinned")
        elif odds < 0.35:
            status.append("unarmed")
        elif odds < 0.45 and unit["side"] == "japanese":
            status.append("hidden")
        elif odds < 0.5 and unit["kind"] == "squad" and unit["side"] == "japanese":
            kept["strength"] = "reduced"
        if draw.random() < 0.08:
            status.append("encircled")
        return kept | {"location": self._place(unit["side"]), "status": status}

    def _take_prisoners(self, units: list[Counter]) -> None:
        """Now and then one is the prisoner of an enemy, and where he is."""
        draw = self.chance
        for unit in units:
            guards = [
                each
                for each in units
                if each["side"] != unit["side"]
                and each["kind"] == "squad"
                and not {"unarmed", "prisoner", "broken", "hidden"} & set(each["status"])
            ]
            if (
                guards
                and unit["kind"] != "hero"
                and draw.random() < (0.25 if self.massacre else 0.1)
            ):
                guard = draw.choice(guards)
                unit["guard"] = guard["id"]
                unit["location"] = guard["location"]
                unit["status"] = ["prisoner"]
                if any(each.get("guard") == unit["id"] for each in units):
                    del unit["guard"]
                    unit["status"] = []

    def _link(self, units: list[Counter]) -> None:
        """A prisoner is where his guard is."""
        places = {unit["id"]: unit["location"] for unit in units}
        for unit in units:
            if "guard" in unit:
                unit["location"] = places[unit["guard"]]

    def _weapons(self, units: list[Counter], weapons: list[Counter]) -> list[Counter]:
        draw = self.chance
        there = {unit["id"]: unit for unit in units}
        kept = []
        for weapon in weapons:
            if weapon["fate"] != "in_play":
                continue
            names = ("nation", "repair_number", "pp", "depleted")
            kept.append(
                self._kept(weapon, *names) | {"location": self._place(weapon["side"], False)}
            )
            kept[-1]["status"] = [status for status in weapon["status"] if status != "hidden"]
        number = len(weapons) + 1
        owners = [
            u for u in there.values() if u["kind"] == "squad" and "prisoner" not in u["status"]
        ]
        for owner in draw.sample(owners, min(len(owners), draw.randint(0, 2))):
            status = draw.choice(([], ["malfunctioned"], ["malfunctioned"]))
            weapon = {"id": f"w-{number}", "side": owner["side"], "kind": "sw", "pp": 4}
            if "unarmed" in owner["status"]:
                continue
            captured = draw.random() < 0.25
            other = {"marine": "japanese", "japanese": "marine"}[owner["side"]]
            weapon |= {"type": draw.choice(("HMG", "MMG", "LMG")), "possessor": owner["id"]}
            weapon |= {"location": owner["location"], "status": status}
            weapon |= {"repair_number": 2, "nation": other if captured else owner["side"]}
            kept.append(weapon)
            number += 1
        return kept

    def _vehicle(self, vehicle: Counter) -> Counter:
        draw = self.chance
        names = ("nation", "armored", "best_af", "amphibious", "cvp", "inherent_crew")
        kept = self._kept(vehicle, *names) | {"location": self._place(vehicle["side"])}
        was = set(vehicle["status"])
        states = ("immobilized", "stunned", "shocked", "unconfirmed_kill", "bogged", "abandoned")
        if "wreck" in was:
            kept["location"] = vehicle["location"] or kept["location"]
            kept["status"] = ["wreck"]
        elif draw.random() < 0.15:
            kept["status"] = ["wreck", *draw.choice(((), ("burning",)))]
            kept["inherent_crew"] = False
        elif draw.random() < 0.6:
            kept["status"] = [draw.choice(states)]
            if kept["status"] == ["abandoned"]:
                kept["inherent_crew"] = False
        if not kept.get("inherent_crew", True) and "wreck" not in kept.get("status", ()):
            kept["status"] = sorted({*kept.get("status", ()), "abandoned"})
        return kept

    def _board(self, units: list[Counter], vehicles: list[Counter]) -> None:
        """A half-squad may be aboard the amphtrac."""
        for vehicle in vehicles:
            riders = [
                u for u in units if u["kind"] == "half_squad" and u["side"] == vehicle["side"]
            ]
            able = vehicle.get("amphibious") and "wreck" not in vehicle.get("status", ())
            if able and riders and self.chance.random() < 0.5:
                rider = self.chance.choice(riders)
                if rider["status"] == []:
                    rider |= {"location": vehicle["location"], "aboard": vehicle["id"]}

    def _fort(self, fort: Counter) -> Counter:
        names = ("exit", "covered_arc", "hidden", "capacity", "ca_tem", "nca_tem")
        kept = self._kept(fort, *names)
        somewhere = "N18/N19" if fort["type"] == "seawall_breach" else self.chance.choice(INLAND)
        where = fort["location"] or somewhere
        if fort["type"] == "pillbox" and self.chance.random() < 0.15:
            return kept | {"location": where, "fate": "eliminated"}
        return kept | {"location": where}

    def _terrain(self, terrain: list[Counter]) -> list[Counter]:
        draw = self.chance
        names = ("material", "building", "location")
        kept = [self._kept(each, *names) for each in terrain if each["fate"] == "in_play"]
        for each in kept:
            each["kind"] = next(t["kind"] for t in terrain if t["id"] == each["id"])
        kinds = ("building", "wooden_rubble", "obstacle")
        for number in range(len(terrain) + 1, len(terrain) + 1 + draw.randint(0, 2)):
            kind = draw.choice(kinds)
            fire = draw.choice(FIRES)
            place = {"id": f"t-{number}", "location": draw.choice(INLAND), "kind": kind}
            material = {"material": "wood"} if kind == "building" else {}
            kept.append(place | material | ({"fire": fire} if fire else {}))
        return kept
