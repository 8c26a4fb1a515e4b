// Undo and redo: sends earlier facts back to the server, one step at a time, to be drawn and ruled on again.

const form = () => document.querySelector("#editor");
const LEFT_OUT = new Set(["csrfmiddlewaretoken", "seen", "base", "do"]);
const facts = () => JSON.stringify([...new FormData(form())].filter(([name]) => !LEFT_OUT.has(name)));
const MOST = 100;
const past = [];
const future = [];
let present = facts();

// The buttons are replaced together with the title.
function show() {
  document.querySelector("[data-undo]").disabled = !past.length;
  document.querySelector("[data-redo]").disabled = !future.length;
}

function note() {
  const now = facts();
  if (now === present) return;
  past.push(present);
  if (past.length > MOST) past.shift();
  future.length = 0;
  present = now;
  show();
}

function step(from, to) {
  note();
  if (!from.length) return;
  to.push(present);
  present = from.pop();
  document.dispatchEvent(new CustomEvent("sabot:bring", { detail: JSON.parse(present) }));
  show();
}

const undo = () => step(past, future);
const redo = () => step(future, past);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-undo]")) undo();
  if (event.target.closest("[data-redo]")) redo();
});
document.addEventListener("change", (event) => event.target.form === form() && note());
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target?.id === "editor") note();
  show();
});
// In a field, leave undo to the browser.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const wanted = key === "y" || (key === "z" && event.shiftKey) ? redo : key === "z" ? undo : null;
  if (!wanted) return;
  event.preventDefault();
  wanted();
});
