"""The addresses of the seats: they last, they can be closed, and the server knows its own names."""

import pytest

from brt_cg.questions.answers import RefusedError
from brt_cg.web import SEATS
from brt_cg.web.addresses import ServerAddress, load_or_create_tokens, parse_public_url

HERE = ServerAddress("127.0.0.1", 8000)
BEHIND = ServerAddress("127.0.0.1", 8000, "https://tarawa.example")


def test_the_addresses_are_the_same_at_the_next_start() -> None:
    assert (
        load_or_create_tokens("one", SEATS).of_seat == load_or_create_tokens("one", SEATS).of_seat
    )
    assert (
        load_or_create_tokens("one", SEATS).of_seat != load_or_create_tokens("two", SEATS).of_seat
    )


def test_new_addresses_close_the_old_ones() -> None:
    old = load_or_create_tokens("three", SEATS)
    new = load_or_create_tokens("three", SEATS, new=True)
    token = old.of_seat["marine"]
    assert (new.seat_of(token), new.was_closed(token)) == (None, True)
    assert not new.was_closed("a guess")
    assert not new.are_cookies_valid(
        "marine", {old.cookie_name("marine"): old.cookie_value("marine")}
    )
    assert load_or_create_tokens("three", SEATS).of_seat == new.of_seat


def test_two_campaigns_work_in_one_browser() -> None:
    one, two = load_or_create_tokens("a" * 64, SEATS), load_or_create_tokens("b" * 64, SEATS)
    cookies = {tokens.cookie_name("marine"): tokens.cookie_value("marine") for tokens in (one, two)}
    assert len(cookies) == 2
    assert one.are_cookies_valid("marine", cookies)
    assert two.are_cookies_valid("marine", cookies)
    assert not one.are_cookies_valid("japanese", cookies)


def test_the_umpires_token_opens_nothing_where_a_player_serves() -> None:
    every = load_or_create_tokens("four", SEATS)
    players = load_or_create_tokens("four", ("marine", "japanese"))
    assert players.seat_of(every.of_seat["umpire"]) is None
    assert not players.are_cookies_valid(
        "umpire", {every.cookie_name("umpire"): every.cookie_value("umpire")}
    )
    assert players.seat_of("") is None
    assert not players.are_cookies_valid("umpire", {})


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:9999", "[::1]:1234"])
def test_any_loopback_port_is_accepted_for_an_ssh_tunnel(host: str) -> None:
    assert HERE.is_allowed(host, None)
    assert HERE.is_allowed(host, f"http://{host}")
    assert not HERE.is_allowed(host, "http://evil.example")
    assert not HERE.is_allowed(host, "http://localhost:1")
    assert not HERE.is_allowed(host, "null")


def test_another_host_name_is_refused() -> None:
    assert not HERE.is_allowed("evil.example:8000", None)
    assert not HERE.is_allowed("localhost.evil.example:80", None)
    assert not HERE.is_allowed("127.0.0.1:44583@evil.example", None)
    assert not HERE.is_allowed("127.0.0.1:", None)
    assert not ServerAddress("192.168.1.5", 8000).is_allowed("localhost:8000", None)
    assert ServerAddress("192.168.1.5", 8000).is_allowed(
        "192.168.1.5:8000", "http://192.168.1.5:8000"
    )


def test_the_public_name_is_accepted_only_with_its_own_origin() -> None:
    assert BEHIND.is_allowed("Tarawa.example", "https://tarawa.example")
    assert BEHIND.is_allowed("127.0.0.1:8000", "https://tarawa.example")  # a proxy that renames it
    assert not BEHIND.is_allowed("tarawa.example", "https://evil.example")
    assert not BEHIND.is_allowed("tarawa.example:444", "https://tarawa.example")


def test_a_cookie_is_https_only_if_the_browser_uses_https() -> None:
    assert BEHIND.is_encrypted("tarawa.example", None)
    assert BEHIND.is_encrypted("127.0.0.1:8000", "https")
    assert not BEHIND.is_encrypted("127.0.0.1:8000", None)
    assert not HERE.is_encrypted("127.0.0.1:8000", "https")


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        ("https://Tarawa.example/", "https://tarawa.example"),
        ("https://tarawa.example:443", "https://tarawa.example"),
        ("http://my-pc:8000", "http://my-pc:8000"),
        ("http://[fd00::1]:8000", "http://[fd00::1]:8000"),
        ("https://Тарава.example", "https://xn--80aaah2ek.example"),
    ],
)
def test_the_public_address_is_an_origin(typed: str, origin: str) -> None:
    assert parse_public_url(typed) == origin


@pytest.mark.parametrize(
    "typed",
    [
        "tarawa.example",
        "ftp://x",
        "https://",
        "https://a/b",
        "https://a:b",
        "https://u@a",
        "https://a?x",
        "https://tarawa .example",
    ],
)
def test_other_public_addresses_are_refused_with_the_allowed_form(typed: str) -> None:
    with pytest.raises(RefusedError, match=r"--public-url.*enter one such as"):
        parse_public_url(typed)


def test_a_public_address_with_a_path_is_refused_with_nginx_advice() -> None:
    with pytest.raises(RefusedError, match=r"server_name tarawa\.example;.*location / "):
        parse_public_url("https://example.org/tarawa")
