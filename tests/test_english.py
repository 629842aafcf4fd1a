"""The program's texts become plainer English: no package has more of what to avoid than before."""

import pytest

from tests.tools import english
from tests.tools.english import Text


def found(text: str, kind: str = "string", package: str = "cli") -> set[str]:
    """The patterns in a text."""
    counted = english.counts([Text(package, "here", kind, text)])
    return {name for name, packages in counted.items() if packages}


@pytest.mark.parametrize(
    ("text", "kind", "pattern"),
    [
        ("What a side may know.", "docstring", "what"),
        ("Returns the open question.", "docstring", "third person"),
        ("Neither player is told.", "string", "told"),
        ("The counter stands in N20.", "comment", "stands"),
        ("bought as far as points go", "string", "as far as"),
        ("The line is not taken.", "string", "taken"),
        ("The newest roll is taken back.", "string", "taken"),
        ("the rules read anew", "docstring", "in vain"),
        ("They are asked at once.", "comment", "at once"),
        ("Press Enter to go on.", "string", "go on"),
        ("It waits in M2.", "string", "waits"),
        ("answered ahead", "docstring", "ahead"),
        ("whose half it is", "string", "half"),
        ("The head is the same.", "string", "head"),
        ("the other side decides", "string", "side"),
        (f"the {english.HOLE} side decides", "string", "side"),
        (f"found {english.HOLE}; allowed: 1 to 6", "string", "allowed"),
        ("the colours of both sides", "docstring", "British"),
        (f"{english.HOLE} % of the rolls", "string", "percent"),
        ("where m-mmg-3 is", "string", "ids"),
        ("the field in_play of a counter", "string", "field names"),
    ],
)
def test_wording_to_avoid_is_found(text: str, kind: str, pattern: str) -> None:
    assert pattern in found(text, kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Return the open question, if any.", "docstring"),
        ("It takes an NTC and goes berserk.", "string"),
        ("Keep hidden counters on your side record.", "string"),
        ("A half-squad is taken prisoner in an Entry Area.", "string"),
        ("coloured", "string"),
        ("in_play", "string"),
        ("The dice as `coloured` and `white`.", "docstring"),
        ("brt-cg catalogue export FILE", "string"),
        ("33% of the rolls", "string"),
    ],
)
def test_the_rulebook_and_stored_keys_keep_their_words(text: str, kind: str) -> None:
    assert found(text, kind) == set()


def test_no_package_exceeds_its_ceiling_of_wording_to_avoid() -> None:
    _, _, ceilings, exact = english.rules()
    over, under = [], []
    more = 0 if exact else 40
    for name, packages in english.counts().items():
        known = ceilings.get(name, {})
        for package in sorted({*packages, *known}):
            many, most = packages[package], known.get(package, 0)
            if many > most + more:
                over.append(f"{name} in {package}: {many}, at most {most}")
            elif many < most:
                under.append(f"{name} in {package}: {many} instead of {most}")
    show = "python -m tests.tools.english --show PATTERN PACKAGE lists the places"
    assert not over, "\n".join([*over, show])
    lower = "plainer than before: python -m tests.tools.english --lower"
    assert not exact or not under, "\n".join([*under, lower])


def test_each_pattern_has_an_alternative_and_each_exception_a_reason() -> None:
    patterns, _, _, _ = english.rules()
    assert all(pattern.instead for pattern in patterns.values())
    assert all(each["reason"] for each in english.data()["exceptions"])
