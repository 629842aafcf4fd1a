"""The tables, compared with what the journal makes."""

from pathlib import Path

import pytest

from brt_cg.audit import audit_campaign
from brt_cg.audit.schema import compare_tables
from brt_cg.storage.cells import OtherValue, RawTable, Value
from brt_cg.storage.projection import ExpectedRows
from tests.audit.forger import messages, pried_open


def test_a_row_that_differs_from_the_journal_is_found(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE units SET location = 'Z1' WHERE id = 'm-sq-2'")
    (one,) = audit_campaign(played).findings
    assert (one.code, one.rule, one.records) == ("projection", "projection", ("m-sq-2",))
    assert one.message == "units: m-sq-2.location is 'Z1' (text), the journal says 'off_map'"


def test_a_dangling_reference_is_found(played: Path) -> None:
    with pried_open(played) as connection:
        connection.execute("UPDATE die_rolls SET seq = 1000 WHERE seq = 47")
    found = messages(audit_campaign(played), "integrity")
    assert found == ["the file is damaged: die_rolls row 1000 points to no row of journal"]


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        (("id", "cvp"), ("marine", 1.0)),
        (("id", "cvp"), (OtherValue("marine"), 1)),
        (("id", "cvp", "luck"), ("marine", 1, None)),
    ],
)
def test_a_row_that_only_looks_like_the_journals_is_found(
    columns: tuple[str, ...], row: tuple[Value, ...]
) -> None:
    due = {"sides": ExpectedRows(("id", "cvp"), {"marine": ("marine", 1)})}
    assert len([*compare_tables({"sides": RawTable(columns, (row,))}, due)]) == 1


def test_a_value_in_the_wrong_column_is_found() -> None:
    due = {"sides": ExpectedRows(("id", "cvp"), {"marine": ("marine", 1)})}
    found = compare_tables({"sides": RawTable(("id", "san"), (("marine", 1),))}, due)
    assert [finding.message for finding in found] == [
        "sides: marine has 1 in the unknown column san",
        "sides: marine has no cvp",
    ]
