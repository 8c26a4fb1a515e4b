// A running table. The page sends one act at a time, each with its number, and shows what the server answers. An act that
// got no answer is sent again under the same number: the server carries it out once. Nothing here knows what is to come.

const live = document.querySelector("[data-live]");
const one = (name) => live.querySelector(`[data-${name}]`);
const room = one("room");
const pace = Number(live.dataset.pace) * 1000;
const RETRY = 1500;
const SOON = 250;

let number = Number(live.dataset.number);
let halted = live.dataset.halted === "yes";
let covered = true;
let sending = Promise.resolve();
let waiting = 0; // acts that are not answered yet
let timer = 0;
let rest = 0; // milliseconds until the next coup begins by itself

// ---------- talking to the server ----------

function trouble(text) {
  one("trouble").hidden = !text;
  one("trouble").textContent = text;
}

const later = (pause) => new Promise((resolve) => setTimeout(resolve, pause));

const request = (body) =>
  fetch(live.dataset.url, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", "X-CSRFToken": live.dataset.token },
  });

async function post(body) {
  const answer = await request(body).catch(() => null); // null: no connection
  if (answer?.status === 425) {
    await later(SOON); // between two coups the table takes no act
    return post(body);
  }
  if (answer && answer.status < 500) return answer;
  trouble(live.dataset.lost);
  await later(RETRY);
  return post(body);
}

async function carryOut(act) {
  const answer = await post(JSON.stringify({ number, act }));
  if (!answer.headers.get("Content-Type")?.includes("json")) return location.reload(); // signed out, or an exam began
  const told = await answer.json();
  trouble(told.error ?? "");
  if (["over", "elsewhere"].includes(told.problem)) document.dispatchEvent(new Event(`sabot:${told.problem}`)); // an exam
  if (told.number) show(told);
  return !told.error;
}

function send(act) {
  clearTimeout(timer);
  waiting += 1;
  sending = sending
    .then(() => carryOut(act))
    .finally(() => {
      waiting -= 1;
      beat();
    });
  return sending;
}

// ---------- the table ----------

function put(name, drawn) {
  one(name).replaceChildren(...new DOMParser().parseFromString(drawn, "text/html").body.childNodes);
}

// Where the cloth is longer than the screen, the eye follows the dice.
let lay = "";
function lookAtDice() {
  const dice = [...one("table").querySelectorAll(".die")].filter((die) => die.checkVisibility());
  const lies = dice.map((die) => die.querySelectorAll("circle").length).join();
  if (lies !== lay) for (const die of dice) die.scrollIntoView({ block: "nearest" });
  lay = lies;
}

function show(told) {
  number = told.number;
  live.dataset.shown = number - 1; // the last act that is on the screen
  halted = told.halted;
  rest = told.rest;
  if (told.over) return location.replace(live.dataset.over);
  one("coup").textContent = told.coup;
  put("table", told.table);
  lookAtDice();
  put("log", told.log);
  one("log").scrollTop = one("log").scrollHeight;
  one("status").textContent = told.said.join(" ");
  const chosen = pile()?.dataset;
  const kept = chosen && `[data-player="${CSS.escape(chosen.player)}"][data-spot="${CSS.escape(chosen.spot)}"]`;
  put("piles", told.piles);
  const again = kept && one("piles").querySelector(kept);
  if (again) again.checked = true;
  arrange();
  return undefined;
}

// Stopped, the ruling takes the place of palette and buttons; covered, nothing of the table is on the screen.
function arrange() {
  room.hidden = covered;
  one("cover").hidden = !covered;
  one("pause").disabled = covered;
  const opened = halted && one("sheet").hidden;
  one("sheet").hidden = !halted;
  one("palette").hidden = halted;
  one("bottom").hidden = halted;
  if (opened && !covered) one("sheet").querySelector("h2").focus();
}

function beat() {
  clearTimeout(timer);
  if ((pace || rest) && !covered && !halted && !waiting) timer = setTimeout(carryOn, rest || pace);
}

const carryOn = () => !waiting && !halted && !covered && send({ type: "carry_on" });
const stop = () => !halted && !covered && send({ type: "halt" });

function cover(yes) {
  covered = yes;
  arrange();
  beat();
  one("log").scrollTop = one("log").scrollHeight;
  (yes ? one("uncover") : one("left")).focus({ preventScroll: true });
}

// ---------- words, acts and chips ----------

const say = (text) => text.trim() && send({ type: "say", text: text.trim() });
const pile = () => one("piles").querySelector("input:checked");
const field = () => live.querySelector("#sum");

function amount() {
  const stacks = [...field().value.matchAll(/(\d{1,4})\s?[×x*]\s?(\d{1,8})/g)];
  if (stacks.length) return stacks.reduce((sum, [, count, value]) => sum + Number(count) * Number(value), 0);
  return Number(field().value.replace(/[\s.]/g, "")) || 0;
}

