// The page of one table: shows what the server tells of it, sends what is clicked or typed.

import { ask, element, remember } from "/static/common.js";

const $ = (id) => document.getElementById(id);
const token = location.pathname.split("/").at(-1);
const api = `/api/table/${token}`;
const SVG = "http://www.w3.org/2000/svg";
const LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]; // told apart by colour-blind people
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 4", "1 2"];

const FEW = 12; // moves that are listed without being asked for

let page = null; // what is shown
let shown = ""; // the same as text
let pointed = null; // the place under the pointer
let latest = null; // version of the newest news
let wanted = { ply: null, view: undefined }; // null: the latest position; undefined: the view of this link

// ---------------------------------------------------------------- what is asked for

function query(since) {
  const asked = new URLSearchParams();
  if (since !== null) asked.set("since", since);
  if (wanted.ply !== null) asked.set("ply", wanted.ply);
  if (wanted.view !== undefined) asked.set("view", wanted.view);
  return `${api}?${asked}`;
}

async function refresh() {
  try { show(await ask(query(null))); trouble(""); } catch (error) { trouble(error.message); }
}

// News arrive by an answer that the server holds back until there are some; a lost connection is tried again.
async function follow() {
  for (let pause = 500; ;) {
    try {
      const asked = query(null);
      const news = await ask(query(latest));
      if (asked !== query(null)) await refresh(); // somebody has stepped to another position meanwhile
      else if (news.version !== latest) show(news);
      latest = news.version;
      trouble("");
      pause = 500;
    } catch (error) {
      if (error.status === 404 || error.status === 409) { trouble(error.message); return; }
      if (error.status === 400) wanted = { ply: null, view: undefined };
      trouble(error.status ? error.message : "The server cannot be reached; trying again …");
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(2 * pause, 5000);
    }
  }
}

async function send(what, sent) {
  closeMenu();
  try { await ask(`${api}/${what}`, sent); trouble(""); } catch (error) { trouble(error.message); }
}

const play = (action) => send("play", { ply: page.ply, action });
const undo = () => { if (!$("undo").disabled) send("undo", { ply: page.last }); };
const hint = () => {
  if ($("hint").disabled) return;
  $("bars").replaceChildren(`${$("adviser").value} is thinking …`);
  shown = ""; // the answer may be the same as before
  send("hint", { ply: page.ply, agent: $("adviser").value });
};

function go(ply) {
  const to = Math.max(0, Math.min(ply, page.last));
  wanted.ply = to === page.last ? null : to;
  writeHash();
  refresh();
}

function writeHash() {
  const parts = new URLSearchParams();
  if (wanted.ply !== null) parts.set("ply", wanted.ply);
  if (wanted.view !== undefined) parts.set("view", wanted.view);
  history.replaceState(null, "", `#${parts}`);
}

function readHash() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const ply = parts.get("ply");
  wanted.ply = ply !== null && /^\d{1,8}$/.test(ply) ? Number(ply) : null;
  wanted.view = parts.get("view") ?? undefined;
}

// ---------------------------------------------------------------- what is shown

function trouble(words) {
  $("trouble").textContent = words;
  $("trouble").hidden = !words;
}

function seatName(seat) {
  return `Seat ${seat}${seat === page.holder ? " (you)" : ""}`;
}

function statusText() {
  if (page.places) {
    const first = page.places.flatMap((place, seat) => (place === 1 ? [seatName(seat)] : []));
    return page.places.length === 1 ? `The game is over: ${page.points[0]} points.` : `The game is over. First: ${first.join(" and ")}.`;
  }
  if (page.ply < page.last) return `Looking back at move ${page.ply} of ${page.last}.`;
  if (page.trouble) return page.trouble;
  if (page.mover === page.holder) return "Your turn.";
  const name = page.seats[page.mover].name;
  return page.thinking ? `${seatName(page.mover)}, ${name}, is thinking …` : `Waiting for seat ${page.mover}, ${name}.`;
}

