"""Whole games through the page, by clicks in a headless Chromium; skipped with the reason where there is none."""

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from banquet_envs import game_spec
from tests.shipped import SHIPPED

pytest.importorskip("starlette", reason="needs the extra serve")
pytest.importorskip("uvicorn", reason="needs the extra serve")
pytest.importorskip("selenium", reason="needs selenium")
from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Debian's chromium and chromium-driver"),
]
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--window-size=1400,1000",
)  # fmt: skip
PATIENCE = 600
"""Seconds that a game may stand still: the machine may be busy, and rules may have to be compiled."""
LOOK = 60
"""Seconds of one look; Selenium itself gives up after 120."""
ROOT = Path(__file__).parents[2]


class Server:
    """`banquet serve` as a process of its own."""

    def __init__(self, folder):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        words = ["-m", "banquet_training", "serve", "--port", self.port, "--tables", self.folder, "-w", 1]
        command = [sys.executable, *map(str, words)]
        paths = os.pathsep.join(str(ROOT / part) for part in (".", "agents", "training"))
        with (self.folder / "errors").open("a") as errors:
            environment = os.environ | {"PYTHONPATH": paths}
            self.process = subprocess.Popen(command, env=environment, stderr=errors)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/").read()
            except OSError:
                assert time.monotonic() < end, "the server does not start"
                time.sleep(0.2)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        told = [line for line in (self.folder / "errors").read_text().splitlines() if "compiling" not in line]
        assert told == ["banquet: stopped"] * len(told), told

    def open(self, game, seats, **options):
        sent = json.dumps({"game": game, "options": options, "seats": seats}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/tables", sent, {"Content-Type": "application/json"}
        )
        return json.load(urllib.request.urlopen(request))

    def address(self, token):
        return f"http://127.0.0.1:{self.port}/t/{token}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = Server(tmp_path_factory.mktemp("tables"))
    yield made
    made.stop()


@pytest.fixture
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(LOOK)
    yield driver
    driver.quit()


def until(browser, met, what):
    end = time.monotonic() + PATIENCE
    while not (found := met()):
        assert time.monotonic() < end, (
            f"{what}; status: {status(browser)!r}; {browser.find_element(By.ID, 'trouble').text}"
        )
        time.sleep(0.05)
    return found


def status(browser):
    return browser.find_element(By.ID, "status").text


def moves_told(browser):
    return int(browser.execute_script("return document.querySelectorAll('#log li').length"))


def yours(browser):
    return browser.execute_script("return document.getElementById('status').classList.contains('yours')")


def over(browser):
    return status(browser).startswith("The game is over")


TURN = """
const [told, done] = arguments, status = document.getElementById("status");
(function look() {
  const over = status.textContent.startsWith("The game is over"), moves = document.querySelectorAll("#log li").length;
  if (over || (status.classList.contains("yours") && moves > told)) done({over, moves});
  else setTimeout(look, 20);
})();
"""
MOVES = """
const moves = [...document.querySelectorAll("#picture .open[tabindex], #unplaced button")];
return moves[Math.floor(arguments[0] * moves.length)];
"""
MENU = """
const menu = document.querySelectorAll("#menu:not([hidden]) button");
return menu[Math.floor(arguments[0] * menu.length)];
"""


