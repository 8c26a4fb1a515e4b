// Undo and redo: the facts as they were, one step after the other, given back to the server to be drawn and ruled on.

const form = () => document.querySelector("#editor");
const LEFT_OUT = ["csrfmiddlewaretoken", "seen", "do"];
const facts = () => JSON.stringify([...new FormData(form())].filter(([name]) => !LEFT_OUT.includes(name)));
const MOST = 100;
const past = [];
const future = [];
let present = facts();
const buttons = { undo: document.querySelector("[data-undo]"), redo: document.querySelector("[data-redo]") };

function show() {
  buttons.undo.disabled = !past.length;
  buttons.redo.disabled = !future.length;
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
buttons.undo.addEventListener("click", undo);
buttons.redo.addEventListener("click", redo);
document.addEventListener("change", (event) => form().contains(event.target) && note());
document.body.addEventListener("htmx:afterSettle", (event) => event.detail.target?.id === "editor" && note());
// In a field the browser undoes what is typed there.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const step = key === "y" || (key === "z" && event.shiftKey) ? redo : key === "z" ? undo : null;
  if (!step) return;
  event.preventDefault();
  step();
});
