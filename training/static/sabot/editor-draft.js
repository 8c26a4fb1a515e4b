// Keeps the form's content on this device until it is saved as a draft, and offers to restore it.

const PREFIX = "sabot.editor.";
const KEEP = 14 * 24 * 60 * 60 * 1000;
const form = () => document.querySelector("#editor");
const kind = form().elements.kind.value;
const key = () => `${PREFIX}${location.pathname}.${form().elements.rulebook.value}.${kind}`;
const LEFT_OUT = new Set(["csrfmiddlewaretoken", "do"]);
const ABOUT = new Set(["seen", "base"]); // which draft was opened: kept, so that what others saved since is noticed

const entries = () => [...new FormData(form())].filter(([name]) => !LEFT_OUT.has(name));
const asText = (pairs) => JSON.stringify(pairs.filter(([name]) => !ABOUT.has(name)).sort());
let onServer = asText(entries());
const notice = document.querySelector("#draft-found");

function stored() {
  try {
    return JSON.parse(localStorage.getItem(key()));
  } catch {
    return null; // storage is unavailable or holds something else
  }
}

function keep() {
  if (asText(entries()) === onServer) return forget();
  try {
    localStorage.setItem(key(), JSON.stringify({ at: Date.now(), entries: entries() }));
  } catch {
    // storage is unavailable; the content is still on the page
  }
}

function forget() {
  try {
    localStorage.removeItem(key());
  } catch {
    // storage is unavailable
  }
  notice.hidden = true;
}

// The server rebuilds the form from the stored content, because the page does not know how many rows it needs.
function restore() {
  notice.hidden = true;
  document.dispatchEvent(new CustomEvent("sabot:bring", { detail: stored()?.entries ?? [] }));
}

const found = stored();
if (found && Date.now() - found.at < KEEP && asText(found.entries) !== onServer) notice.hidden = false;
else forget();

for (const change of ["input", "change"]) {
  document.addEventListener(change, (event) => event.target.form === form() && keep());
}
document.addEventListener("click", (event) => {
  const asked = event.target.closest("[data-draft]")?.dataset.draft;
  if (asked === "restore") restore();
  if (asked === "forget") forget();
});
document.body.addEventListener("htmx:afterSwap", (event) => event.detail.target.id === "editor" && keep());
// Saved, and the form stays open: what was sent is on the server now.
let sent = onServer;
document.body.addEventListener(
  "htmx:beforeRequest",
  (event) => event.detail.target?.id === "editor" && (sent = asText(entries())),
);
document.body.addEventListener("sabot:saved", () => {
  forget();
  onServer = sent;
});
// Saving the draft leaves the page: cancel requests that are still waiting.
let kept = false;
document.body.addEventListener("sabot:kept", () => {
  kept = true;
  forget();
});
document.body.addEventListener("htmx:beforeRequest", (event) => kept && event.preventDefault());
addEventListener("pageshow", () => (kept = false)); // the browser's back button may return here

const silence = document.querySelector("#no-answer");
for (const trouble of ["htmx:sendError", "htmx:timeout"]) {
  document.body.addEventListener(trouble, () => (silence.hidden = false));
}
document.body.addEventListener("htmx:responseError", (event) => {
  if (![409, 422].includes(event.detail.xhr.status)) silence.hidden = false;
});
document.body.addEventListener("htmx:afterOnLoad", () => (silence.hidden = true));
