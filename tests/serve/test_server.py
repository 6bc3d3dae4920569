"""The server through Starlette's client: nothing hidden is sent, strangers and nonsense are refused, games last."""

import json
import time

import numpy as np
import pytest

from banquet_envs import game_spec
from banquet_envs.core import state as records
from tests.shipped import SHIPPED

pytest.importorskip("starlette", reason="needs the extra serve")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")
from starlette.testclient import TestClient

from banquet_agents.replays import PERSON
from banquet_agents.serve import app as application
from banquet_agents.serve.app import Server

GAME = "great_evening_banquet"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A server with its client, whose agents think in one process."""
    server = Server(tmp_path_factory.mktemp("tables"), 1, pace=0.0)
    with TestClient(server.app(), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield server, client


def new_table(client, seats, game=GAME, **options):
    answer = client.post("/api/tables", json={"game": game, "options": options, "seats": seats})
    assert answer.status_code == 200, answer.text
    return answer.json()


def page(client, token, **asked):
    answer = client.get(f"/api/table/{token}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def until_mine(client, token, seat=0):
    """The page once its seat is to move or the game is over."""
    shown, end = page(client, token), time.monotonic() + 300
    while not shown["over"] and shown["mover"] != seat:
        assert not shown["trouble"], shown["trouble"]
        assert time.monotonic() < end, "the agents do not move"
        shown = page(client, token, since=shown["version"])
    return shown


def play(client, token, shown, k=0):
    move = {"ply": shown["ply"], "action": shown["legal"][k]["action"]}
    answer = client.post(f"/api/table/{token}/play", json=move)
    assert answer.status_code == 200, answer.text


# ---------------------------------------------------------------- what is hidden


@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
@pytest.mark.parametrize("game", SHIPPED)
def test_pages_are_the_same_to_the_byte_whatever_is_hidden(house, game, most):
    server, client = house
    spec = game_spec(game)
    players = spec.max_players if most else max(2, spec.min_players)
    seats = new_table(client, [PERSON] * players, game)["seats"]
    table = server.tables.table(seats[0])
    rng, seen = np.random.default_rng(3), 0
    for moment in range(60):
        if table.sitting.over:
            break
        if moment % 6 == 0 or moment < 3:
            for seat, token in enumerate(seats):
                seen += _same_bytes(client, table, seat, token, seed=moment)
        legal = np.flatnonzero(table.game.legal_actions(table.sitting.states)[0])
        table.play(int(rng.choice(legal)))
    assert seen > 0


def _same_bytes(client, table, seat, token, seed):
    """Whether anything was hidden; the page of `seat` must not show it."""
    true, sent = table.sitting.positions[-1], client.get(f"/api/table/{token}").content
    other = records.copy(true)
    table.game.determinize(other, seat, seed)
    table.sitting.positions[-1] = other
    try:
        assert client.get(f"/api/table/{token}").content == sent, f"seat {seat}, ply {len(table.sitting.actions)}"
    finally:
        table.sitting.positions[-1] = true
    return (records.rows(other)[:, 16:] != records.rows(true)[:, 16:]).any()


def test_the_page_of_a_seat_would_show_a_secret_that_is_its_own(house):
    """The comparison above can fail: a card of the own hand changes the bytes."""
    server, client = house
    tokens = new_table(client, [PERSON, PERSON], "banquet_royal")["seats"]
    table = server.tables.table(tokens[0])
    sent = client.get(f"/api/table/{tokens[0]}").content
    true = table.sitting.positions[-1]
    other = records.copy(true)
    table.game.determinize(other, 1, 5)  # what seat 1 does not know: the hand of seat 0
    table.sitting.positions[-1] = other
    assert client.get(f"/api/table/{tokens[0]}").content != sent
    table.sitting.positions[-1] = true


def test_others_are_told_a_secret_choice_only_at_the_end(house):
    _, client = house
    mine, theirs = new_table(client, [PERSON, PERSON])["seats"]
    told = []
    while not (shown := page(client, mine))["over"]:
        token = (mine, theirs)[shown["mover"]]
        shown = page(client, token)
        play(client, token, shown)
        if shown["legal"][0]["text"].startswith("seat the") and shown["mover"] == 1:
            told.append(page(client, mine)["log"][-1][1])
    assert set(told) == {"seat a guest out of sight"}
    ended = page(client, mine)
    assert ended["bare"]
    assert not any("out of sight" in words for _, words in ended["log"])
    assert page(client, mine, view="all", ply=3)["view"] is None


def test_a_game_in_progress_shows_neither_other_seats_nor_thoughts_nor_its_replay(house):
    _, client = house
    token = new_table(client, [PERSON, "search:4"])["seats"][0]
    shown = until_mine(client, token)
    assert shown["thought"] is None
    assert shown["values"] == []
    for asked in ({"view": "1"}, {"view": "all"}):
        answer = client.get(f"/api/table/{token}", params=asked)
        assert answer.status_code == 400
        assert answer.json()["error"] == "what others see is shown when the game is over"
    assert client.get(f"/api/table/{token}/replay").status_code == 400
    file = json.dumps(shown)
    assert str(house[0].tables.table(token).sitting.replay().seed) not in file


# ---------------------------------------------------------------- strangers and nonsense


def test_a_token_opens_its_own_seat_and_no_other_table(house):
    server, client = house
    first, second = (new_table(client, [PERSON, PERSON])["seats"] for _ in range(2))
    mover = server.tables.table(first[0]).sitting.mover
    legal = page(client, first[mover])["legal"]
    move = {"ply": 0, "action": legal[0]["action"]}
    waiting = first[1 - mover]
    swapped = f"{first[0].split('.')[0]}.{second[0].split('.')[1]}"
    assert page(client, waiting)["legal"] == []
    refused = client.post(f"/api/table/{waiting}/play", json=move)
    assert refused.status_code == 409
    assert "is to move, and this link is not its own" in refused.json()["error"]
    for stranger in (swapped, "x" * 30, first[0][:-1], first[0] + "A", "%00", "..%2f..%2fetc", first[0].split(".")[0]):
        for answer in (client.get(f"/api/table/{stranger}"), client.post(f"/api/table/{stranger}/play", json=move)):
            assert answer.status_code == 404, stranger
    assert len(server.tables.table(first[0]).sitting.actions) == 0


def test_another_sites_page_may_change_nothing(house):
    server, client = house
    sent = {"game": GAME, "options": {}, "seats": [PERSON]}
    before = len(server.tables.open)
    assert client.post("/api/tables", json=sent, headers={"Origin": "http://evil.example"}).status_code == 403
    assert (
        client.post("/api/tables", content=json.dumps(sent), headers={"Content-Type": "text/plain"}).status_code == 415
    )
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert len(server.tables.open) == before
    answer = client.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"


NONSENSE = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'"x"', b'{"a":' * 5000, b'{"ply": 1e999, "action": 0}', b"{}"]


@pytest.mark.parametrize("what", ["tables", "play", "undo", "hint"])
def test_nonsense_is_refused_in_one_line(house, what):
    _, client = house
    token = new_table(client, [PERSON])["seats"][0]
    path = "/api/tables" if what == "tables" else f"/api/table/{token}/{what}"
    for body in [*NONSENSE, b'{"ply": -1, "action": 0, "agent": "x"}', b'{"ply": "0", "action": true, "agent": 3}']:
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400, body
        assert "\n" not in answer.json()["error"]
    assert client.post(path, content=b" " * 70_000, headers={"Content-Type": "application/json"}).status_code == 413
    assert page(client, token)["ply"] == 0


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"game": "whist"}, "no game named 'whist'"),
        ({"game": "os:path"}, "no game named 'os:path'"),
        ({"options": {"components": "x.toml"}}, "unknown option 'components'"),
        ({"options": {"expert": 3}}, "expert=3 is not allowed"),
        ({"seats": []}, "players=0 is not allowed"),
        ({"seats": [PERSON] * 5}, "players=5 is not allowed"),
        ({"seats": [PERSON, "os:system"]}, "agent 'os:system' is not to be had here"),
        ({"seats": [PERSON, "policy:x"]}, "agent 'policy:x' is not to be had here"),
        ({"seats": [PERSON, "search:99999999"]}, "is not to be had here"),
        ({"seats": [PERSON, "search:10,longest=9999999"]}, "is not to be had here"),
        ({"extra": 1}, "unknown entry 'extra'"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(house, sent, message):
    answer = house[1].post("/api/tables", json={"game": GAME, "options": {}, "seats": [PERSON, "random"]} | sent)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


def test_illegal_and_late_moves_change_nothing(house):
    _, client = house
    token = new_table(client, [PERSON])["seats"][0]
    shown = page(client, token)
    illegal = client.post(f"/api/table/{token}/play", json={"ply": 0, "action": 39})
    assert illegal.status_code == 409
    assert "may not play 39" in illegal.json()["error"]
    play(client, token, shown)
    late = client.post(f"/api/table/{token}/play", json={"ply": 0, "action": shown["legal"][0]["action"]})
    assert late.status_code == 400
    assert "the game has gone on" in late.json()["error"]
    assert page(client, token)["last"] == 1
    for asked in ({"ply": "99"}, {"ply": "-1"}, {"ply": "x"}, {"view": "7"}, {"since": "ⅷ"}):
        assert client.get(f"/api/table/{token}", params=asked).status_code == 400, asked


# ---------------------------------------------------------------- it lasts


def test_a_restarted_server_goes_on_with_the_game(house, tmp_path):
    tokens, lengths = [], []
    for _ in range(3):
        with TestClient(Server(tmp_path, 1).app(), base_url="http://127.0.0.1") as client:
            if not tokens:
                tokens = new_table(client, [PERSON, PERSON])["seats"]
            for _ in range(4):
                token = tokens[page(client, tokens[0])["mover"]]
                play(client, token, page(client, token))
            lengths.append(page(client, tokens[0])["last"])
            before = [client.get(f"/api/table/{token}").json() for token in tokens]
    with TestClient(Server(tmp_path, 1).app(), base_url="http://127.0.0.1") as client:
        after = [client.get(f"/api/table/{token}").json() for token in tokens]
    assert lengths == [4, 8, 12]
    for then, now in zip(before, after, strict=True):
        assert {k: v for k, v in then.items() if k != "version"} == {k: v for k, v in now.items() if k != "version"}


def test_a_tampered_table_is_refused(house, tmp_path):
    with TestClient(Server(tmp_path, 1).app(), base_url="http://127.0.0.1") as client:
        token = new_table(client, [PERSON])["seats"][0]
        play(client, token, page(client, token))
    (file,) = tmp_path.glob("*.json")
    whole = file.read_text()
    for text in (
        whole.replace("a person", "a parson"),
        whole[:100],
        "",
        whole.replace('actions\\":[', 'actions\\":[1,'),
    ):
        assert text != whole
        file.write_text(text)
        with TestClient(Server(tmp_path, 1).app(), base_url="http://127.0.0.1") as client:
            answer = client.get(f"/api/table/{token}")
            assert answer.status_code == 409
            assert "this table's file" in answer.json()["error"]


def test_own_components_are_played_with_and_asked_for_again(tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text(game_spec(GAME).components.read_text() + "\n# mine\n")
    own = {"games": [GAME], "components": {GAME: mine}}
    with TestClient(Server(tmp_path / "t", 1, **own).app(), base_url="http://127.0.0.1") as client:
        assert [game["name"] for game in client.get("/api/games").json()] == [GAME]
        refused = client.post("/api/tables", json={"game": "dinner_party", "options": {}, "seats": [PERSON, PERSON]})
        assert "no game named 'dinner_party' here" in refused.json()["error"]
        token = new_table(client, [PERSON])["seats"][0]
        play(client, token, page(client, token))
        asked = client.post(f"/api/table/{token}/hint", json={"ply": 1, "agent": "greedy"})
        assert asked.status_code == 200, "a worker has other components"
    with TestClient(Server(tmp_path / "t", 1, **own).app(), base_url="http://127.0.0.1") as client:
        assert page(client, token)["last"] == 1
    with TestClient(Server(tmp_path / "t", 1).app(), base_url="http://127.0.0.1") as client:
        refused = client.get(f"/api/table/{token}")
        assert refused.status_code == 409
        assert "--components names others" in refused.json()["error"]


def test_undo_hints_and_the_end_of_a_solo_game(house):
    _, client = house
    token = new_table(client, [PERSON])["seats"][0]
    shown = page(client, token)
    assert not shown["undo"]
    asked = client.post(f"/api/table/{token}/hint", json={"ply": 0, "agent": "search:16"})
    assert asked.status_code == 200, asked.text
    hint = page(client, token)["hint"]
    assert hint["action"] in [move["action"] for move in shown["legal"]]
    assert hint["unit"] == "visits"
    play(client, token, shown)
    assert page(client, token)["hint"] is None
    assert client.post(f"/api/table/{token}/undo", json={"ply": 1}).status_code == 200
    assert page(client, token)["picture"] == shown["picture"]
    while not (shown := page(client, token))["over"]:
        play(client, token, shown, -1)
    assert shown["places"] == [1]
    assert client.get(f"/api/table/{token}/replay").json()["undone"] == 1
    late = client.post(f"/api/table/{token}/play", json={"ply": shown["last"], "action": 0})
    assert late.json()["error"] == "the game is over"


def test_people_at_one_table_cannot_take_back(house):
    _, client = house
    tokens = new_table(client, [PERSON, PERSON])["seats"]
    token = tokens[page(client, tokens[0])["mover"]]
    play(client, token, page(client, token))
    answer = client.post(f"/api/table/{token}/undo", json={"ply": 1})
    assert answer.status_code == 400
    assert not page(client, token)["undo"]


# ---------------------------------------------------------------- agents


def test_a_watched_game_shows_everything_and_goes_on_by_itself(house):
    _, client = house
    token = new_table(client, ["random", "search:4"])["watch"]
    shown, end = page(client, token), time.monotonic() + 300
    while not shown["over"]:
        assert time.monotonic() < end
        shown = page(client, token, since=shown["version"])
    assert shown["bare"]
    assert shown["legal"] == []
    assert {seat for _, seat, _ in shown["values"]} == {1}
    ply = int(shown["values"][0][0])
    thought = page(client, token, ply=ply)["thought"]
    assert thought["agent"] == "search:4"
    assert thought["best"][0]["weight"] >= thought["best"][-1]["weight"]
    assert page(client, token, ply=ply, view=0)["view"] == 0


def test_the_policy_that_comes_along_plays_and_advises_where_there_is_one(house):
    _, client = house
    token = new_table(client, [PERSON, "policy:reference"])["seats"][0]
    shown = until_mine(client, token)
    assert "policy:reference" in shown["advisers"]
    client.post(f"/api/table/{token}/hint", json={"ply": shown["ply"], "agent": "policy:reference"})
    assert page(client, token)["hint"]["unit"] == "probability"
    sent = {"game": GAME, "options": {}, "seats": [PERSON, "random", "policy:reference"]}
    refused = client.post("/api/tables", json=sent)
    assert refused.status_code == 400
    assert "there is none for great_evening_banquet-3p" in refused.json()["error"]


def test_an_agent_that_fails_is_told_and_may_be_asked_again(house, monkeypatch):
    server, client = house

    async def fail(question):
        raise application.OptionError("agent 'random': no luck")

    monkeypatch.setattr(server.thinkers, "decide", fail)
    token = next(t for t in (new_table(client, [PERSON, "random"])["seats"][0] for _ in range(40))
                 if page(client, t)["mover"] == 1)  # fmt: skip
    end = time.monotonic() + 60
    while not (shown := page(client, token))["trouble"]:
        assert time.monotonic() < end
    assert shown["trouble"] == "agent 'random': no luck"
    assert not shown["thinking"]
    monkeypatch.undo()
    assert client.post(f"/api/table/{token}/go-on", json={}).status_code == 200
    assert until_mine(client, token)["trouble"] == ""


def test_a_worker_that_dies_is_told_and_replaced(house):
    server, client = house
    token = new_table(client, [PERSON])["seats"][0]

    def asked():
        return client.post(f"/api/table/{token}/hint", json={"ply": 0, "agent": "random"})

    assert asked().status_code == 200
    for process in list(server.thinkers._pool._processes.values()):
        process.kill()
        process.join()
    again = asked()
    if again.status_code != 200:  # the pool had not noticed before it was asked
        assert "its process died" in again.json()["error"]
        again = asked()
    assert again.status_code == 200


def test_ten_tables_with_searching_agents_are_all_answered_meanwhile(house):
    _, client = house
    tokens = [new_table(client, [PERSON, "search:50"])["seats"][0] for _ in range(10)]
    slowest = 0.0
    for token in tokens:
        begun = time.perf_counter()
        page(client, token)
        slowest = max(slowest, time.perf_counter() - begun)
    assert slowest < 2.0, "a page waits for somebody else's agent"
    for token in tokens:
        assert until_mine(client, token)["legal"]
