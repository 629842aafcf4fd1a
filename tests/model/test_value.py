"""What a value is: not to be changed, equal by what it says, and fit to be sent to another
process."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from pathlib import Path

import pytest

from brt_cg import immutable as values
from brt_cg.immutable import immutable

PACKAGE = Path(__file__).parents[2] / "brt_cg"


@immutable
class Hex:
    """A hex."""

    name: str
    seen: bool = field(default=False, compare=False)
    secret: str = field(default="", repr=False)


@immutable(kw_only=True)
class Location(Hex):
    """A Location, with its level."""

    level: int = 0
    units: tuple[str, ...] = field(default_factory=tuple)


@immutable
class Nothing:
    """A value that says nothing more than what it is."""


@immutable
class Called:
    """A value that is found and shown in its own way."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Called) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name.lower())

    def __repr__(self) -> str:
        return self.name


N20 = Hex("N20")
HUT = Location(name="N20", level=1, units=("m-sq-1",))


@pytest.mark.parametrize("name", [each.name for each in fields(HUT)])
def test_a_value_cannot_be_changed(name: str) -> None:
    assert values.enforce, "the tests hold every value"
    with pytest.raises(FrozenInstanceError):
        setattr(HUT, name, getattr(HUT, name))
    with pytest.raises((AttributeError, TypeError)):  # TypeError from Python 3.11
        HUT.more = 1  # type: ignore[attr-defined]


def test_values_with_the_same_fields_are_equal() -> None:
    assert Hex("N20") == N20 != Hex("N21")
    assert Hex("N20", seen=True) == N20, "which is not compared"
    assert Hex("N20", secret="tunnel") != N20
    assert len({N20, Hex("N20", True), Hex("N21")}) == 2
    assert Nothing() == Nothing()
    assert {Nothing()} == {Nothing()}


def test_values_of_different_classes_are_never_equal() -> None:
    assert Location(name="N20") != N20
    assert N20 != "N20"
    assert replace(HUT, level=0, units=()) == Location(name="N20")


def test_a_value_shows_its_fields_except_hidden_ones() -> None:
    assert repr(Hex("N20", secret="tunnel")) == "Hex(name='N20', seen=False)"
    assert repr(HUT) == "Location(name='N20', seen=False, level=1, units=('m-sq-1',))"
    assert repr(Nothing()) == "Nothing()"


def test_a_class_keeps_its_own_value_methods() -> None:
    assert Called("Crowe") == Called("CROWE")
    assert len({Called("Crowe"), Called("CROWE")}) == 1
    assert repr(Called("Crowe")) == "Crowe"


@pytest.mark.parametrize("one", [N20, HUT, Nothing()])
def test_a_value_is_the_same_in_another_process(one: object) -> None:
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        assert pickle.loads(pickle.dumps(one, protocol)) == one
    assert copy.deepcopy(one) == one == copy.copy(one)


def test_a_value_works_with_dataclass_functions() -> None:
    assert asdict(N20) == {"name": "N20", "seen": False, "secret": ""}
    match N20:
        case Hex(name, seen):
            assert (name, seen) == ("N20", False)
    with pytest.raises(TypeError):
        Location("N20", False, "", 1)  # type: ignore[call-arg, misc]


FROZEN_BY_PYTHON = {
    "board/locations.py",  # lies below the model
    "catalogue/__init__.py",  # keeps what it has looked up, so it has no slots
    "model/codes.py",  # likewise
    "model/fields.py",  # each is equal to itself alone
}


def test_every_immutable_class_but_four_is_a_value() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "frozen=True" in path.read_text("utf-8")
    }
    assert found == FROZEN_BY_PYTHON
