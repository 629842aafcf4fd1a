"""Values are what a frozen dataclass with slots is, and cost a fifth to declare."""

import copy
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from brt_cg.values import frozen

T = TypeVar("T")


@frozen
class Shot:
    """A shot at something."""

    at: str
    drm: int = 0
    reasons: tuple[str, ...] = ()


@frozen(kw_only=True)
class Fired(Shot, Generic[T]):
    """What became of it."""

    by: T
    notes: list[str] = field(default_factory=list)
    kind: ClassVar[str] = "fired"


@frozen
class Nothing:
    """Holds nothing."""


def test_its_fields_are_given_in_order_or_by_name_and_the_rest_are_what_they_are_by_default() -> (
    None
):
    assert (Shot("N21").drm, Shot("N21", 2).drm, Shot(at="N21", drm=3).drm) == (0, 2, 3)
    with pytest.raises(TypeError, match="at"):
        Shot()  # type: ignore[call-arg]


def test_those_that_are_given_by_name_only_come_after_those_of_the_class_above() -> None:
    fired = Fired("N21", 1, by="M4")
    assert (fired.at, fired.drm, fired.by, fired.kind) == ("N21", 1, "M4", "fired")
    with pytest.raises(TypeError, match="positional"):
        Fired("N21", 1, (), "M4")  # type: ignore[misc, call-arg]


def test_the_hundredth_is_made_as_the_first_was() -> None:
    made = [Fired(str(number), drm=number, by=number) for number in range(100)]
    assert [(fired.at, fired.drm, fired.by, fired.notes) for fired in made] == [
        (str(number), number, number, []) for number in range(100)
    ]
    for wrong in ({"by": 1, "at": "N22"}, {"by": 1, "unheard_of": 2}):
        with pytest.raises(TypeError, match=r"at|unheard_of"):
            Fired("N21", **wrong)


@pytest.mark.parametrize("wrong", [{"at": "N22"}, {"unheard_of": 2}])
def test_not_even_the_first_is_made_of_what_it_does_not_hold(wrong: dict[str, Any]) -> None:
    @frozen
    class First:
        at: str

    with pytest.raises(TypeError, match=next(iter(wrong))):
        First("N21", **wrong)


def test_what_a_class_says_for_all_of_its_own_is_not_asked_of_each() -> None:
    @frozen
    class AtTheBeach(Shot):
        at: ClassVar[str] = "beach"  # type: ignore[misc]

    assert (AtTheBeach(drm=1).at, AtTheBeach(2)) == ("beach", AtTheBeach(drm=2))  # type: ignore[arg-type]
    assert [held.name for held in fields(AtTheBeach)] == ["drm", "reasons"]


def test_two_share_no_list() -> None:
    first, second = Fired("N21", by=1), Fired("N21", by=1)
    first.notes.append("smoke")
    assert second.notes == []


@pytest.mark.parametrize("change", ["drm", "unheard_of"])
def test_nothing_of_it_can_be_set_or_deleted(change: str) -> None:
    shot = Shot("N21")
    with pytest.raises(FrozenInstanceError, match=change):
        setattr(shot, change, 3)
    with pytest.raises(FrozenInstanceError, match=change):
        delattr(shot, change)
    assert shot == Shot("N21")


def test_two_are_equal_and_one_key_if_their_class_and_fields_are() -> None:
    assert Shot("N21", 1) == Shot("N21", 1) != Shot("N21", 2)
    assert Shot("N21") != Fired("N21", by=None)
    assert Shot("N21") != "N21"
    assert {Shot("N21"), Shot("N21"), Shot("N22")} == {Shot("N22"), Shot("N21")}
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1


def test_it_is_shown_field_by_field() -> None:
    assert repr(Fired("N21", by=4)) == "Fired(at='N21', drm=0, reasons=(), by=4, notes=[])"


def test_it_can_be_copied_with_a_change_and_sent_to_another_process() -> None:
    fired = Fired("N21", 2, by="M4")
    assert replace(fired, drm=1) == Fired("N21", 1, by="M4")
    assert copy.deepcopy(fired) == pickle.loads(pickle.dumps(fired)) == fired
    assert [each.name for each in fields(fired)] == ["at", "drm", "reasons", "by", "notes"]
    assert not hasattr(fired, "__dict__")


@frozen
class Door:
    """A door with a word for it."""

    at: str
    word: str = field(default="", repr=False, compare=False)


def test_a_field_that_is_not_to_be_shown_or_compared_is_not() -> None:
    assert Door("N21", "geheim") == Door("N21")
    assert hash(Door("N21", "geheim")) == hash(Door("N21"))
    assert repr(Door("N21", "geheim")) == "Door(at='N21')"
