// The page that opens a table.

import { PERSON, ask, element, knownTables, remember } from "/static/common.js";

const $ = (id) => document.getElementById(id);
let games = [];
const game = () => games.find((g) => g.name === $("game").value);

function choices(select, items, chosen) {
  select.replaceChildren(...items.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
}

function showGame() {
  $("about").textContent = `What it is about: ${game().about}.`;
  choices($("players"), game().players.map((n) => [String(n), String(n)]), String(Math.max(2, game().players[0])));
  const rows = game().options.map((option) => {
    const select = element("select", { name: option.name, "data-option": option.name });
    choices(select, option.choices.map((c) => [JSON.stringify(c), String(c)]), JSON.stringify(option.default));
    return element("label", {}, `${option.name} `, select, element("span", { className: "small" }, option.text));
  });
  $("options").hidden = rows.length === 0;
  $("options").querySelector("div").replaceChildren(...rows);
  showSeats();
}

function showSeats() {
  const agents = game().agents.map((a) => [a.name, `${a.name}: ${a.text}`]);
  const strongest = game().agents.filter((a) => !a.name.includes(":")).at(-1).name;
  const rows = Array.from({ length: Number($("players").value) }, (_, seat) => {
    const select = element("select", { "data-seat": String(seat) });
    choices(select, [[PERSON, "a person"], ...agents], seat === 0 ? PERSON : strongest);
    return element("label", {}, `Seat ${seat} `, select);
  });
  $("seats").replaceChildren($("seats").querySelector("legend"), ...rows);
}

async function open(event) {
  event.preventDefault();
  $("trouble").textContent = "The table is being laid; the first time a game is played this takes a while …";
  const options = {};
  for (const select of document.querySelectorAll("[data-option]")) options[select.dataset.option] = JSON.parse(select.value);
  const seats = [...document.querySelectorAll("[data-seat]")].map((select) => select.value);
  try {
    const made = await ask("/api/tables", { game: game().name, options, seats });
    $("trouble").textContent = "";
    const links = made.seats.map((token, seat) => ({ token, name: `Seat ${seat}` })).filter((link) => link.token);
    if (made.watch) links.push({ token: made.watch, name: "Watch" });
    for (const link of [...links].reverse()) remember(link.token, `${game().title}, ${link.name.toLowerCase()}`);
    if (links.length === 1) location.href = `/t/${links[0].token}`;
    else showLinks(links);
  } catch (error) {
    $("trouble").textContent = error.message;
  }
}

function showLinks(links) {
  $("links").hidden = false;
  $("links").querySelector("ul").replaceChildren(...links.map((link) => {
    const address = `${location.origin}/t/${link.token}`;
    return element("li", {}, element("a", { href: address }, link.name), " ", element("code", {}, address));
  }));
  $("links").scrollIntoView();
}

function showKnown() {
  const tables = knownTables();
  $("known").hidden = tables.length === 0;
  $("known").querySelector("ul").replaceChildren(...tables.map((table) =>
    element("li", {}, element("a", { href: `/t/${table.token}` }, table.title), ` ${table.when}`)));
}

games = await ask("/api/games");
choices($("game"), games.map((g) => [g.name, g.title]), games[0].name);
$("game").addEventListener("change", showGame);
$("players").addEventListener("change", showSeats);
$("form").addEventListener("submit", open);
showGame();
showKnown();
