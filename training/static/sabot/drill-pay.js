// Paying with chips. The amount field holds the payment as it is written, 2×100 + 1×5; the rack only sets it. There is
// one rack on the page: it goes to the question that is being answered.

const CUT = 5; // chips in one cut of a stack; the next five lie a little aside
const FULL = 20; // chips in one stack; the rest lies beside it
const SHOWN = 10 * FULL; // chips drawn, however many are written
const MOVED = 8; // pixels after which a press is a drag
const STACK = /(\d{1,4})\s?[×x*]\s?(\d{1,8})/g;
const PAYMENT = /^(\s*\d{1,4}\s*[×x*]\s*\d{1,8}\s*(\+|$))+$/;

const rack = () => document.querySelector("[data-rack]");
const form = () => document.querySelector("#answer");
const paid = () => [...(form()?.querySelectorAll(".question[data-paid]") ?? [])];
const field = () => rack().closest(".question").querySelector("input:not([type=radio], [type=checkbox])");
const values = () => [...rack().querySelectorAll("[data-chip]")].map((chip) => Number(chip.dataset.chip));
const drawing = (value) => rack().querySelector(`[data-chip="${value}"] svg`);
const changing = () => rack().querySelector("[data-change]").getAttribute("aria-pressed") === "true";

// ---------- the payment ----------

function payment() {
  const chips = new Map();
  if (!PAYMENT.test(field().value)) return chips;
  for (const [, count, value] of field().value.matchAll(STACK)) {
    if (!values().includes(Number(value))) return new Map(); // typed, and no chip of this table
    chips.set(Number(value), (chips.get(Number(value)) ?? 0) + Number(count));
  }
  return chips;
}

const inOrder = (chips) => [...chips].filter(([, count]) => count > 0).sort(([one], [other]) => other - one);

function pay(chips) {
  field().value = inOrder(chips)
    .map(([value, count]) => `${count}×${value}`)
    .join(" + ");
  for (const name of ["input", "change"]) field().dispatchEvent(new Event(name, { bubbles: true }));
}

function add(value, count = 1) {
  const chips = payment();
  chips.set(value, Math.max(0, (chips.get(value) ?? 0) + count));
  pay(chips);
}

// One chip of this value for smaller ones of the same worth, if the rack has them.
function change(value) {
  const chips = payment();
  let left = value;
  for (const smaller of values()
    .filter((one) => one < value)
    .sort((one, other) => other - one)) {
    chips.set(smaller, (chips.get(smaller) ?? 0) + Math.floor(left / smaller));
    left %= smaller;
  }
  if (left) return;
  chips.set(value, chips.get(value) - 1);
  pay(chips);
}

// ---------- the tray ----------

function pile(value, count) {
  const piled = document.createElement("span");
  piled.className = "pile";
  for (let at = 0; at < Math.min(count, FULL); at += 1) {
    const chip = drawing(value)?.cloneNode(true);
    if (!chip) continue;
    chip.style.setProperty("--at", at);
    chip.classList.toggle("cut", Math.floor(at / CUT) % 2 === 1);
    piled.append(chip);
  }
  return piled;
}

function stack([value, count]) {
  const tray = rack().querySelector("[data-tray]");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.stack = value;
  button.style.setProperty("--chips", Math.min(count, FULL));
  const told = changing() ? tray.dataset.break : tray.dataset.take;
  button.setAttribute("aria-label", told.replace("{count}", count).replace("{value}", value));
  for (let left = Math.min(count, SHOWN); left > 0; left -= FULL) button.append(pile(value, left));
  const number = document.createElement("span");
  number.textContent = `${count}×`;
  button.append(number);
  return button;
}

function draw() {
  const tray = rack().querySelector("[data-tray]");
  const chips = inOrder(payment());
  const total = chips.reduce((sum, [value, count]) => sum + value * count, 0);
  const grouped = total.toLocaleString("en").replaceAll(",", tray.dataset.apart);
  rack().querySelector("output").textContent = chips.length ? `= ${grouped}` : "";
  tray.replaceChildren(...(chips.length || field().value ? chips.map(stack) : [tray.dataset.none]));
}

// ---------- where the rack is ----------

function moveTo(question) {
  if (!rack() || !question?.matches("[data-paid]")) return;
  const here = rack().closest(".question") === question;
  if (here && !rack().hidden) return; // drawn anew, the chip being pressed would miss its click
  if (!here) question.querySelector(".with-unit").after(rack());
  rack().hidden = false;
  draw();
}

function settle() {
  if (!rack()) return;
  const shown = paid().find((question) => !question.hidden);
  const now = rack().closest(".question");
  moveTo(now.hidden ? shown : now);
}

document.addEventListener("focusin", (event) => moveTo(event.target.closest(".question")));
document.addEventListener("input", (event) => {
  if (rack() && event.target === field()) draw();
});
document.addEventListener("sabot:stepped", settle);
document.body.addEventListener("htmx:afterSettle", settle);

// ---------- tap, drag and keys ----------

let dragged = null; // what is being dragged: the value, where from, where the press began, and its picture
let justDragged = false;

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-rack]") || justDragged) return;
  const chip = event.target.closest("[data-chip]");
  const piled = event.target.closest("[data-stack]");
  const exchange = event.target.closest("[data-change]");
  if (chip) add(Number(chip.dataset.chip));
  if (piled) {
    const value = Number(piled.dataset.stack);
    if (changing()) change(value);
    else add(value, -1);
    rack().querySelector(`[data-stack="${value}"]`)?.focus({ preventScroll: true });
  }
  if (exchange) {
    exchange.setAttribute("aria-pressed", String(!changing()));
    draw();
  }
});

document.addEventListener("pointerdown", (event) => {
  const from = event.target.closest("[data-chip], [data-stack]");
  justDragged = false;
  if (!from) return;
  dragged = { from, value: Number(from.dataset.chip ?? from.dataset.stack), x: event.clientX, y: event.clientY };
});
document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (!dragged.ghost) {
    if (Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < MOVED) return;
    dragged.ghost = drawing(dragged.value).cloneNode(true);
    dragged.ghost.classList.add("dragged-chip");
    document.body.append(dragged.ghost);
  }
  dragged.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
});
function drop(event) {
  const { ghost, from, value } = dragged ?? {};
  dragged = null;
  if (!ghost) return;
  ghost.remove();
  justDragged = true; // the click that follows is not a tap
  const onto = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
  const inTray = Boolean(onto?.closest("[data-tray]"));
  if (from.matches("[data-chip]") && inTray) add(value);
  if (from.matches("[data-stack]") && onto && !inTray) add(value, -1);
}
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

// On the rack, 1 to 9 pay the chips from the left, Backspace takes the last one back.
document.addEventListener(
  "keydown",
  (event) => {
    if (!event.target.closest?.("[data-rack]") || event.ctrlKey || event.metaKey || event.altKey) return;
    const value = values()[Number(event.key) - 1];
    if (value) add(value);
    else if (event.key === "Backspace" && inOrder(payment()).length) add(inOrder(payment()).at(-1)[0], -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

settle();
