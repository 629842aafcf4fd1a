"""Where a campaign is kept: a file or an address, whose password nobody sees."""

from pathlib import Path

import pytest

from brt_cg.storage.place import Address, AddressError, parse_address, parse_place


def test_a_text_that_is_no_address_is_a_file() -> None:
    assert parse_place("tarawa.brt") == Path("tarawa.brt")
    assert parse_place("postgresql.brt") == Path("postgresql.brt")


@pytest.mark.parametrize(
    ("typed", "shown", "password"),
    [
        ("postgresql://host/db?campaign=t", "postgresql://host/db?campaign=t", None),
        ("postgres://host/db?campaign=t", "postgresql://host/db?campaign=t", None),
        ("postgresql://ann@host:5433/db?campaign=t", None, None),
        ("postgresql://ann:se%40cret@host/db?campaign=t", "postgresql://ann@host/db?campaign=t", 1),
        ("postgresql://ann:se@cret@host/db?campaign=t", "postgresql://ann@host/db?campaign=t", 1),
        (
            "postgresql://ann@host/db?password=se%40cret&campaign=t&sslmode=require",
            "postgresql://ann@host/db?sslmode=require&campaign=t",
            1,
        ),
        (
            "postgresql:///db?host=/tmp/x%20y&campaign=t",
            "postgresql:///db?host=/tmp/x%20y&campaign=t",
            0,
        ),
    ],
)
def test_an_address_is_shown_without_its_password(
    typed: str, shown: str | None, password: int | None
) -> None:
    address = parse_address(typed)
    assert str(address) == (shown or typed)
    assert address.campaign == "t"
    assert address.password == ("se@cret" if password else None)
    assert "cret" not in repr(address)
    assert parse_address(str(address)) == address


def test_an_address_of_a_server_names_no_campaign() -> None:
    server = parse_address("postgresql://host/db")
    assert server == Address("postgresql://host/db", None)
    assert server.of_campaign("tarawa") == parse_address("postgresql://host/db?campaign=tarawa")


@pytest.mark.parametrize(
    "typed",
    [
        "postgresql://ann:sec?ret@host/db?campaign=t",
        "postgresql://ann:secret@host/db?campaign=no spaces",
        "postgresql://ann:secret@host/db?campaign=",
        "postgresql://ann:secret@host/db?campaign=x'--",
        "postgresql://ann:secret@host/db?options=-csearch_path%3Dpublic",
        "mysql://ann:secret@host/db",
    ],
)
def test_an_invalid_address_is_reported_without_its_password(typed: str) -> None:
    with pytest.raises(AddressError) as told:
        parse_address(typed)
    assert "sec" not in str(told.value)
    assert "ret" not in str(told.value)
