"""The table of the rules that were ever given out."""

import pytest

from brt_cg.card.data_digest import parse_agreed_digests
from brt_cg.journal.rules_version import (
    FILE,
    VERSION,
    current_rules,
    read_rules_version,
    released_digests,
    was_released,
)
from brt_cg.resources import read_toml_cached


def test_every_version_of_the_rules_has_its_row() -> None:
    """A new VERSION, or a change of campaigns/: `python -m tests.tools.released`."""
    assert [*read_toml_cached(FILE)] == [str(number) for number in range(2, VERSION + 1)]
    now = {cg: current_rules(cg).data for cg in ("I", "II", "III")}
    for cg, data in now.items():
        assert released_digests(VERSION, cg) == {part: (digest,) for part, digest in data.items()}


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_current_rules_are_released_and_those_with_another_digest_are_not(cg: str) -> None:
    now = current_rules(cg)
    assert was_released(now, cg, {})
    text = str(now)
    digest = now.data["tables"]
    other = read_rules_version(text.replace(f"tables={digest}", "tables=00000000"))
    assert not was_released(other, cg, {})
    assert was_released(other, cg, parse_agreed_digests("tables=00000000"))
    assert not was_released(other, cg, parse_agreed_digests("prices=00000000"))
    assert not was_released(read_rules_version(text.replace(f"{VERSION} ", "77 ", 1)), cg, {})


@pytest.mark.parametrize(
    ("version", "part", "digests"),
    [
        (11, "prices", {"93f4cc7d", "9e093afd"}),
        (15, "rulings", {"8d4b96bc", "f5a3794f"}),
        (17, "rulings", {"55b3e988", "a6c529fc"}),
        (18, "rulings", {"a6c529fc"}),
    ],
)
def test_a_version_that_had_two_states_of_its_data_has_both(
    version: int, part: str, digests: set[str]
) -> None:
    """Campaigns were played with both before 1.0.0."""
    found = released_digests(version, "III")
    assert found is not None
    assert {*found[part]} == digests


def test_the_first_version_had_no_digests() -> None:
    assert released_digests(1, "III") == {}
    assert released_digests(77, "III") is None


@pytest.mark.parametrize("value", ["", "tables", "tables=1", "ships=00000000", "tables=0000000g"])
def test_an_agreement_on_data_that_names_no_digest_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="tables=1f0e9a77"):
        parse_agreed_digests(value)