function show(news) {
  const told = JSON.stringify({ ...news, version: null });
  if (told === shown) return; // what somebody is about to click stays where it is
  shown = told;
  const moved = page === null || page.ply !== news.ply || page.last !== news.last;
  const drawn = moved || page.picture !== news.picture;
  page = news;
  document.title = `${news.mover === news.holder && news.legal.length ? "● " : ""}${news.title}`;
  $("title").textContent = news.title;
  $("status").textContent = statusText();
  $("status").classList.toggle("yours", news.legal.length > 0);
  if (moved) closeMenu();
  if (drawn) showPicture();
  showTurn();
  showSeats();
  showSteps();
  showLog();
  showValues();
  $("words").textContent = news.words;
}

function showPicture() {
  const held = document.activeElement?.dataset?.place;
  $("picture").innerHTML = page.picture;
  const svg = $("picture").querySelector("svg");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  const places = new Map();
  for (const move of page.legal) if (move.place) places.set(move.place, [...(places.get(move.place) ?? []), move]);
  const found = [...places].map(([place, moves]) => ({ part: partsOf(place)[0], moves }));
  const halos = found.map(({ part }) => haloOf(svg, part)); // all are measured before anything changes: one layout, not many
  svg.append(...halos);
  const open = found.map(({ part, moves }, k) => openPlace(part, halos[k], moves));
  svg.addEventListener("click", (event) => placeAt(open, event)?.choose(event));
  svg.addEventListener("mousemove", (event) => {
    const under = placeAt(open, event);
    svg.style.cursor = under ? "pointer" : "";
    if (under?.place !== pointed) {
      if (pointed !== null) point(pointed, false);
      pointed = under?.place ?? null;
      if (under) point(under.place, true);
    }
  });
  if (held) partsOf(held)[0]?.focus({ preventScroll: true });
}

const partsOf = (place) => [...$("picture").querySelectorAll("[data-place]")].filter((part) => part.dataset.place === place);

// The open place under the pointer, the smallest where frames lie in each other, the nearest where they overlap.
function placeAt(open, event) {
  const hits = open.flatMap((one) => {
    const box = one.halo.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    const away = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
    return inside ? [{ one, size: Math.round(box.width * box.height / 100), away }] : [];
  });
  hits.sort((a, b) => a.size - b.size || a.away - b.away);
  return hits[0]?.one;
}

// A frame around a place, to lie above everything else.
function haloOf(svg, part) {
  const halo = document.createElementNS(SVG, "rect");
  const box = part.getBBox();
  const to = svg.getScreenCTM().inverse().multiply(part.getScreenCTM());
  for (const [name, value] of Object.entries({
    x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 7, class: "halo",
    transform: `matrix(${to.a} ${to.b} ${to.c} ${to.d} ${to.e} ${to.f})`, "data-halo": part.dataset.place,
  })) halo.setAttribute(name, value);
  return halo;
}

// A place with moves: clicked through its frame, reached by keys itself.
function openPlace(part, halo, moves) {
  const place = part.dataset.place;
  const choose = (event) => {
    event.preventDefault();
    event.stopPropagation();
    if (moves.length === 1) play(moves[0].action);
    else openMenu(part, moves);
  };
  const words = moves.map((move) => move.text);
  part.classList.add("open");
  part.setAttribute("tabindex", "0");
  part.setAttribute("role", "button");
  part.setAttribute("aria-label", words.length > 4 ? `${words.length} moves here` : words.join("; or "));
  part.addEventListener("focus", () => point(place, true));
  part.addEventListener("blur", () => point(place, false));
  part.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") choose(event); });
  return { place, halo, choose };
}

// Show what can be done at a place: its frame, and its moves in words.
function point(place, on) {
  const words = page.legal.filter((move) => place && move.place === place).map((move) => move.text);
  $("here").textContent = on ? words.slice(0, 6).join("; or ") + (words.length > 6 ? `; and ${words.length - 6} more` : "") : "";
  for (const halo of $("picture").querySelectorAll(".halo")) {
    if (halo.dataset.halo === place) halo.classList.toggle("pointed", on);
  }
}