function move(collects) {
  const from = pile()?.dataset;
  if (!from) return trouble(live.dataset.pile);
  const sum = amount() || (collects ? Number(from.amount) : 0);
  if (!sum) return trouble(live.dataset.amount);
  const [payer, payee] = collects ? [from.player, from.keeper] : [from.keeper, from.player];
  field().value = "";
  field().dispatchEvent(new Event("input", { bubbles: true }));
  return send({ type: "pay", payer, payee, amount: sum, spot: from.spot });
}

function rule(form) {
  const data = new FormData(form);
  const kind = data.get("kind");
  const mine = `q.${kind}:`;
  const given = [...data].filter(([name, value]) => name.startsWith(mine) && value);
  const answers = Object.fromEntries(given.map(([name, value]) => [name.slice(mine.length), value]));
  return sent(form, send({ type: "stop", kind, answers }));
}

// What was typed goes only once it is taken.
async function sent(form, answer) {
  if (!(await answer)) return;
  form.reset();
  chooseClaim("");
}

function chooseClaim(kind) {
  for (const part of live.querySelectorAll("[data-claim]")) part.hidden = part.dataset.claim !== kind;
}

function turn(tab) {
  for (const other of live.querySelectorAll("[role=tab]")) {
    other.setAttribute("aria-selected", String(other === tab));
    live.querySelector(`#${other.getAttribute("aria-controls")}`).hidden = other !== tab;
  }
}

live.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { dataset } = button;
  if ("uncover" in dataset) cover(false);
  else if ("pause" in dataset) cover(true);
  else if ("carry" in dataset) carryOn();
  else if ("stop" in dataset) stop();
  else if ("words" in dataset) say(dataset.words);
  else if ("collect" in dataset) move(true);
  else if ("nothing" in dataset) send({ type: "stop" });
  else if (button.matches("[role=tab]")) turn(button);
  else if (dataset.do && dataset.gives) send({ type: "give", key: dataset.do, to: dataset.value });
  else if (dataset.do) {
    send({ type: "do", key: dataset.do, value: "counts" in dataset ? Number(dataset.value) : dataset.value });
  }
});

live.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method === "post") return;
  event.preventDefault();
  if (form.matches("[data-say-form]")) {
    sent(form, say(form.querySelector("input").value));
  } else if (form.matches("[data-call]")) {
    sent(
      form,
      say([...form.querySelectorAll("[data-piece]")].map((piece) => piece.value ?? piece.textContent).join("")),
    );
  } else if (form.matches("[data-do-number]")) {
    sent(form, send({ type: "do", key: form.dataset.doNumber, value: Number(form.querySelector("input").value) }));
  } else if (form.matches("[data-pay-form]")) move(false);
  else if (form.matches("[data-claim-form]")) rule(form);
});

live.addEventListener("change", (event) => {
  if (event.target.name === "kind") chooseClaim(event.target.value);
});

// A spot or place on the drawing points at the chips that lie there.
one("table").addEventListener("click", (event) => {
  const [kind, ref] = (event.target.closest("[data-point]")?.dataset.point ?? "").split(/:(.*)/);
  const name = kind === "spot" ? "spot" : "player";
  const found = ref && one("piles").querySelector(`[data-${name}="${CSS.escape(ref)}"]`);
  if (!found) return;
  turn(live.querySelector("#tab-chips"));
  found.checked = true;
});

// Whoever is at work is not hurried.
for (const name of ["pointerdown", "keydown", "input"]) room.addEventListener(name, beat);

// ---------- keys ----------

const typing = (target) => target.matches("input:not([type=radio], [type=checkbox]), select, textarea");

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || event.repeat || covered || document.querySelector("dialog[open]")) return;
  const within = event.target instanceof Element && typing(event.target);
  if (event.key === "Escape") cover(true);
  else if (halted) return;
  else if (event.key === " " && (!within || event.ctrlKey)) stop();
  else if (event.ctrlKey || within) return;
  else if (event.key === "Enter" && event.target.name === "pile") event.target.checked = true;
  else if (event.key === "Enter" && !event.target.closest("button, form, label, a")) carryOn();
  else if (event.key === "/") {
    turn(live.querySelector("#tab-calls"));
    live.querySelector("#say").focus();
  } else if (["1", "2", "3"].includes(event.key) && !event.target.closest("[data-rack]")) {
    turn(live.querySelectorAll("[role=tab]")[Number(event.key) - 1]);
  } else return;
  event.preventDefault();
});
// The space bar presses a focused button when it is let go.
document.addEventListener(
  "keyup",
  (event) => event.key === " " && !halted && event.target.closest?.("button") && event.preventDefault(),
);

document.addEventListener("visibilitychange", () => document.hidden && !covered && cover(true));
addEventListener("pageshow", (event) => event.persisted && location.reload());
arrange();
one("uncover").focus();
