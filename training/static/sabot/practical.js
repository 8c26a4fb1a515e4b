// The examiner's list. Every tick is kept on this device until the server has acknowledged it, and sent again until then.

const list = document.querySelector("[data-ticks]");
const state = document.querySelector("[data-tick-state]");
const KEY = `sabot.practical.${list.dataset.ticks}`;
const PAUSES = [1000, 2000, 4000, 8000];

const waiting = kept(); // key → { value, sequence }
let sending = null;
let failures = 0;
let timer = 0;

function kept() {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY)) ?? []);
  } catch {
    return new Map(); // storage is unavailable or holds something else
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify([...waiting]));
  } catch {
    // storage is unavailable; the ticks are still on the page
  }
}

function show(name, more = "") {
  state.textContent = `${state.dataset[name]} ${more}`.trim();
  state.dataset.state = name;
}

const field = (key) => list.querySelector(`[data-key="${CSS.escape(key)}"]`);
const valueOf = (input) => (input.type === "checkbox" ? Number(input.checked) : Number(input.value) || 0);

function changed(input) {
  const sequence = Math.max(Number(input.dataset.sequence), waiting.get(input.dataset.key)?.sequence ?? 0) + 1;
  waiting.set(input.dataset.key, { value: valueOf(input), sequence });
  keep();
  show("saving");
  flush();
}

// Sends until the server has everything. Resolves to true if it does.
function flush() {
  clearTimeout(timer);
  sending ??= (async () => {
    while (waiting.size) if (!(await once(...waiting.entries().next().value))) return false;
    return true;
  })().finally(() => (sending = null));
  return sending;
}

async function once(key, tick) {
  const body = new URLSearchParams({ key, value: tick.value, sequence: tick.sequence });
  const options = { method: "POST", body, headers: { "X-CSRFToken": list.dataset.token }, redirect: "manual" };
  try {
    const answer = await fetch(list.dataset.url, { ...options, signal: AbortSignal.timeout(10_000) });
    if (![200, 409, 422].includes(answer.status)) return later();
    return stored(key, tick, answer.status, await answer.json());
  } catch {
    return later();
  }
}

function stored(key, tick, status, told) {
  failures = 0;
  const input = field(key);
  if (told.problem === "stale") {
    // Another window of this examiner was quicker: the latest tick counts.
    input.dataset.sequence = told.sequence;
    if (waiting.get(key) === tick) waiting.set(key, { value: tick.value, sequence: told.sequence + 1 });
    keep();
    return true;
  }
  if (status === 200 && input) input.dataset.sequence = told.sequence;
  if (waiting.get(key) === tick) waiting.delete(key);
  keep();
  if (status !== 200) show("refused", told.text ?? "");
  else if (!waiting.size) show("saved", told.saved_at);
  return true;
}

function later() {
  show("offline");
  clearTimeout(timer);
  timer = setTimeout(flush, PAUSES[Math.min(failures, PAUSES.length - 1)]);
  failures += 1;
  return false;
}

list.addEventListener("change", (event) => event.target.dataset.key && changed(event.target));
addEventListener("online", () => waiting.size && flush());
document.querySelector("[data-hand-in]").addEventListener("submit", async (event) => {
  if (!waiting.size) return;
  event.preventDefault();
  if (await flush()) event.target.submit();
});

// What was ticked before a reload and never acknowledged.
for (const [key, { value }] of waiting) {
  const input = field(key);
  if (input?.type === "checkbox") input.checked = Boolean(value);
  else if (input) input.value = value;
}
if (waiting.size) flush();
