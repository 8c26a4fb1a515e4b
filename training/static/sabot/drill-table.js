// The table drawing: a step of the reasoning highlights what it is about, and the drawing can be enlarged.

function lightUp(step) {
  for (const lit of document.querySelectorAll("#table .lit")) lit.classList.remove("lit", "speaking");
  if (!step) return;
  for (const [drawing, names] of [
    [".table-before", step.dataset.lit],
    [".table-after", step.dataset.litAfter],
  ]) {
    for (const name of names.split(" ").filter(Boolean)) {
      // Spots are prefixed, because number 4 is not seat 4. A place is highlighted together with its cards and stake.
      const points = name.includes(":") ? [name] : ["place", "card", "stake"].map((kind) => `${kind}:${name}`);
      const found = points.map((point) => `${drawing} [data-point="${CSS.escape(point)}"]`).join();
      for (const part of document.querySelectorAll(found)) part.classList.add("lit");
    }
  }
}

let scrolledTo = 0; // scroll position of the page when the table was enlarged

// Boxes of what the case is about: the ids in data-focus, or else the cards.
function matters(table) {
  const named = [...table.querySelectorAll("figure[data-focus]")].flatMap((figure) =>
    figure.dataset.focus.split(" ").flatMap((id) => {
      const which = CSS.escape(id);
      return [...figure.querySelectorAll(`[data-id="${which}"], [data-point="${which}"]:not(.target)`)];
    }),
  );
  const seen = (parts) => parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width);
  const focus = seen(named);
  return focus.length ? focus : seen([...table.querySelectorAll('[data-point^="card:"]')]);
}

// The enlarged table is wider than a phone: scroll to what the case is about, or to the middle.
function lookAtWhatMatters() {
  const table = document.querySelector("#table");
  const found = matters(table);
  const middleOf = (from, to) => (Math.min(...found.map(from)) + Math.max(...found.map(to))) / 2;
  const x = found.length
    ? middleOf(
        (box) => box.left,
        (box) => box.right,
      )
    : table.scrollWidth / 2 - table.scrollLeft;
  const y = found.length
    ? middleOf(
        (box) => box.top,
        (box) => box.bottom,
      )
    : 0;
  table.scrollBy({ left: x - table.clientWidth / 2, top: y - table.clientHeight / 2, behavior: "instant" });
}

// ---------- the part of the table on a phone's screen ----------

const LEGIBLE = 360; // pixels: every drawing is made to be read at this width
const EDGE = 4; // pixels around what matters

function boxesOf(view, ...points) {
  const which = points.map((point) => `[data-point="${CSS.escape(point)}"]:not(.target)`).join();
  const parts = which ? [...view.querySelectorAll(which)] : [];
  return parts.map((part) => part.getBoundingClientRect()).filter((box) => box.width);
}

// What the question in view asks about: a spot, a card, a player with their chips.
function askedAbout(view) {
  const question = document.querySelector("#panel .question:not([hidden])");
  const ref = question?.dataset.key.split(".").slice(1).join(".");
  return ref ? boxesOf(view, ...["spot", "card", "stake", "place"].map((kind) => `${kind}:${ref}`)) : [];
}

// From all that matters to the least that has to be seen.
function decisive(view) {
  const [figure] = view.querySelectorAll("figure");
  const named = (figure.dataset.focus ?? "").split(" ").filter(Boolean);
  const asked = askedAbout(view);
  const focus = matters(view);
  const chips = named.flatMap((id) => boxesOf(view, id.replace("place:", "stake:")));
  const dice = [...view.querySelectorAll(".die")].filter((die) => !die.closest(".printed-die"));
  const thrown = dice.map((die) => die.getBoundingClientRect()).filter((box) => box.width);
  const least = asked.length ? asked : focus.length ? focus : thrown;
  // A player's place says little without their chips, which carry its number.
  const alone = !asked.length && chips.length && named.every((id) => id.startsWith("place:"));
  const most = alone ? [[...focus, ...chips], chips] : [[...asked, ...focus], least];
  return [[...asked, ...focus, ...chips, ...thrown], ...most].filter((boxes) => boxes.length);
}

// As many of the boxes as fit into a view of this size together.
function together(boxes, wide, high) {
  const runs = boxes.flatMap(({ left }) =>
    boxes.map(({ top }) =>
      boxes.filter((box) => box.left >= left && box.top >= top && box.right <= left + wide && box.bottom <= top + high),
    ),
  );
  return runs.toSorted((one, other) => other.length - one.length)[0];
}

function union(boxes) {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return { left, top, width: right - left, height: bottom - top };
}

