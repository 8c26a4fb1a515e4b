// Animates the table drawing: replays the coup from the call log, and after the mark moves everything to its final
// place, in step with the reasoning. Parts are matched between the two drawings by data-id. Respects
// prefers-reduced-motion.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = 700; // milliseconds per change
const LONGEST = 5000; // milliseconds for all changes together
const EASE = "cubic-bezier(.3, 0, .2, 1)";
const idOf = (part) => part.dataset.id ?? part.dataset.point ?? "";
const drawings = (picture) => [...document.querySelectorAll(`#table ${picture} .table-drawing`)];
const shownIn = (picture) => drawings(picture).find((svg) => svg.getClientRects().length);

function things(svg) {
  const named = svg.querySelectorAll("[data-id]");
  const found = named.length ? named : svg.querySelectorAll("[data-point]:not(.target)");
  return new Map([...found].map((part) => [idOf(part), part]));
}

// The centre of a part in the coordinates of its drawing.
function middle(svg, part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  return new DOMPoint(left + width / 2, top + height / 2).matrixTransform(svg.getScreenCTM().inverse());
}

const between = (from, to) => ({ translate: `${from.x - to.x}px ${from.y - to.y}px` });
const HERE = { translate: "0px 0px" };

function move(part, frames, delay = 0, duration = PACE) {
  return part.animate(frames, { delay, duration, fill: "both", easing: EASE }).finished.catch(() => {});
}

// Stops running animations and removes their leftovers.
function settle(svg) {
  for (const running of svg.getAnimations({ subtree: true })) running.cancel();
  for (const left of svg.querySelectorAll(".gone")) left.remove();
}

// Cards come from the shoe; chips come from their owner and go to the bank.
const CHIPS = new Set(["stake", "offer", "insured"]);
const placeOf = (svg, place) => svg.querySelector(`[data-point="place:${CSS.escape(place)}"]`);
const dealer = (svg) => svg.querySelector(".croupier") ?? [...svg.querySelectorAll(".staff")].at(-1);
const bank = (svg) => svg.querySelector('[data-point="stake:bank"]') ?? dealer(svg);
const speakerOf = (svg, by) => (["croupier", "stickman"].includes(by) ? dealer(svg) : placeOf(svg, by));

function source(svg, id) {
  const [kind, ref] = id.split(":");
  const owner = CHIPS.has(kind) && placeOf(svg, ref);
  return owner || (kind === "card" && svg.querySelector('[href^="#shoe"]')) || dealer(svg);
}

// ---------- replaying the coup ----------

const DEALS = ["closed", "dealt"];
const READ = 2500; // milliseconds the last words stay visible
let fading = 0;

// Maps parts to the call that brings them to the table. Parts not in the map are there from the start.
function arrivals(calls, ids) {
  const last = calls.length - 1;
  const find = (test) => calls.findIndex(test);
  const deal = find((call) => DEALS.includes(call.says));
  const third = calls.findLastIndex((call) => call.says === "card");
  const when = new Map();
  for (const id of ids) {
    const [kind, ref] = id.split(":");
    if (kind === "card") {
      const [heap, number] = ref.split(".");
      if (!["ponto", "banker"].includes(heap)) when.set(id, last);
      else if (number === "3") when.set(id, heap === "ponto" && third >= 0 ? third : last);
      else when.set(id, Math.max(0, deal));
    } else if (CHIPS.has(kind) && ref !== "bank") {
      const own = find((call) => call.by === ref);
      // Disputed chips come last: they are late, or they are the point of the case.
      when.set(id, own >= 0 ? own : kind === "offer" ? last : Math.max(0, deal - 1));
    }
  }
  return when;
}

function speak(svg, { by, words }) {
  svg.querySelector(".spoken-now")?.remove();
  if (!words) return;
  const speaker = speakerOf(svg, by);
  if (!speaker) return;
  const make = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const bubble = make("g", { class: "spoken-now", "aria-hidden": "true" });
  const text = make("text", { "text-anchor": "middle" });
  text.textContent = words;
  bubble.append(text);
  svg.append(bubble);
  const { x, y, width, height } = svg.viewBox.baseVal;
  const box = text.getBBox();
  const at = middle(svg, speaker);
  const half = box.width / 2 + 12;
  const cx = Math.min(Math.max(at.x, x + half), x + width - half);
  // The croupier's words take the place of the name plate: above it lies the bank's capital.
  const above = at.y - 44 > y + 20 ? at.y - 44 : Math.min(at.y + 52, y + height - 20);
  const cy = speaker === dealer(svg) ? Math.min(at.y, y + height - 20) : above;
  text.setAttribute("x", cx);
  text.setAttribute("y", cy + 7);
  bubble.prepend(make("rect", { x: cx - half, y: cy - 18, width: 2 * half, height: 36, rx: 14 }));
  if (!still.matches) {
    move(
      bubble,
      [
        { opacity: 0, translate: "0px 8px" },
        { opacity: 1, ...HERE },
      ],
      0,
      250,
    );
  }
}

function replay({ calls, reached, from }) {
  const svg = shownIn(".table-before");
  if (!svg) return;
  settle(svg);
  const found = things(svg);
  const when = arrivals(calls, found.keys());
  for (const [id, part] of found) {
    const at = when.get(id) ?? -1;
    part.classList.toggle("not-yet", at > reached);
    if (still.matches || at <= from || at > reached) continue;
    const start = source(svg, id);
    if (start) {
      move(part, [
        { ...between(middle(svg, start), middle(svg, part)), opacity: 0 },
        { ...HERE, opacity: 1 },
      ]);
    }
  }
  const over = reached === calls.length - 1;
  svg.classList.toggle("replayed", !over);
  // At the end the drawing shows its own speech bubbles.
  speak(svg, over && svg.querySelector(".bubble") ? {} : calls[reached]);
  clearTimeout(fading);
  if (over) fading = setTimeout(() => svg.querySelector(".spoken-now")?.remove(), READ);
}

