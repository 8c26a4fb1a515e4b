// Editing on the table itself. Tap an item in the tray and then its place on the table, or drag it there. Seats, cards,
// chips and calls open a menu. Every action sends the whole form to the server, which returns form, drawing and ruling.
// Actions run one after the other.

const form = () => document.querySelector("#editor");
const menu = document.querySelector("#menu");
const tray = document.querySelector("[data-tray]");
const POINTS = '#drawn [data-point], #drawn .bubble[data-id^="call:"], #drawn [data-id="place:croupier"], #drawn .heap';
// Parts that show facts about the whole table. They share one menu; keyboard users open it from the list.
const ON_WHEEL = '[class^="wheel-"]:not(.wheel-back), .pocket, .pocket-number, .pit, .ball, .ball-shade';
const SHOWN = `#drawn :is(.die, ${ON_WHEEL}, .sign, .meter)`;
const REACH = 22; // px around a part that still count as a hit: a fingertip is 44 px wide
let held = ""; // the tray item to be put where the user taps next
let queue = Promise.resolve();

// ---------- actions ----------

const entries = () => [...new FormData(form())].filter(([name]) => name !== "do");

function values(pairs, more) {
  const found = { csrfmiddlewaretoken: form().elements.csrfmiddlewaretoken.value };
  for (const [name, value] of pairs) {
    if (name === "csrfmiddlewaretoken") continue;
    found[name] = name in found ? [].concat(found[name], value) : value;
  }
  // Undone facts do not say which draft they belong to.
  for (const name of ["seen", "base"]) if (form().elements[name]) found[name] ??= form().elements[name].value;
  return { ...found, ...more };
}

// The form settles immediately. Later, htmx could move the focus while the user is typing in another field.
function post(target, more, pairs) {
  const context = {
    target,
    swap: target === "#menu" ? "innerHTML" : "outerHTML settle:0ms",
    values: values(pairs ?? entries(), more),
  };
  return htmx.ajax("POST", form().getAttribute("action"), context);
}

let underWay = 0; // actions that the server has not answered yet
function change(more, pairs) {
  underWay += 1;
  queue = queue
    .then(() => {
      htmx.trigger(form(), "htmx:abort"); // cancel the form's own request, which is older
      return post("#editor", more, pairs);
    })
    .catch(() => {})
    .then(() => (underWay -= 1));
}

function act(order, more = {}) {
  const from = {
    "tray-who": tray.querySelector("[data-who]")?.value ?? "",
    "tray-amount": tray.querySelector("[data-sum]")?.value ?? "",
  };
  change({ do: order, ...from, ...more });
}

document.addEventListener("sabot:bring", (event) => change({ do: "check" }, event.detail));

// The action already sends what was typed and returns the ruling. A separate request could bring an older ruling last.
document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (underWay && event.detail.elt === form()) event.preventDefault();
});

// Form buttons wait for running actions; otherwise they would send the form as it was before them.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest?.("#editor button[name=do]");
    if (!button || !underWay) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    change({ do: button.value });
  },
  { capture: true },
);

// The form is never submitted as a page. Enter in a field asks for a ruling and keeps the focus. A button gets here
// only if it is pressed before htmx has processed a new form.
document.addEventListener("submit", (event) => {
  if (event.target !== form() || event.submitter?.matches("[data-try]")) return;
  event.preventDefault();
  if (event.submitter?.hasAttribute("hx-post")) change({ do: event.submitter.value });
  else form().dispatchEvent(new Event("change", { bubbles: true }));
});

// ---------- finding the part under the pointer ----------

// place:4a, card:ponto.3, stake:4a, spot:17-20, call:2, heap:ponto
function pointOf(part) {
  if (part.dataset.point) return part.dataset.point;
  return part.matches(".heap") ? `heap:${part.dataset.group}` : part.dataset.id;
}

const seen = (part) => part.getClientRects().length > 0;
const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];