// Crops, never shrinks: as wide as can be read, scrolled to what matters. A button shows the rest if not all of it fits.
function crop(view) {
  const svg = [...view.querySelectorAll(".table-drawing")].find((one) => one.getClientRects().length);
  if (!svg) return;
  const { clientWidth: wide, clientHeight: high } = view;
  const { width, height } = svg.viewBox.baseVal;
  svg.style.width = `${Math.max(LEGIBLE, Math.min(wide, (high * width) / height))}px`;
  const groups = decisive(view);
  if (!groups.length) return view.scrollTo({ top: (view.scrollHeight - high) / 2, behavior: "instant" });
  const fits = (boxes) => {
    const all = union(boxes);
    return all.width <= wide - 2 * EDGE && all.height <= high - 2 * EDGE;
  };
  const chosen = groups.find(fits);
  const most = chosen ?? together(groups.at(-1), wide - 2 * EDGE, high - 2 * EDGE);
  view.closest("#table").classList.toggle("cut", !chosen);
  const shown = union(most.length ? most : groups.at(-1));
  const box = view.getBoundingClientRect();
  view.scrollBy({
    left: shown.left + shown.width / 2 - box.left - wide / 2,
    top: shown.top + shown.height / 2 - box.top - high / 2,
    behavior: "instant",
  });
}

function layOut() {
  const table = document.querySelector("#table");
  if (!table) return;
  const onScreen = getComputedStyle(table).getPropertyValue("--one-screen").trim() === "1";
  const cropped = onScreen && !table.matches(".enlarged");
  for (const view of table.querySelectorAll(".table-before, .table-after")) {
    if (cropped) crop(view);
    else for (const svg of view.querySelectorAll(".table-drawing")) svg.style.width = "";
    // Arrow keys scroll what has the focus.
    const scrolls = view.scrollHeight > view.clientHeight + 1 || view.scrollWidth > view.clientWidth + 1;
    if (cropped && scrolls) view.setAttribute("tabindex", "0");
    else view.removeAttribute("tabindex");
  }
}
document.addEventListener("sabot:laid-out", layOut);
document.addEventListener("change", (event) => event.target.matches(".table-switch input") && layOut());

const pressed = () => document.querySelector(".step [aria-pressed=true]")?.closest(".step");

function press(button) {
  const now = button.getAttribute("aria-pressed") !== "true";
  for (const other of document.querySelectorAll(".step [aria-pressed=true]")) {
    other.setAttribute("aria-pressed", "false");
  }
  button.setAttribute("aria-pressed", String(now));
  lightUp(pressed());
}

document.addEventListener("click", (event) => {
  const cite = event.target.closest(".step .cite");
  if (cite) press(cite);
  const enlarge = event.target.closest("[data-enlarge]");
  if (enlarge) {
    const at = window.scrollY;
    const large = document.querySelector("#table").classList.toggle("enlarged");
    // The enlarged table takes no room in the page, so closing it restores the scroll position.
    if (large) {
      scrolledTo = at;
    } else window.scrollTo({ top: scrolledTo, behavior: "instant" });
    layOut();
    if (large) lookAtWhatMatters();
  }
});
for (const come of ["mouseover", "focusin"]) {
  document.addEventListener(come, (event) => {
    const step = event.target.closest(".step");
    if (step) lightUp(step);
  });
}
for (const go of ["mouseout", "focusout"]) {
  document.addEventListener(go, (event) => {
    const step = event.target.closest(".step");
    if (step && !step.contains(event.relatedTarget)) lightUp(pressed());
  });
}
document.addEventListener("keydown", (event) => {
  const table = document.querySelector("#table.enlarged");
  if (event.key === "Escape" && table) table.querySelector("[data-enlarge]").click();
});

// ---------- figures as printed, or turned to the reader ----------

const YEAR = 365 * 24 * 60 * 60;

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-figures]");
  if (!button) return;
  const chosen = button.getAttribute("aria-pressed") === "true" ? "reader" : "printed";
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `figures=${chosen}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  location.reload(); // what is filled in is kept as a draft
});

// ---------- spots by keyboard ----------

// A layout has too many spots to tab through: Tab reaches one of them, and the arrow keys move between them.
const TOWARDS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

function nearest(from, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const target of from.parentElement.querySelectorAll(".target")) {
    const [tx, ty] = middle(target);
    const ahead = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [target, ahead + 3 * aside];
  }
  return best;
}

document.addEventListener(
  "keydown",
  (event) => {
    const from = event.target.closest?.(".target");
    if (!from || !(event.key in TOWARDS)) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // the call log listens for arrow keys too
    const next = nearest(from, TOWARDS[event.key]);
    if (!next) return;
    from.parentElement.querySelector('.target[tabindex="0"]')?.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  },
  { capture: true },
);

// While the table is scrolled out of view, a button offers to bring it back.
const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, intersectionRatio } of entries) {
      target.classList.toggle("out-of-sight", intersectionRatio < 0.3);
    }
  },
  { threshold: [0, 0.3] },
);

// Keeps scrolled-to content from ending up behind a table that sticks to the top.
function leaveRoom() {
  const table = document.querySelector("#table");
  if (!table) return;
  const { position, top } = getComputedStyle(table);
  const covered = parseFloat(top) + table.offsetHeight + 8;
  document.documentElement.style.scrollPaddingTop = position === "sticky" ? `${covered}px` : "";
}
const size = new ResizeObserver(() => {
  leaveRoom();
  layOut();
});

function ready() {
  for (const button of document.querySelectorAll("[data-enlarge], [data-figures]")) button.hidden = false;
  const table = document.querySelector("#table");
  if (!table) return;
  sight.observe(table);
  size.observe(table);
  leaveRoom();
}
document.body.addEventListener("htmx:afterSettle", ready);
ready();
