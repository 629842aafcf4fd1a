"""The pieces of a save: nested text, stacks, layers, moves of a log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brt_cg.board import locations
from brt_cg.vasl import geometry
from brt_cg.vasl.layers import layered_name
from brt_cg.vasl.pieces import VaslPlace, VaslSave
from brt_cg.vasl.savefile import SaveError, join_chain, join_tokens, split_chain, split_tokens
from tests.vasl.writer import Save, Wrote, conceal, hide, layer

ANY = st.text(alphabet="ab'\\\t/;\x1b", max_size=8)


@given(st.lists(ANY, min_size=1, max_size=5))
def test_a_token_sequence_round_trips(parts: list[str]) -> None:
    # An empty part at the end, or one that ends in a backslash, is what VASSAL cannot tell apart.
    parts = [part.rstrip("\\") for part in parts]
    assert split_tokens(join_tokens(parts, "/"), "/") == parts


@given(st.lists(st.text(alphabet="ab;/'\\", max_size=6), min_size=1, max_size=6))
def test_a_chain_of_traits_round_trips(links: list[str]) -> None:
    links = [link.rstrip("\\") for link in links]
    assert split_chain(join_chain(links)) == links


@given(st.lists(st.text(alphabet="ab;/\t", max_size=6), min_size=2, max_size=6))
def test_a_trait_may_hold_a_piece_of_its_own(links: list[str]) -> None:
    links[-1] = links[-1].replace("\t", "")
    assert split_chain(join_chain(links)) == links


@pytest.mark.parametrize(("old_quotes", "state"), [(True, "x\\"), (False, "\\x")])
def test_a_save_with_either_quoting_round_trips_exactly(old_quotes: bool, state: str) -> None:
    odd = Wrote("7", "it's odd", traits=[("label;x", state), ("mark;'x'", "'y'"), hide()])
    save = Save(old_quotes).at("N21", Wrote("1", "9-1", traits=[hide()]), odd)
    saved = VaslSave(save.text())
    assert saved.text() == save.text()
    assert [layered_name(piece).name for piece in saved.pieces.values()] == ["9-1", "it's odd"]
    assert [trait.state for trait in saved.pieces["7"].traits[:3]] == [state, "'y'", "null"]


def test_a_piece_has_its_stacks_position_and_knows_the_pieces_above() -> None:
    saved = VaslSave(Save().at("N21", Wrote("1", "9-1"), Wrote("2", "Encircled")).text())
    x, y = geometry.hex_center("N21")
    assert saved.places_and_pieces_above()["1"] == (VaslPlace("Main Map", x, y), ["2"])
    assert saved.places_and_pieces_above()["2"] == (VaslPlace("Main Map", x, y), [])


def test_a_log_is_read_to_its_last_command() -> None:
    save = Save().at("N21", Wrote("1", "9-1"), Wrote("2", "HMG")).at("E4", Wrote("3", "LMG"))
    x, y = geometry.hex_center("E4")
    save.others = [
        f"LOG\tM/1/Main Map/{x}/{y}/3/Main Map/0/0/null/player",
        "LOG\t-/2",
    ]
    saved = VaslSave(save.text())
    assert sorted(saved.pieces) == ["1", "3"]
    assert saved.places_and_pieces_above()["3"] == (VaslPlace("Main Map", x, y), ["1"])


def test_a_log_changes_layers() -> None:
    squad = Wrote("1", "4-4-8 Esq", traits=[layer("str 3-4-8 Esq,2-3-8 Ehs", -1)])
    save = Save().at("N21", squad)
    x, y = geometry.hex_center("N21")
    state = save.chained(["2", f"Main Map;{x};{y};0"])
    save.others = ["D/" + save.joined(["1", state], "/")]
    assert layered_name(VaslSave(save.text()).pieces["1"]).name == "2-3-8 Ehs"


def test_only_the_changed_text_of_a_save_differs() -> None:
    save = Save().at("N21", Wrote("1", "9-1", traits=[layer("broken +", -1)]), Wrote("2", "LMG"))
    saved = VaslSave(save.text())
    piece = saved.pieces["1"]
    piece.traits[0].state = "1"
    saved.write_back(piece)
    stack = next(iter(saved.stacks.values()))
    stack.place = VaslPlace("Main Map", *geometry.hex_center("E4"))
    saved.write_back(stack)
    again = VaslSave(saved.text())
    assert layered_name(again.pieces["1"]).words == ("broken",)
    assert again.places_and_pieces_above()["2"][0] == stack.place
    assert again.pieces["2"].traits == VaslSave(save.text()).pieces["2"].traits


def test_endlessly_nested_commands_are_refused() -> None:
    text = "end"
    for _ in range(100):
        text = join_tokens(("", text), "\x1b")
    with pytest.raises(SaveError, match="nested"):
        VaslSave(text)


# --- names --------------------------------------------------------------------------------------


def test_a_layer_replaces_prefixes_or_suffixes_the_name_from_the_innermost_outwards() -> None:
    piece = Wrote(
        "1",
        "4-4-8 Esq",
        traits=[
            layer("Berserk +", -1),
            layer("broken +", 1),
            layer("+ vca3,+ vca4", 2),
            layer("4-4-7 1sq,3-4-7 2sq", 1),
        ],
    )
    found = layered_name(VaslSave(Save().at("N21", piece).text()).pieces["1"])
    assert (found.name, found.words, found.folders) == ("4-4-7 1sq", ("broken", "vca4"), ("ja",))


def test_a_literal_plus_belongs_to_the_name() -> None:
    leader = Wrote("1", " ", traits=[layer(r"7-0,6\+1", 2, "am/L")])
    assert layered_name(VaslSave(Save().at("N21", leader).text()).pieces["1"]).name == "6+1"


def test_hidden_and_concealed_traits_have_an_owner() -> None:
    save = Save().at("N21", Wrote("1", "9-1", traits=[hide("me"), conceal()]))
    save.at("N22", Wrote("2", "9-1", traits=[hide(), conceal("me")]))
    pieces = VaslSave(save.text()).pieces
    assert [(layered_name(one).hidden, layered_name(one).concealed) for one in pieces.values()] == [
        (True, False),
        (False, True),
    ]


# --- where things stand -------------------------------------------------------------------------


def test_every_hex_is_found_at_its_own_center() -> None:
    for hex in sorted(locations.hexes_in_play(63)):
        found = geometry.hex_at(*geometry.hex_center(hex))
        assert found is not None
        assert found[0] == hex
        assert found[1] < 1


def test_the_margin_is_off_the_map() -> None:
    assert geometry.hex_at(150, 2000) is None
    assert geometry.hex_at(900, 120) is None


def test_a_save_with_only_one_piece_can_be_written_to() -> None:
    alone = join_tokens(("1", "piece;;;;9-1", "Main Map;0;0", "rest"), "/")
    saved = VaslSave(f"+/{alone}")
    place = VaslPlace("Main Map", 500, 600)
    saved.new_stack(place, ["1"], ())
    assert VaslSave(saved.text()).places_and_pieces_above() == {"1": (place, [])}


def test_a_piece_moved_without_a_stack_goes_to_the_bottom_of_the_hex() -> None:
    save = Save().at("N21", Wrote("1", "9-1"), Wrote("2", "LMG")).at("N22", Wrote("3", "7-6-8 Msq"))
    x, y = geometry.hex_center("N21")
    save.others = [f"LOG\tM/3/Main Map/{x}/{y}/null/Main Map/0/0/null/"]
    moved = VaslSave(save.text())
    assert moved.stacks["90"].pieces == ["3", "1", "2"]
