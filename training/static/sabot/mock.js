// A mock exam: shows the server's time, saves every change, and opens the final page when time is up. Until the server
// has a change it is kept on this device, so that a reload loses nothing.

const bar = document.querySelector("[data-mock]");
const face = bar.querySelector("[data-clock]");
const form = document.getElementById("answer");
const ends = performance.now() + Number(bar.dataset.left) * 1000;
const KEY = `sabot.mock.${location.pathname}`;
const SOON = 400; // milliseconds after the last change
let soon = 0;
let late = false;

const fields = () => [...new FormData(form)].filter(([name]) => name.startsWith("q.") || name === "marked");
const content = () => JSON.stringify(fields());

function store(text) {
  try {
    if (text) localStorage.setItem(KEY, text);
    else localStorage.removeItem(KEY);
  } catch {
    // storage is unavailable; the answer is still on the page
  }
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null; // storage is unavailable or holds something else
  }
}

async function save() {
  clearTimeout(soon);
  const sent = content();
  const body = new FormData(form);
  body.set("keep", "1");
  try {
    const { status } = await fetch(location.href, { method: "POST", body, redirect: "manual", keepalive: true });
    if (status === 204 && content() === sent) store("");
  } catch {
    // no connection; the next change or the next page tries again
  }
}

function changed() {
  store(content());
  clearTimeout(soon);
  soon = setTimeout(save, SOON);
}

function restore() {
  const kept = stored();
  if (!kept || JSON.stringify(kept) === content()) return;
  for (const field of form.elements) {
    if (!field.name.startsWith("q.") && field.name !== "marked") continue;
    const ticked = field.matches("[type=radio], [type=checkbox]");
    const found = kept.find(([name, value]) => name === field.name && (!ticked || value === field.value));
    if (ticked) field.checked = Boolean(found);
    else field.value = found?.[1] ?? "";
  }
  changed();
}

function tick() {
  const left = (ends - performance.now()) / 1000;
  const whole = Math.max(0, Math.ceil(left));
  const shown = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  if (face.textContent !== shown) face.textContent = shown;
  bar.classList.toggle("ending", whole <= 60);
  if (left <= 1.5 && !late && form) {
    late = true;
    save();
  }
  if (left > -0.2) return;
  clearInterval(ticking);
  location.replace(bar.dataset.here);
}

if (form) {
  restore();
  // On the document, so that scripts that adjust the controls run first.
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);
  form.addEventListener("submit", () => store("")); // every button of the form saves
}
const ticking = setInterval(tick, 200);
tick();