function moveButton(move) {
  const pointed = (on) => () => point(move.place, on);
  return element("button", {
    type: "button", "data-action": String(move.action), onclick: () => play(move.action),
    onmouseenter: pointed(true), onmouseleave: pointed(false), onfocus: pointed(true), onblur: pointed(false),
  }, move.text);
}

const moveItem = (move) => element("li", {}, moveButton(move));

function openMenu(part, moves) {
  const box = part.getBoundingClientRect();
  const menu = $("menu");
  menu.replaceChildren(element("ol", { className: "moves" }, ...moves.map(moveItem)));
  menu.hidden = false;
  const left = Math.min(box.left + box.width / 2, document.documentElement.clientWidth - menu.offsetWidth - 8);
  menu.style.left = `${Math.max(4, left) + scrollX}px`;
  menu.style.top = `${Math.min(box.bottom, innerHeight - Math.min(menu.offsetHeight, innerHeight * 0.6) - 8) + scrollY}px`;
  menu.querySelector("button").focus({ preventScroll: true });
}

function closeMenu() {
  $("menu").hidden = true;
}

function showTurn() {
  const yours = page.legal.length > 0;
  // The numbers of slots and tiles in these words are those of programs; people see the place itself.
  const kinds = [...new Set(page.legal.map((move) => move.kind.replace(/ ?\b\d+-\d*/g, "")))];
  $("question").textContent = yours ? "Your choice" : statusText();
  $("kinds").textContent = yours ? `Click a marked place on the picture, or a move here. You may: ${kinds.join(" · ")}` : "";
  $("unplaced").replaceChildren(...page.legal.filter((move) => !move.place).map(moveItem));
  $("all").hidden = !yours;
  $("all").open ||= yours && page.legal.length <= FEW;
  $("count").textContent = page.legal.length;
  showMoves();
  $("undo").hidden = page.holder === null;
  $("undo").disabled = !page.undo || page.ply !== page.last;
  $("advice").hidden = page.holder === null || page.over;
  $("hint").disabled = !yours;
  if (!$("adviser").options.length) {
    $("adviser").append(...page.advisers.map((name) => element("option", { value: name }, name)));
    $("adviser").value = page.advisers.filter((name) => !name.includes(":")).at(-1); // the strongest scripted one
  }
  $("again").hidden = !page.trouble || page.over || page.holder === null && page.seats.every((seat) => seat.person);
  showBars();
}

function showMoves() {
  const typed = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = page.legal.filter((move) => typed.every((word) => move.text.toLowerCase().includes(word)));
  $("moves").replaceChildren(...found.map(moveItem));
}

function showBars() {
  const told = page.hint ?? page.thought;
  if (!told) { $("bars").replaceChildren(); return; }
  const head = page.hint ? `${told.agent} advises: ${told.text}.` : `Seat ${told.seat}, ${told.agent}, plays: ${told.played}.`;
  const bars = (told.best ?? []).map((one) => element("div", { className: "bar" },
    element("i", { style: `width: ${100 * one.weight}%` }),
    element("span", {}, `${Math.round(100 * one.weight)} % ${one.text}${one.value === null ? "" : ` (expects ${one.value.toFixed(2)})`}`)));
  const unit = told.best ? `Bars: ${told.unit === "visits" ? "share of the search's visits" : "probability"}. It expects ${told.value.toFixed(2)} for its seat.` : "";
  $("bars").replaceChildren(element("p", {}, head), ...bars, element("p", { className: "small" }, unit));
  if (page.hint?.place) point(page.hint.place, true);
}

function showSeats() {
  $("seats").replaceChildren(...page.seats.map((seat, k) => {
    const place = page.places ? `, place ${page.places[k]}` : "";
    const mark = k === page.mover ? "▸ " : "";
    return element("li", { className: k === page.mover ? "moving" : "" },
      `${mark}${seatName(k)}: ${seat.name}, ${page.points[k]} point${page.points[k] === 1 ? "" : "s"}${place}`);
  }));
}

