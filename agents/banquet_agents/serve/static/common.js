// What both pages need: elements, requests, and the tables that this browser knows.

export const PERSON = "a person";

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// What the server answers; an Error with its words if it refuses.
export async function ask(path, sent) {
  const given = sent === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(sent),
  };
  const answer = await fetch(path, given);
  const told = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
  return told;
}

export function knownTables() {
  try { return JSON.parse(localStorage.getItem("tables")) ?? []; } catch { return []; }
}

export function remember(token, title) {
  const others = knownTables().filter((table) => table.token !== token);
  const mine = { token, title, when: new Date().toLocaleString() };
  localStorage.setItem("tables", JSON.stringify([mine, ...others].slice(0, 20)));
}
