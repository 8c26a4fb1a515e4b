// Keeps the answer on this device until it is graded, so that a reload, an expired session or a lost connection loses
// nothing. Errors are shown in the panel.

const drill = document.querySelector("[data-drill]").dataset.drill;
const PREFIX = "sabot.draft.";
const KEY = () => PREFIX + drill + (form()?.dataset.draft ?? ""); // a second try has its own draft
const KEEP = 30 * 24 * 60 * 60 * 1000;
const AGAIN = 3000;

const form = () => document.querySelector("#answer");
const fields = () => [...form().elements].filter((field) => /^(q|pick)\./.test(field.name));

function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null; // storage is unavailable or holds something else
  }
}

const isTicked = (field) => field.matches("[type=radio], [type=checkbox]");
const slot = (field) => (isTicked(field) ? `${field.name}=${field.value}` : field.name);

function keep() {
  if (!form()) return;
  const values = {};
  for (const field of fields()) {
    if (isTicked(field) ? field.checked : field.value) values[slot(field)] = field.value;
  }
  try {
    localStorage.setItem(KEY(), JSON.stringify({ at: Date.now(), values }));
  } catch {
    // storage is unavailable; the answer is still on the page
  }
}

function forget(key = KEY()) {
  try {
    localStorage.removeItem(key);
  } catch {
    // storage is unavailable
  }
}

function forgetOld() {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && !(Date.now() - stored(key)?.at < KEEP)) forget(key);
    }
  } catch {
    // storage is unavailable
  }
}

function restore() {
  const values = stored(KEY())?.values ?? {};
  let changed = false;
  for (const field of fields()) {
    const value = values[slot(field)];
    if (value === undefined || (isTicked(field) ? field.checked : field.value === value)) continue;
    if (isTicked(field)) field.checked = true;
    else field.value = value;
    changed = true;
  }
  for (const list of form().querySelectorAll(".pick:has(input:checked)")) list.open = true;
  if (changed) form().prepend(copy("draft-restored"));
}

function copy(id) {
  return document.getElementById(id).content.cloneNode(true);
}

function tell(id) {
  const panel = document.querySelector("#panel");
  panel.querySelector("[data-trouble]")?.remove();
  panel.prepend(copy(id));
  panel.querySelector("[data-trouble]").scrollIntoView({ block: "nearest" });
}

function again() {
  document.querySelector("[data-trouble]")?.remove();
  if (form()) form().requestSubmit();
  else if (document.querySelector("#panel[data-stored]")) htmx.trigger("#panel", "again");
}

function failed(event, id) {
  const source = event.detail.elt;
  if (source.id !== "answer" && source.id !== "panel") return;
  tell(id);
  // The answer is already stored and only the mark is missing, so retry without asking.
  if (source.id === "panel") setTimeout(again, AGAIN);
}

function look() {
  if (document.querySelector("#panel[data-graded]")) [PREFIX + drill, `${PREFIX}${drill}.again`].forEach(forget);
  else if (form()) restore();
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => form()?.contains(event.target) && keep());
}
document.addEventListener("sabot:trouble", (event) => tell(event.detail));
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-retry]")) again();
  if (event.target.closest("[data-reload]")) location.reload();
});
addEventListener("online", () => document.querySelector("#panel[data-stored] [data-trouble]") && again());
document.body.addEventListener("htmx:sendError", (event) => failed(event, "trouble-network"));
document.body.addEventListener("htmx:timeout", (event) => failed(event, "trouble-network"));
document.body.addEventListener("htmx:responseError", (event) => {
  if (![409, 422].includes(event.detail.xhr.status)) failed(event, "trouble-page");
});
document.body.addEventListener("htmx:afterSettle", (event) => event.detail.elt.id === "panel" && look());
forgetOld();
look();