document.addEventListener("sabot:replay", (event) => replay(event.detail));

// ---------- moving to the final state ----------

let waiting = []; // timers of highlights still to come

const paymentsOf = (after) => JSON.parse(after.closest("figure").dataset.payments ?? "[]");

// "lost" (the chips are collected) or "won" (others are put beside them), if the ruling settles the bet.
const endedAs = (part) => ["lost", "won"].find((ending) => part.classList.contains(ending));

function turnOf(part, payments) {
  const [, owner, spot] = idOf(part).split(":");
  const lost = endedAs(part) === "lost";
  const own = ([payer, payee, , on]) => (lost ? payer : payee) === owner && (!on || on === spot);
  return payments.findIndex(own);
}

// A part moves with the step that names it; the rest follow in the order in which a croupier clears the table.
function stageOf(part, gone, steps, settled, payments) {
  const paid = endedAs(part) ? turnOf(part, payments) : -1;
  if (paid >= 0) return 2000 + paid;
  const names = [part.dataset.point ?? "", (part.dataset.point ?? "").split(":").at(-1)];
  const step = steps.findIndex(({ dataset }) => {
    const lit = (gone ? dataset.lit : dataset.litAfter) ?? "";
    return lit.split(" ").some((name) => name && names.includes(name));
  });
  if (step >= 0) return step;
  const [kind, owner] = idOf(part).split(":");
  const turn = settled.indexOf(owner);
  if (turn >= 0) return 1001 + turn / 100;
  return 1000 + (kind === "card" ? 0 : gone ? 2 : 3);
}

function changes(before, after, had, has) {
  const steps = [...document.querySelectorAll(".step")];
  const settled = (after.closest("[data-settled]")?.dataset.settled ?? "").split(" ").filter(Boolean);
  const payments = paymentsOf(after);
  const found = [];
  for (const [id, part] of has) {
    const old = had.get(id);
    const here = middle(after, part);
    const start = old ? middle(before, old) : null;
    const far = start ? Math.hypot(start.x - here.x, start.y - here.y) : 0;
    const ended = endedAs(part);
    const other = old && (ended || old.textContent !== part.textContent);
    if (old && far <= 3 && !other) continue;
    const stage = stageOf(part, false, steps, settled, payments);
    found.push({ id, part, old: other ? old : null, start, here, stage, ended });
  }
  for (const [id, part] of had) {
    if (has.has(id) || part.matches(".bubble")) continue;
    const stage = stageOf(part, true, steps, settled, payments);
    found.push({ id, old: part, start: middle(before, part), stage });
  }
  return { steps, found: found.filter((one) => one.start?.x !== undefined || one.here) };
}

// Copies a part of the first drawing onto the second and lets it move away, or fade where it is if it is replaced.
function leave(after, { old, part, start, id, ended }, delay) {
  const copy = old.cloneNode(true);
  copy.removeAttribute("data-id");
  copy.removeAttribute("data-point");
  copy.classList.add("gone");
  after.append(copy);
  const [kind, owner] = id.split(":");
  const back = kind === "offer" && placeOf(after, owner); // refused chips go back to their owner
  const goes = !part || ended === "lost";
  const to = goes && (back || (CHIPS.has(kind) ? bank(after) : dealer(after)));
  const away = to ? between(middle(after, to), start) : HERE;
  move(
    copy,
    [
      { ...HERE, opacity: 1 },
      { ...away, opacity: 0 },
    ],
    delay,
  ).then(() => copy.remove());
}

function play(after, { steps, found }) {
  const stages = [...new Set(found.map((one) => one.stage))].sort((a, b) => a - b);
  const pace = Math.min(PACE, LONGEST / stages.length);
  for (const one of found) {
    const delay = 400 + stages.indexOf(one.stage) * pace;
    if (one.old) leave(after, one, delay);
    if (!one.part) continue;
    const giver = one.ended === "won" ? bank(after) : one.start ? null : source(after, one.id);
    const from = giver ? middle(after, giver) : one.start;
    const seen = one.start && !one.old ? 1 : 0;
    // No opacity for the end: the part keeps the one it is drawn with.
    move(one.part, [{ ...(from ? between(from, one.here) : HERE), opacity: seen }, HERE], delay);
  }
  stages.forEach((stage, index) => {
    if (!steps[stage]) return;
    const turn = (on) => steps[stage].classList.toggle("playing", on);
    waiting.push(setTimeout(turn, 400 + index * pace, true), setTimeout(turn, 400 + (index + 1) * pace, false));
  });
}

function end() {
  const table = document.querySelector("#table");
  for (const timer of waiting) clearTimeout(timer);
  waiting = [];
  for (const step of document.querySelectorAll(".step.playing")) step.classList.remove("playing");
  if (still.matches || !table?.querySelector(".table-after")) return;
  table.classList.add("both"); // show both only to measure them; nothing is painted in between
  const [before, after] = [shownIn(".table-before"), shownIn(".table-after")];
  if (before && after) settle(after);
  const found = before && after ? changes(before, after, things(before), things(after)) : null;
  table.classList.remove("both");
  if (found) play(after, found);
}

document.body.addEventListener("htmx:afterSettle", (event) => event.detail.elt.id === "panel" && end());
document.addEventListener("change", (event) => event.target.id === "shown-after" && end());
