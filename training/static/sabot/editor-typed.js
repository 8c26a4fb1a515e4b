// What is typed while an act is under way goes into the form that the act brings, which was made without it.

const form = () => document.querySelector("#editor");
const LEFT_OUT = ["csrfmiddlewaretoken", "seen", "do"];
const CELL = /^(.+)-(\d+)-(.+)$/; // calls-2-amount: a list, the number of its row, a column

// Every field with its values; what is not ticked has none.
function fields() {
  const found = new Map();
  for (const { name } of form().elements) if (name && !LEFT_OUT.includes(name)) found.set(name, []);
  for (const [name, value] of new FormData(form())) found.get(name)?.push(value);
  return found;
}

const rowsOf = (all, list) => new Set([...all.keys()].map((name) => CELL.exec(name)).filter((cell) => cell?.[1] === list).map((cell) => cell[2]));
const asText = (all, start) => JSON.stringify([...all].filter(([name]) => name.startsWith(start)).map(([name, values]) => [name.slice(start.length), values]));

// What the field is called now: the act may have moved its row, or taken it away.
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
  parts[0]?.dispatchEvent(new Event("input", { bubbles: true })); // kept on this device, and ruled on
}

let asked = null; // the fields as they were when the form was asked for
let since = []; // what was typed from then on
let typing = null; // the field that one is in, and where in it
let folds = [];
const isForm = (event) => event.detail.target?.id === "editor";

document.body.addEventListener("htmx:beforeRequest", (event) => isForm(event) && (asked = fields()));
document.body.addEventListener("htmx:beforeSwap", (event) => {
  if (!isForm(event) || !event.detail.shouldSwap || !asked) return;
  since = [...fields()].filter(([name, values]) => JSON.stringify(values) !== JSON.stringify(asked.get(name)));
  const field = document.activeElement;
  typing = since.some(([name]) => name === field?.name) && form().contains(field) ? { name: field.name, caret: field.selectionStart } : null;
  folds = [...form().querySelectorAll("#f-words details")].map((fold) => fold.open);
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.target !== form() || !asked) return; // told of every part that came with it
  form().querySelectorAll("#f-words details").forEach((fold, index) => (fold.open ||= folds[index]));
  const now = fields();
  if (typing) typing.name = nameNow(typing.name, asked, now);
  for (const [name, values] of since) put(nameNow(name, asked, now), values);
  since = [];
});
// Whoever is typing goes on there, wherever the form would have them.
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.target !== form() || !typing) return;
  const field = form().elements[typing.name];
  field?.focus?.({ preventScroll: true });
  if (typeof typing.caret === "number") field?.setSelectionRange?.(typing.caret, typing.caret);
  typing = null;
});
