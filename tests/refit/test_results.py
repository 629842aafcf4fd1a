"""The results that a step reads off a table are those of the table's rows, in code and in data."""

from dataclasses import replace

import pytest

from brt_cg.card import load_card
from brt_cg.card.games import SharedData
from brt_cg.refit.play import Play, TableResults
from brt_cg.refit.s611_promotion import WoundedLeaderResults
from brt_cg.refit.sequence import NUMBERS, paragraph_of
from brt_cg.resources import game_data_folder
from tests.refit.table import campaign, leader

DECLARED = [results for number in NUMBERS for results in paragraph_of(number).rolls]


@pytest.mark.parametrize("cg", ["I", "II", "III"])
def test_every_table_is_read_by_a_step_that_knows_all_its_results(cg: str) -> None:
    tables = load_card(cg).tables
    for results in DECLARED:
        for key in results.TABLES:
            results.check_table(tables[key])
    assert {key for results in DECLARED for key in results.TABLES} == set(tables)


def test_a_result_renamed_in_the_data_is_reported_when_the_table_is_rolled() -> None:
    card = load_card("III")
    table = card.tables["15.6112"]
    healed = replace(table.rows[0], result="healed")
    renamed = replace(table, rows=(healed, *table.rows[1:]))
    shared = SharedData(game_data_folder())
    shared.tables = replace(shared.tables, dice={**card.tables, "15.6112": renamed})
    wounded = leader("m", None, setup_area="M1", status="wounded")
    play = Play(
        "15.6112",
        campaign(wounded),
        replace(card, shared=shared),
    )
    rolling = play.roll(WoundedLeaderResults, wounded)
    with pytest.raises(LookupError, match=r"table 15.6112 has the results eliminated, healed"):
        rolling.send(None)


def test_a_result_renamed_in_the_code_is_reported() -> None:
    class Healed(TableResults, tables=("15.6112",)):
        HEALED = "healed"

    with pytest.raises(LookupError, match="Healed reads healed"):
        Healed.check_table(load_card("III").tables["15.6112"])