def turn(browser, told=-1):
    """Whether the game is over and how many moves are told, once the person is to move after more than `told` of them."""
    for _ in range(PATIENCE // LOOK):
        with contextlib.suppress(TimeoutException):
            return browser.execute_async_script(TURN, told)
    raise AssertionError(f"nothing moves; status: {status(browser)!r}, {moves_told(browser)} moves told")


def choose(browser, rng):
    """Click some move: on the picture where it has a place there, else a button in words."""
    picked = browser.execute_script(MOVES, rng.random())
    assert picked, "the page offers no move"
    try:
        picked.click()
    except WebDriverException:  # something else lies on its middle: by the keyboard then
        browser.execute_script("arguments[0].focus()", picked)
        picked.send_keys(Keys.ENTER)
    listed = browser.execute_script(MENU, rng.random())
    if listed:
        listed.click()


def play_on(browser, rng, decisions):
    """Play until the game is over, or for so many own decisions."""
    now = turn(browser)
    for _ in range(decisions):
        if now["over"]:
            return
        choose(browser, rng)
        now = turn(browser, now["moves"])


@pytest.mark.parametrize("most", [False, True], ids=["two", "most"])
@pytest.mark.parametrize("game", SHIPPED)
def test_a_whole_game_by_clicks_with_a_reload_and_a_restart(server, browser, game, most):
    players = game_spec(game).max_players if most else 2
    token = server.open(game, ["a person", *["greedy"] * (players - 1)])["seats"][0]
    browser.get(server.address(token))
    rng = random.Random(game)
    play_on(browser, rng, 3)
    told = moves_told(browser)
    browser.refresh()
    until(browser, lambda: moves_told(browser) >= told, "a reload loses the game")
    server.stop()
    server.start()
    play_on(browser, rng, 100_000)
    assert over(browser)
    last = int(browser.find_element(By.ID, "slider").get_attribute("max"))
    assert last == moves_told(browser)
    assert browser.find_element(By.ID, "download").is_displayed()
    assert not [line for line in browser.get_log("browser") if "javascript" in line["source"]]


def test_two_people_at_one_table_each_with_their_own_link(server, browser):
    tokens = [t for t in server.open("great_evening_banquet", ["a person", "a person", "random"])["seats"] if t]
    windows = []
    for token in tokens:
        browser.switch_to.new_window("tab")
        browser.get(server.address(token))
        windows.append(browser.current_window_handle)
    rng = random.Random(2)
    end = time.monotonic() + 10 * PATIENCE
    while True:
        assert time.monotonic() < end
        for window in windows:
            browser.switch_to.window(window)
            if yours(browser):
                told = moves_told(browser)
                choose(browser, rng)
                until(browser, lambda t=told: moves_told(browser) > t, "the click plays nothing")
        if over(browser):
            break
    heads = set()
    for seat, window in enumerate(windows):
        browser.switch_to.window(window)
        until(browser, lambda: over(browser), "the other page does not end")
        assert f"Seat {seat} (you)" in browser.find_element(By.ID, "seats").text
        heads.add(status(browser).replace(" (you)", ""))
    assert len(heads) == 1


def test_a_replay_is_stepped_through_by_the_arrow_keys(server, browser):
    token = server.open("great_evening_banquet", ["greedy", "search:8"])["watch"]
    browser.get(server.address(token))
    until(browser, lambda: over(browser), "the watched game does not end")
    body = browser.find_element(By.TAG_NAME, "body")
    last = moves_told(browser)

    def where():
        return browser.find_element(By.ID, "where").text

    for keys, ply in ((Keys.ARROW_LEFT, last - 1), (Keys.HOME, 0), (Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2)):
        body.send_keys(keys)
        until(browser, lambda p=ply: where() == f"move {p} of {last}", f"{keys!r} does not lead to {ply}")
    picture = browser.find_element(By.ID, "picture").get_attribute("innerHTML")
    link = browser.find_element(By.ID, "link").get_attribute("href")
    assert link.endswith("#ply=2")
    browser.get("about:blank")
    browser.get(link)
    until(browser, lambda: where() == f"move 2 of {last}", "the link does not lead to its position")
    assert browser.find_element(By.ID, "picture").get_attribute("innerHTML") == picture
    assert browser.find_elements(By.CSS_SELECTOR, "#graph polyline")


def test_a_whole_game_by_keys_alone(server, browser):
    browser.get(server.address(server.open("great_evening_banquet", ["a person"])["seats"][0]))
    now = turn(browser)
    while not now["over"]:
        for _ in range(60):
            press(browser, Keys.TAB)
            if browser.execute_script("return document.activeElement.matches('#picture .open, #unplaced button')"):
                break
        press(browser, Keys.ENTER)
        if browser.execute_script(MENU, 0.0):
            press(browser, Keys.ENTER)
        now = turn(browser, now["moves"])


def press(browser, key):
    ActionChains(browser).send_keys(key).perform()


def test_hints_undo_keyboard_and_a_phones_width(server, browser):
    browser.set_window_size(400, 900)
    browser.get(f"http://127.0.0.1:{server.port}/")
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "[data-seat]"), "the form is empty")
    browser.find_element(By.CSS_SELECTOR, "#game [value=great_evening_banquet]").click()
    browser.find_element(By.CSS_SELECTOR, "#players [value='1']").click()
    browser.find_element(By.CSS_SELECTOR, "#form button").click()
    until(browser, lambda: browser.find_elements(By.ID, "status") and yours(browser), "no table is opened")
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= browser.execute_script("return innerWidth"), "the page is wider than a phone"
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys("h")
    until(browser, lambda: "advises" in browser.find_element(By.ID, "bars").text, "no hint comes")
    browser.find_element(By.CSS_SELECTOR, "#picture .open[tabindex]").send_keys(Keys.ENTER)
    if browser.find_element(By.ID, "menu").is_displayed():
        browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(browser, lambda: moves_told(browser) >= 1, "Enter plays nothing")
    until(browser, lambda: yours(browser), "it is not the person's turn")
    body.send_keys("u")
    until(browser, lambda: moves_told(browser) == 0, "u takes nothing back")
