// Saves every change to an answer and shows the state in the bar. Until the server acknowledges a change, it is kept on
// this device and sent again. Without a connection candidates can move to the questions that are kept on this device;
// `exam-queue.js` sends what they leave behind.

const form = document.querySelector("#answer");
const bar = document.querySelector("[data-exam]");
const state = document.querySelector("[data-save-state]");
const KEY = `sabot.exam.${bar.dataset.exam}.${form.dataset.position}`;
const DONE = `${KEY}.done`; // what the server has, for a page that was kept before
const PAGES = "sabot-exam"; // the pages kept by the service worker
const KEEP_PACE = 15_000; // between two pages kept ahead, to spare the server when a room begins
const SOON = 400; // milliseconds after the last change
const PAUSES = [1000, 2000, 4000, 8000];
const isAnswer = (name) => name.startsWith("q.");

let acknowledged = Number(form.dataset.sequence); // the latest sequence number on the server
let sequence = acknowledged; // the latest sequence number on this page
let seen = content();
let soon = 0;
let failures = 0;
let stopped = false;
let refused = false;
let sending = null;
let left = false;

const since = performance.now();
const secondsBefore = Number(form.dataset.seconds);
const seconds = () => secondsBefore + Math.round((performance.now() - since) / 1000);
const dirty = () => sequence > acknowledged;

function fields() {
  return [...new FormData(form)].filter(([name]) => isAnswer(name) || name === "marked");
}

function content() {
  return JSON.stringify(fields());
}

function show(name, time = "") {
  state.textContent = `${state.dataset[name]} ${time}`.trim();
  state.dataset.state = name;
}

// ---------- keeping a copy on this device ----------

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify({ base: acknowledged, sequence, fields: fields(), seconds: seconds() }));
  } catch {
    // storage is unavailable; the answer is still on the page
  }
}

function forget() {
  try {
    localStorage.removeItem(KEY);
    localStorage.setItem(DONE, JSON.stringify({ sequence: acknowledged, fields: fields() }));
  } catch {
    // storage is unavailable
  }
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // storage is unavailable or holds something else
  }
}

function fill(kept) {
  for (const field of form.elements) {
    if (!isAnswer(field.name) && field.name !== "marked") continue;
    const ticked = field.matches("[type=radio], [type=checkbox]");
    const found = kept.find(([name, value]) => name === field.name && (!ticked || value === field.value));
    if (ticked) field.checked = Boolean(found);
    else field.value = found?.[1] ?? "";
  }
}

// Restores what was saved since this page was kept, then changes that were never acknowledged, unless the item has been
// changed since, here or in another browser.
function restore() {
  const done = read(DONE);
  if (done?.sequence > acknowledged) {
    fill(done.fields);
    acknowledged = sequence = done.sequence;
    seen = content();
    mark();
  }
  const kept = read(KEY);
  if (!kept || kept.base !== acknowledged || kept.sequence <= acknowledged) return forget();
  fill(kept.fields);
  form.prepend(document.getElementById("exam-restored").content.cloneNode(true));
  sequence = kept.sequence;
  changed();
}

// ---------- saving ----------

function changed() {
  if (stopped || content() === seen) return;
  seen = content();
  sequence += 1;
  refused = false;
  keep();
  show("saving");
  clearTimeout(soon);
  soon = setTimeout(flush, SOON);
}

// Sends until the server has the latest changes. Resolves to true if it does.
function flush() {
  clearTimeout(soon);
  sending ??= (async () => {
    while (dirty() && !stopped && !refused) if (!(await once())) return false;
    return !dirty();
  })().finally(() => (sending = null));
  return sending;
}

async function once() {
  const number = sequence;
  const body = new URLSearchParams(fields());
  body.set("sequence", number);
  body.set("seconds", seconds());
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  try {
    const options = { method: "POST", body, headers, redirect: "manual", keepalive: true };
    return await heard(await fetch(form.dataset.save, { ...options, signal: AbortSignal.timeout(10_000) }));
  } catch {
    return later("offline");
  }
}

