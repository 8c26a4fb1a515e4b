// Carries what is typed during an action over to the new form, which the server built without it.

const form = () => document.querySelector("#editor");
const LEFT_OUT = new Set(["csrfmiddlewaretoken", "seen", "base", "do"]);
const CELL = /^(.+)-(\d+)-(.+)$/; // calls-2-amount: list, row number, column

// Maps every field name to its values. Unticked boxes have none.
function fields() {
  const found = new Map();
  for (const { name } of form().elements) if (name && !LEFT_OUT.has(name)) found.set(name, []);
  for (const [name, value] of new FormData(form())) found.get(name)?.push(value);
  return found;
}

const rowsOf = (all, list) =>
  new Set(
    [...all.keys()]
      .map((name) => CELL.exec(name))
      .filter((cell) => cell?.[1] === list)
      .map((cell) => cell[2]),
  );
const asText = (all, start) =>
  JSON.stringify(
    [...all].filter(([name]) => name.startsWith(start)).map(([name, values]) => [name.slice(start.length), values]),
  );

// The field's name in the new form: the action may have moved or removed its row.
function nameNow(name, before, now) {
  const [, list, number, column] = CELL.exec(name) ?? [];
  if (!list) return name;
  const looked = asText(before, `${list}-${number}-`);
  const rows = [...rowsOf(now, list)];
  const moved = [number, ...rows].find((one) => asText(now, `${list}-${one}-`) === looked);
  const there = moved ?? (rows.length === rowsOf(before, list).size ? number : "gone");
  return `${list}-${there}-${column}`;
}

function put(name, values) {
  const parts = [...form().elements].filter((one) => one.name === name);
  for (const part of parts) {
    if (part.type === "checkbox") part.checked = values.includes(part.value);
    else part.value = values[0] ?? "";
  }
  parts[0]?.dispatchEvent(new Event("input", { bubbles: true })); // so that it is saved on this device and ruled on
}

let asked = null; // the fields when the request was sent
let since = []; // the fields changed since then
let typing = null; // the focused field and the caret position
let folds = [];
const isForm = (event) => event.detail.target?.id === "editor";

document.body.addEventListener("htmx:beforeRequest", (event) => isForm(event) && (asked = fields()));
document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (!isForm(event) || !event.detail.shouldSwap || !asked) return;
  since = [...fields()].filter(([name, values]) => JSON.stringify(values) !== JSON.stringify(asked.get(name)));
  const field = document.activeElement;
  typing =
    since.some(([name]) => name === field?.name) && field.form === form()
      ? { name: field.name, caret: field.selectionStart }
      : null;
  folds = [...form().querySelectorAll("#f-words details")].map((fold) => fold.open);
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.target !== form() || !asked) return; // the event also fires for every other part of the response
  form()
    .querySelectorAll("#f-words details")
    .forEach((fold, index) => (fold.open ||= folds[index]));
  const now = fields();
  if (typing) typing.name = nameNow(typing.name, asked, now);
  for (const [name, values] of since) put(nameNow(name, asked, now), values);
  since = [];
});
// Returns the focus to the field the user was typing in.
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.target !== form() || !typing) return;
  const field = form().elements[typing.name];
  field?.focus?.({ preventScroll: true });
  if (typeof typing.caret === "number") field?.setSelectionRange?.(typing.caret, typing.caret);
  typing = null;
});
