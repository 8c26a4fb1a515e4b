// The clock of a sitting. Only the server's time counts: every response sets the clock, which runs on its own in
// between. An open page also reports to the server that it is open, and when it loses focus or connection.

const bar = document.querySelector("[data-exam]");
const face = bar.querySelector("[data-clock]");
const says = document.querySelector("[data-exam-says]");
const PULSE = 15_000;
const WARNINGS = [
  [60, "one"],
  [600, "ten"],
];
let ends = 0;
let lasts = Number(bar.dataset.lasts); // length of the exam in seconds
let over = false;
let leaving = false;
let stopped = false;

const left = () => (ends - performance.now()) / 1000;
const flag = (name) => `sabot.warned.${bar.dataset.exam}.${name}`;

function setClock(seconds) {
  const more = ends && seconds > left() + 30;
  ends = performance.now() + seconds * 1000;
  lasts = Math.max(lasts, seconds); // in case time was added
  for (const [limit, name] of WARNINGS) if (seconds > limit) sessionStorage.removeItem(flag(name));
  tick();
  if (more) pulse(); // the response says why time was added
}

function tick() {
  const whole = Math.max(0, Math.ceil(left()));
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  const shown = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
  if (face.textContent !== shown) face.textContent = shown;
  bar.classList.toggle("ending", whole <= 60);
  warn(whole);
  if (left() <= 1) document.dispatchEvent(new Event("sabot:ending")); // save the last changes in time
  if (left() <= 0 && !stopped) end();
}

// Gives each warning once per exam, on whichever page is open. A ten-minute exam has no ten-minute warning.
function warn(whole) {
  const due = WARNINGS.find(([limit]) => whole <= limit && limit < lasts);
  if (!due || whole === 0 || sessionStorage.getItem(flag(due[1]))) return;
  for (const [limit, name] of WARNINGS) if (limit >= due[0]) sessionStorage.setItem(flag(name), "1");
  say(bar.dataset[due[1]]);
}

function end() {
  if (over) return;
  over = true;
  location.replace(bar.dataset.here);
}

function elsewhere() {
  if (stopped) return;
  stopped = true;
  says.replaceChildren(document.getElementById("exam-elsewhere").content.cloneNode(true));
  document.dispatchEvent(new Event("sabot:stop"));
  const typing = document.querySelectorAll("main :is(input, select, textarea, button):not([data-reload])");
  for (const control of typing) control.disabled = true;
}

// Announces added minutes once and keeps the reason visible.
function added(told) {
  bar.dataset.ends = told.ends;
  const list = document.querySelector("[data-exam-added]");
  list.replaceChildren(...told.added.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  list.hidden = !told.added.length;
  if (told.added.length) say(told.added[0]);
}

function say(text) {
  const notice = document.getElementById("exam-warning").content.cloneNode(true);
  notice.querySelector("[data-text]").textContent = text;
  says.replaceChildren(notice);
}

// ---------- reporting to the server ----------

let untold = []; // [kind, when]
let away = false;
let connected = true;

function happened(kind) {
  untold.push([kind, performance.now()]);
  pulse();
}

function look() {
  if (leaving) return;
  const now = document.hidden || !document.hasFocus();
  if (now === away) return;
  away = now;
  happened(away ? "blurred" : "focused");
}

const band = document.querySelector("[data-exam-offline]");
const SINCE = `sabot.offline.${bar.dataset.exam}.since`;

function connection(there) {
  if (there === connected) return;
  connected = there;
  if (there) sessionStorage.removeItem(SINCE);
  else if (!sessionStorage.getItem(SINCE)) {
    sessionStorage.setItem(SINCE, new Date().toTimeString().slice(0, 5));
  }
  if (!band) return happened(there ? "online" : "offline");
  band.querySelector("[data-time]").textContent = sessionStorage.getItem(SINCE) ?? "";
  band.hidden = there;
  happened(there ? "online" : "offline");
}

async function pulse() {
  if (over || stopped) return;
  const telling = untold;
  untold = [];
  const events = telling.map(([kind, when]) => ({ kind, seconds_ago: (performance.now() - when) / 1000 }));
  const body = new URLSearchParams({ events: JSON.stringify(events), ends: bar.dataset.ends });
  const headers = { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value };
  try {
    const options = { method: "POST", body, headers, redirect: "manual", keepalive: true };
    const response = await fetch(bar.dataset.pulse, { ...options, signal: AbortSignal.timeout(10_000) });
    await heard(response);
  } catch {
    untold = [...telling, ...untold];
    connection(false);
  }
}

async function heard(response) {
  if (response.status === 410) return end();
  if (response.status !== 200 && response.status !== 409) throw new Error("no answer");
  const told = await response.json();
  if (told.ends) added(told);
  setClock(told.left);
  if (told.problem === "elsewhere") elsewhere();
  else connection(true);
}

document.addEventListener("sabot:left", (event) => setClock(event.detail));
document.addEventListener("sabot:over", end);
document.addEventListener("sabot:elsewhere", elsewhere);
document.addEventListener("sabot:connection", (event) => connection(event.detail));
document.addEventListener("click", (event) => event.target.closest("[data-reload]") && location.reload());
addEventListener("pagehide", () => (leaving = true));
addEventListener("offline", () => connection(false));
addEventListener("online", pulse);
for (const change of ["blur", "focus"]) addEventListener(change, () => setTimeout(look));
document.addEventListener("visibilitychange", () => {
  look();
  if (!document.hidden) pulse(); // the clock stood still while the computer slept
});
setClock(Number(bar.dataset.left));
setInterval(tick, 250);
setInterval(pulse, PULSE);