function showSteps() {
  $("slider").max = page.last;
  $("slider").value = page.ply;
  $("where").textContent = `move ${page.ply} of ${page.last}`;
  $("first").disabled = $("back").disabled = page.ply === 0;
  $("on").disabled = $("latest").disabled = page.ply === page.last;
  $("link").href = `#ply=${page.ply}`;
  $("views").hidden = !page.bare;
  if (page.bare && $("view").options.length === 0) {
    $("view").append(element("option", { value: "all" }, "everybody together"));
    $("view").append(...page.seats.map((_, k) => element("option", { value: String(k) }, seatName(k))));
  }
  $("view").value = page.view === null ? "all" : String(page.view);
  $("download").hidden = !page.bare;
  $("download").href = `${api}/replay`;
}

function showLog() {
  const log = $("log");
  log.replaceChildren(...page.log.map(([seat, words], k) => element("li", {
    value: k + 1, className: k === page.ply - 1 ? "now" : "",
  }, `${seatName(seat)}: ${words}`)));
  const now = log.querySelector(".now");
  if (now) log.scrollTop = now.offsetTop - log.offsetTop - log.clientHeight + 2 * now.offsetHeight;
}

function showValues() {
  $("graph").hidden = page.values.length < 2;
  if (page.values.length < 2) return;
  const values = page.values.map(([, , value]) => value);
  const low = Math.min(...values, 0), high = Math.max(...values, 0);
  const x = (ply) => (300 * ply) / Math.max(1, page.last), y = (value) => 95 - (90 * (value - low)) / (high - low || 1);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 300 100");
  svg.setAttribute("preserveAspectRatio", "none");
  const line = (points, colour, dashes) => {
    const made = document.createElementNS(SVG, "polyline");
    for (const [name, value] of Object.entries({
      points: points.join(" "), fill: "none", stroke: colour, "stroke-dasharray": dashes, "vector-effect": "non-scaling-stroke", "stroke-width": 2,
    })) made.setAttribute(name, value);
    svg.append(made);
  };
  line([`0,${y(0)}`, `300,${y(0)}`], "#999", "2 4");
  line([`${x(page.ply)},0`, `${x(page.ply)},100`], "#999", "");
  const seats = [...new Set(page.values.map(([, seat]) => seat))].sort();
  for (const seat of seats) {
    line(page.values.filter(([, s]) => s === seat).map(([ply, , value]) => `${x(ply)},${y(value)}`), LINES[seat % 7], DASHES[seat % 7]);
  }
  const key = seats.map((seat) => element("span", { style: `border-bottom: 3px ${seat % 2 ? "dashed" : "solid"} ${LINES[seat % 7]}` }, seatName(seat)));
  const words = element("p", { className: "small" }, ...key.flatMap((one) => [one, " "]), `from ${low.toFixed(2)} to ${high.toFixed(2)}; the dotted line is 0`);
  $("graph").querySelector("div").replaceChildren(svg, words);
}

async function showRules() {
  const rules = await ask(`${api}/rules`);
  $("rules").querySelector("p").textContent = `Options: ${rules.options}`;
  $("rules").querySelector("div").textContent = rules.text;
  remember(token, `${rules.title}${page?.holder != null ? `, seat ${page.holder}` : ""}`);
}

// ---------------------------------------------------------------- keys and clicks

const KEYS = {
  ArrowLeft: () => go(page.ply - 1), ArrowRight: () => go(page.ply + 1), Home: () => go(0), End: () => go(page.last),
  Escape: closeMenu, h: hint, u: undo,
};

document.addEventListener("keydown", (event) => {
  const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName) && event.target.type !== "range";
  if (!page || typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
document.addEventListener("click", (event) => { if (!$("menu").contains(event.target)) closeMenu(); });
$("first").onclick = KEYS.Home;
$("back").onclick = KEYS.ArrowLeft;
$("on").onclick = KEYS.ArrowRight;
$("latest").onclick = KEYS.End;
$("slider").oninput = () => go(Number($("slider").value));
$("view").onchange = () => { wanted.view = $("view").value; writeHash(); refresh(); };
$("undo").onclick = undo;
$("hint").onclick = hint;
$("again").onclick = () => send("go-on", {});
$("filter").oninput = showMoves;
addEventListener("hashchange", () => { readHash(); refresh(); });

readHash();
follow();
showRules().catch((error) => trouble(error.message));