async function heard(response) {
  if (response.type === "opaqueredirect" || response.status === 403) return later("signedOut");
  if (![200, 409, 410, 422].includes(response.status)) return later("offline");
  const told = await response.json();
  tell("sabot:connection", true);
  failures = 0;
  if (response.status === 200) return stored(told);
  if (told.problem === "stale") {
    // Another window of this browser saved first; the latest input wins.
    acknowledged = told.sequence;
    sequence = acknowledged + 1;
    keep();
    return true;
  }
  refused = true;
  if (told.problem === "answer") show("refused");
  else tell(told.problem === "over" ? "sabot:over" : "sabot:elsewhere");
  return false;
}

function stored(told) {
  acknowledged = Math.max(acknowledged, told.sequence);
  tell("sabot:left", told.left);
  if (!dirty()) {
    forget();
    show("saved", told.saved_at);
    mark();
  }
  return true;
}

function later(why) {
  show(why);
  tell("sabot:connection", false);
  clearTimeout(soon);
  soon = setTimeout(flush, PAUSES[Math.min(failures, PAUSES.length - 1)]);
  failures += 1;
  return false;
}

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(name, { detail }));
}

// Updates this item in the number strip.
function mark() {
  const strip = document.querySelector(".strip");
  const here = strip.querySelector("[aria-current]");
  const answered = fields().some(([name, value]) => isAnswer(name) && value.trim());
  const marked = form.elements.marked.checked;
  here.classList.toggle("answered", answered);
  here.classList.toggle("marked", marked);
  const words = [strip.dataset[answered ? "answered" : "empty"], ...(marked ? [strip.dataset.marked] : [])];
  here.querySelector(".visually-hidden").textContent = `: ${words.join(", ")}`;
}

// ---------- leaving the page ----------

const addressOf = (to) => form.dataset.item.replace(/0\/$/, `${to}/`);

// Saves the answer and the time spent here, then moves on. Without a connection only to a question kept on this device.
async function leave(to) {
  if (stopped || left) return;
  sequence += 1;
  refused = false;
  keep();
  const saved = navigator.onLine && (await flush()) && (to !== "overview" || (await othersSent()));
  if (!saved) {
    const safe = !refused && !stopped && read(KEY)?.sequence === sequence;
    if (!safe || to === "overview" || !(await isKept(addressOf(to)))) return flush();
  }
  left = true;
  location.assign(to === "overview" ? form.dataset.overview : addressOf(to));
}

function othersSent() {
  return new Promise((resolve) => tell("sabot:send", resolve));
}

// ---------- keeping the questions on this device ----------

async function isKept(address) {
  return Boolean(navigator.serviceWorker?.controller && (await caches.match(address)));
}

async function put(address) {
  if (await isKept(address)) return;
  const response = await fetch(`${address}?ahead=1`, { redirect: "manual" });
  if (response.ok) await (await caches.open(PAGES)).put(address, response);
}

// Keeps this question and the next at once, the others little by little. What the page needs is kept too.
async function keepAhead() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.ready;
  const parts = [...document.querySelectorAll("script[src], link[rel=stylesheet]")].map((one) => one.src || one.href);
  const store = await caches.open(PAGES);
  await Promise.all(parts.map(async (part) => (await caches.match(part)) ?? store.add(part)));
  await put(addressOf(form.dataset.position));
  await keepFrom(1);
}

async function keepFrom(step) {
  const count = document.querySelectorAll(".strip-item[name=go]").length;
  if (stopped || step >= count) return;
  await put(addressOf(((Number(form.dataset.position) - 1 + step) % count) + 1));
  setTimeout(() => keepFrom(step + 1).catch(leaveOut), KEEP_PACE);
}

// No connection or no room: candidates then stay on the page until there is a connection.
function leaveOut() {}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  leave((event.submitter ?? form.querySelector("[data-next]")).value);
});
// On the document, so that scripts that adjust the controls run first.
document.addEventListener("input", changed);
document.addEventListener("change", changed);
form.addEventListener("focusout", () => dirty() && flush());
document.addEventListener("visibilitychange", () => document.hidden && dirty() && flush());
document.addEventListener("sabot:ending", () => dirty() && flush());
document.addEventListener("sabot:stop", () => (stopped = true));
// A save already on its way may be older, so send the latest changes too.
addEventListener("pagehide", () => dirty() && !stopped && once());
addEventListener("online", () => dirty() && flush());
restore();
setTimeout(() => keepAhead().catch(leaveOut), 1000);