function away(part, x, y) {
  const box = part.getBoundingClientRect();
  const dx = Math.max(box.left - x, 0, x - box.right);
  const dy = Math.max(box.top - y, 0, y - box.bottom);
  const [mx, my] = middle(box);
  return Math.hypot(dx, dy) + Math.hypot(mx - x, my - y) / 1000; // among several, prefer the nearest centre
}

// The part at this point, or the nearest one within reach. Heaps have no menu and only count while a card is held.
function partAt(target, x, y, heapsToo = held.startsWith("card.")) {
  const fits = (part) => heapsToo || !part.matches(".heap");
  const parts = [...document.querySelectorAll(POINTS)].filter((part) => seen(part) && fits(part));
  const on = target.closest?.(POINTS);
  if (on && parts.includes(on)) return on;
  const near = parts.map((part) => [away(part, x, y), part]).sort((one, other) => one[0] - other[0])[0];
  return near && near[0] <= REACH ? near[1] : null;
}

const isPrinted = (part) => part.closest(".printed-die, [data-point]");

function pointedAt(part) {
  const point = pointOf(part);
  if (held) act(`act:put:${held}:${point}`);
  else open(point, part);
}

// ---------- the menu of a part ----------

function open(point, part) {
  const [left, top] = middle(part.getBoundingClientRect());
  queue = queue
    .then(() => post("#menu", { do: `menu:${point}` }))
    .then(() => {
      if (!menu.childElementCount || menu.open) return;
      menu.dataset.point = point;
      menu.showModal();
      place(left, top);
      menu.querySelector("[data-do], summary")?.focus();
    })
    .catch(() => {});
}

