// The drawing beside the feedback: a step of the reasoning lights up what it turned on; and the drawing enlarges.

function lightUp(step) {
  for (const lit of document.querySelectorAll("#table .lit")) lit.classList.remove("lit", "speaking");
  if (!step) return;
  for (const [drawing, names] of [[".table-before", step.dataset.lit], [".table-after", step.dataset.litAfter]]) {
    for (const name of names.split(" ").filter(Boolean)) {
      // A spot says that it is one, for the number 4 is not seat 4; a place lights up with its stake.
      const points = name.includes(":") ? [name] : ["place", "card", "stake"].map((kind) => `${kind}:${name}`);
      const found = points.map((point) => `${drawing} [data-point="${CSS.escape(point)}"]`).join();
      for (const part of document.querySelectorAll(found)) part.classList.add("lit");
    }
  }
}

let left = 0; // where the page was when the table was enlarged

// What the case is about: what the drawing says it opens on (data-focus, by ids), else the cards.
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

// Enlarged, the table is wider than a phone: it opens on what matters, or on the middle where nothing is named.
function lookAtWhatMatters() {
  const table = document.querySelector("#table");
  const found = matters(table);
  const middleOf = (from, to) => (Math.min(...found.map(from)) + Math.max(...found.map(to))) / 2;
  const x = found.length ? middleOf((box) => box.left, (box) => box.right) : table.scrollWidth / 2 - table.scrollLeft;
  const y = found.length ? middleOf((box) => box.top, (box) => box.bottom) : 0;
  table.scrollBy({ left: x - table.clientWidth / 2, top: y - table.clientHeight / 2, behavior: "instant" });
}

const pressed = () => document.querySelector(".step [aria-pressed=true]")?.closest(".step");

function press(button) {
  const now = button.getAttribute("aria-pressed") !== "true";
  for (const other of document.querySelectorAll(".step [aria-pressed=true]")) other.setAttribute("aria-pressed", "false");
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
    // Over the page the table takes no room in it: whoever closes it is back where they were.
    if (large) {
      left = at;
      lookAtWhatMatters();
    } else window.scrollTo({ top: left, behavior: "instant" });
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

// ---------- spots by keys ----------

// A layout has more spots than anybody wants to tab through: Tab reaches one of them, the arrows go on from there.
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

document.addEventListener("keydown", (event) => {
  const from = event.target.closest?.(".target");
  if (!from || !(event.key in TOWARDS)) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // the log is stepped through with arrows too
  const next = nearest(from, TOWARDS[event.key]);
  if (!next) return;
  from.parentElement.querySelector('.target[tabindex="0"]')?.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}, { capture: true });

// Whether the table is still to be seen: if not, its button comes along to bring it back.
const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, intersectionRatio } of entries) target.classList.toggle("out-of-sight", intersectionRatio < 0.3);
  },
  { threshold: [0, 0.3] },
);

// What is brought into sight must not come to lie behind a table that stays at the top.
function leaveRoom() {
  const table = document.querySelector("#table");
  if (!table) return;
  const { position, top } = getComputedStyle(table);
  const covered = parseFloat(top) + table.offsetHeight + 8;
  document.documentElement.style.scrollPaddingTop = position === "sticky" ? `${covered}px` : "";
}
const size = new ResizeObserver(leaveRoom);

function ready() {
  for (const button of document.querySelectorAll("[data-enlarge]")) button.hidden = false;
  const table = document.querySelector("#table");
  if (!table) return;
  sight.observe(table);
  size.observe(table);
  leaveRoom();
}
document.body.addEventListener("htmx:afterSettle", ready);
ready();