// Puts the menu beside its part. On a phone the stylesheet puts it at the bottom.
function place(x, y) {
  if (matchMedia("(max-width: 63.99rem)").matches) return;
  const { width, height } = menu.getBoundingClientRect();
  const left = x + 40 + width < innerWidth ? x + 40 : x - 40 - width;
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${Math.max(8, Math.min(y - height / 4, innerHeight - height - 8))}px`;
}

function chosen(button) {
  const number = button.closest("[data-section]").querySelector("[data-number]")?.value.trim() ?? "";
  const more = number ? { "tray-amount": number } : {};
  menu.close();
  act(button.dataset.do.replaceAll("?", number.replace(/\D/g, "")), more);
}

menu.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (button) chosen(button);
  if (event.target === menu || event.target.closest("[data-close]")) menu.close();
});
menu.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("[data-number]")) {
    event.preventDefault();
    chosen(event.target.closest("[data-section]").querySelector("[data-do]"));
  }
  if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
  const items = [...menu.querySelectorAll("button, summary, input")].filter(seen);
  const next = items.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  items[(next + items.length) % items.length]?.focus();
});
menu.addEventListener("close", () => {
  refocus(menu.dataset.point);
  menu.replaceChildren();
});

// ---------- the tray ----------

function hold(thing) {
  held = held === thing ? "" : thing;
  for (const one of tray.querySelectorAll("[aria-pressed]")) {
    one.setAttribute("aria-pressed", String(one.dataset.thing === held));
  }
  const hint = tray.querySelector("[data-hint]");
  hint.textContent = held ? hint.dataset.armed : hint.dataset.idle;
  document.querySelector("#drawn").classList.toggle("awaiting", Boolean(held));
}

function openPanel(name) {
  for (const panel of tray.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
  for (const one of tray.querySelectorAll("[data-open]")) {
    one.setAttribute("aria-expanded", String(one.dataset.open === name));
  }
  hold("");
}

let heap = ""; // the heap that tapped cards go to
const heaps = () => tray.querySelector("[data-to]");

function taken(thing) {
  if (thing.startsWith("card.")) act(`act:deal:${heaps().value}:${thing.slice(5)}`);
  else hold(thing);
}

tray.addEventListener("click", (event) => {
  const opens = event.target.closest("[data-open]");
  const thing = event.target.closest("[data-thing]");
  if (opens) {
    openPanel(opens.dataset.open);
    // On a phone the tray is below the table.
    tray.scrollIntoView({ block: matchMedia("(min-width: 64rem)").matches ? "nearest" : "start" });
  }
  if (thing) taken(thing.dataset.thing);
});
tray.addEventListener("change", (event) => {
  if (event.target === heaps()) heap = heaps().value;
});
// Cards go to the heap whose field was focused last.
document.addEventListener("focusin", (event) => {
  const option = heaps()?.querySelector(`[data-field="${CSS.escape(event.target.name ?? "")}"]`);
  if (option && event.target.closest("#editor")) heaps().value = heap = option.value;
});

tray.addEventListener("dragstart", (event) => {
  held = event.target.closest("[data-thing]")?.dataset.thing ?? "";
  event.dataTransfer.setData("text/plain", held);
});
tray.addEventListener("dragend", () => hold(held));
document.addEventListener("dragover", (event) => {
  if (held && event.target.closest?.("#drawn")) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!held || !event.target.closest?.("#drawn")) return;
  event.preventDefault();
  const part = partAt(event.target, event.clientX, event.clientY);
  if (part) act(`act:put:${held}:${pointOf(part)}`);
});

// ---------- dragging what lies on the table ----------

const MOVABLE = /^(place|stake|spot|card):/;
const FAR = 8; // px before a press becomes a drag
let press = null; // { point, x, y, name, ghost }
let dragged = false; // the click that ends a drag opens no menu

document.addEventListener("pointerdown", (event) => {
  dragged = false;
  const part = event.isPrimary && event.button === 0 && event.target.closest?.("#drawn [data-point]");
  if (!part || held || part.matches(".free") || !MOVABLE.test(pointOf(part))) return;
  press = { point: pointOf(part), x: event.clientX, y: event.clientY, name: called(part) };
});
document.addEventListener("pointermove", (event) => {
  if (!press) return;
  if (!press.ghost && Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
  press.ghost ??= ghost(press.name);
  press.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
});
document.addEventListener("pointerup", (event) => {
  const { ghost: shown, point } = press ?? {};
  press = null;
  if (!shown) return;
  shown.remove();
  dragged = true;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const part = under?.closest("#drawn") && partAt(under, event.clientX, event.clientY, point.startsWith("card:"));
  if (part && pointOf(part) !== point) act(`act:carry:${point.replace(":", ".")}:${pointOf(part)}`);
});
document.addEventListener("pointercancel", () => {
  press?.ghost?.remove();
  press = null;
});

function ghost(name) {
  const shown = document.createElement("div");
  shown.className = "ghost";
  shown.textContent = name;
  document.body.append(shown);
  return shown;
}

// ---------- pointing ----------

document.addEventListener("click", (event) => {
  const button = event.target.closest("#said [data-point]");
  if (button) {
    return held && !/^(call|incident|table)/.test(button.dataset.point)
      ? pointedAt(button)
      : open(button.dataset.point, button);
  }
  if (!event.target.closest("#drawn") || dragged) return;
  const shown = !held && event.target.closest(SHOWN);
  if (shown && !isPrinted(shown)) return open("table:", shown);
  const part = partAt(event.target, event.clientX, event.clientY);
  if (part) pointedAt(part);
});

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The nearest part in that direction, preferring those straight ahead.
function nextTo(part, [dx, dy]) {
  const [x, y] = middle(part.getBoundingClientRect());
  const ahead = [...document.querySelectorAll("#drawn .pointable")]
    .filter((one) => one !== part && seen(one))
    .map((one) => {
      const [ox, oy] = middle(one.getBoundingClientRect());
      const along = (ox - x) * dx + (oy - y) * dy;
      return [along + 2 * Math.abs((ox - x) * dy + (oy - y) * dx), along, one];
    })
    .filter(([, along]) => along > 1);
  return ahead.sort((one, other) => one[0] - other[0])[0]?.[2];
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && held) hold("");
  if (event.key === "F2" && !event.ctrlKey && !event.altKey) return toTable(event);
  const part = event.target.closest?.("#drawn .pointable");
  if (!part) return;
  if (["Enter", " "].includes(event.key)) pointedAt(part);
  else if (ARROWS[event.key]) nextTo(part, ARROWS[event.key])?.focus();
  else return;
  event.preventDefault();
});

// F2 leads to the table and, there, back to the field.
let left = null;
function toTable(event) {
  event?.preventDefault();
  const at = document.activeElement;
  const field = at?.closest("#drawn") && (left?.isConnected ? left : document.getElementById(left?.id ?? ""));
  if (field) return field.focus();
  left = at;
  const first = [...document.querySelectorAll("#drawn .pointable")].find(seen);
  first?.focus();
  first?.scrollIntoView({ block: "nearest" });
}
document.addEventListener("click", (event) => event.target.closest("[data-to-table]") && toTable());

// ---------- after every change ----------

const nameOf = (what) => document.querySelector(`#people-names option[value="${CSS.escape(what)}"]`)?.textContent;

// A part in words: whose seat or chips, or which card of which hand.
function called(part) {
  const [on, what] = pointOf(part).split(":");
  const listed = on === "call" && document.querySelector(`#said [data-point="call:${what}"]`);
  if (listed) return listed.textContent.trim();
  if (on !== "card") return nameOf(what) ?? part.dataset.name ?? what;
  const [, hand, number] = /^(.*)\.(\d+)$/.exec(what) ?? [];
  const face = part.querySelector(".rank") ? `: ${part.textContent.trim()}` : "";
  return `${nameOf(`heap:${hand}`) ?? hand}, ${number}${face}`;
}

// Makes every part of the drawing a button, and lists the parts as ordinary buttons for phones.
function setUp() {
  for (const part of document.querySelectorAll("[data-tray], [data-log]")) part.hidden = false;
  const points = new Map();
  for (const part of document.querySelectorAll(POINTS)) {
    if (part.matches(".heap")) continue;
    const name = called(part);
    part.setAttribute("tabindex", "0");
    part.setAttribute("role", "button");
    part.setAttribute("aria-label", name);
    part.classList.add("pointable");
    part.closest("svg").setAttribute("role", "group"); // an image may not contain buttons
    if (!/^(spot|call)/.test(pointOf(part))) points.set(pointOf(part), name);
  }
  const list = document.querySelector("[data-points]");
  list.replaceChildren(
    ...[...points].map(([point, name]) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "thing", textContent: name });
      button.dataset.point = point;
      return button;
    }),
  );
  const who = tray.querySelector("[data-who]");
  if (who) {
    const before = who.value;
    const there = [...document.querySelectorAll('#drawn [data-point^="place:"]:not(.free)')].filter(seen);
    who.replaceChildren(...there.map((part) => new Option(called(part), pointOf(part).slice(6))));
    if ([...who.options].some((one) => one.value === before)) who.value = before;
  }
  if (heap && heaps()) heaps().value = heap;
  document.querySelector("#drawn").classList.toggle("awaiting", Boolean(held));
}

// Keyboard users keep their place when the drawing or the list is replaced.
let pointed = "";
function refocus(point) {
  const parts = [...document.querySelectorAll(`${POINTS}, #said [data-point]`)];
  parts.find((part) => seen(part) && pointOf(part) === point)?.focus({ preventScroll: true });
}
document.body.addEventListener("htmx:beforeSwap", () => {
  const part = document.activeElement?.closest("#drawn .pointable, #said [data-point]");
  pointed = part ? pointOf(part) : "";
});
document.body.addEventListener("htmx:afterSettle", () => {
  setUp();
  if (pointed && !menu.open) refocus(pointed);
});
setUp();
hold("");
