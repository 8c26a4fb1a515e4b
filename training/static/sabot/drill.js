// Answering by pointing at the table and by keyboard. The form controls hold the answer; this script only sets them.

const LETTER_WITHIN = 1500; // milliseconds between the digit and the letter of a standing player: 4 a
const AT_A_DESK = matchMedia("(min-width: 64rem)"); // narrower pages have one column with the table at the top

const form = () => document.querySelector("#answer");
const questions = (...kinds) =>
  [...(form()?.querySelectorAll(".question") ?? [])].filter((one) => !kinds.length || kinds.includes(one.dataset.kind));
const written = (question) => question.querySelector("input:not([type=radio], [type=checkbox])");
const isAnswered = (question) => Boolean(question.querySelector("input:checked") || written(question)?.value.trim());
const option = (question, value) => question.querySelector(`input[type=radio][value="${CSS.escape(value)}"]`);
const idle = (question) => question.querySelector("[data-idle]"); // the option "does not arise"
const BETWEEN = { place: /[\s,;>]+/, spot: /\s*[,;>]\s*/ }; // a spot's name may contain spaces
const inOrder = (question) =>
  written(question)
    .value.trim()
    .split(BETWEEN[question.dataset.pointing] ?? BETWEEN.place)
    .filter(Boolean)
    .map(spotMeant);
let touched = null; // the question last answered or focused
let pending = null; // the last digit pressed, which a letter may follow

function accepts(question, value) {
  if (question.dataset.pointing === "spot") return question.dataset.kind === "order" || /^\d+$/.test(value);
  if (question.dataset.kind === "order") return Boolean(question.querySelector(`[data-add="${CSS.escape(value)}"]`));
  return Boolean(option(question, value));
}

// Questions answered by pointing at a "place", "card", "heap" or "spot".
const pointingAt = (kind) => questions().filter((question) => question.dataset.pointing === kind && !question.hidden);

// The question that a value answers: the focused one, the last one touched if it is unfinished, the first unanswered
// one, or the last one touched.
function asked(some, valueFor) {
  const found = some.filter((question) => accepts(question, valueFor(question)));
  const here = document.activeElement?.closest(".question");
  const goesOn = touched && (touched.dataset.kind === "order" || !isAnswered(touched)) ? touched : null;
  return (
    found.find((question) => question === here) ??
    found.find((question) => question === goesOn) ??
    found.find((question) => !isAnswered(question)) ??
    found.find((question) => question === touched) ??
    found[0]
  );
}

// Of a group of similar questions only one is open at a time. Answering it opens the next.
const fold = (question) => question.querySelector(".alike");

function openNext(question) {
  if (!fold(question) || form().matches(".stepped")) return;
  const next = questions().find((one) => fold(one) && !isAnswered(one));
  if (next) fold(next).open = true;
  else fold(question).open = false;
}

function enter(question) {
  // Where one question is shown at a time, drill-steps.js turns to this one.
  question.dispatchEvent(new CustomEvent("sabot:enter", { bubbles: true }));
  if (fold(question)) fold(question).open = true;
  question.querySelector("input").focus();
}

function sayChosen() {
  for (const question of questions().filter(fold)) {
    const chosen = question.querySelector("input:checked");
    question.querySelector("[data-chosen]").textContent = chosen ? labelOf(question, chosen).textContent : "";
  }
}

function choose(question, value) {
  if (question.dataset.kind === "order") {
    const places = inOrder(question);
    const before = question.dataset.pointing === "spot" && !("many" in question.dataset) ? [] : places;
    const chosen = places.includes(value) ? places.filter((place) => place !== value) : [...before, value];
    written(question).value = chosen.map(spotWritten).join(", ");
    if (chosen.length && idle(question)) idle(question).checked = false;
  } else if (written(question)) {
    written(question).value = value;
    if (idle(question)) idle(question).checked = false;
  } else {
    option(question, value).checked = true;
  }
  touched = question;
  form().dispatchEvent(new Event("change", { bubbles: true }));
}

// ---------- letters of options ----------

// Every option has a letter: the game's own, or else the next of the alphabet. The stylesheet shows it at a desk.
function giveLetters() {
  for (const question of questions("choice")) {
    const own = (question.dataset.hotkeys ?? "").split(" ").filter(Boolean);
    const letters = new Map(own.map((one) => [one.slice(2), one[0]]));
    const free = [..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => ![...letters.values()].includes(letter));
    for (const input of question.querySelectorAll("input[type=radio]")) {
      if (!letters.has(input.value)) letters.set(input.value, free.shift());
      labelOf(question, input).dataset.letter = letters.get(input.value).toUpperCase();
    }
    question.dataset.hotkeys = [...letters].map(([value, letter]) => `${letter}:${value}`).join(" ");
  }
}

const labelOf = (question, input) => question.querySelector(`label[for="${CSS.escape(input.id)}"]`);

// The help lists only the keys that do something on this page now.
function showKeys() {
  const help = document.querySelector("#keys");
  for (const row of help.querySelectorAll("[data-for]")) row.hidden = !document.querySelector(row.dataset.for);
  help.showModal();
}

// ---------- names of spots ----------

// A spot is written as its numbers (17-20), or by its name on the drawing if it covers many (terceira coluna).
const spotTargets = () => [...document.querySelectorAll('.table-before .target[data-point^="spot:"]')];
const spotName = (target) => target.getAttribute("aria-label");

function spotWritten(value) {
  const target = /^\d/.test(value) ? null : spotTargets().find((one) => meant(one)[1] === value);
  return target ? spotName(target) : value;
}

function spotMeant(text) {
  if (/^\d+(\s*[-/+]\s*\d+)+$/.test(text)) {
    return text
      .split(/\D+/)
      .map(Number)
      .sort((a, b) => a - b)
      .join("-");
  }
  const target = /^\d+[a-i]?$/.test(text) ? null : spotTargets().find((one) => spotName(one) === text.toLowerCase());
  return target ? meant(target)[1] : text;
}

// ---------- pointing ----------

// The kind and id of a part of the drawing: ["place", "4a"], ["card", "ponto.3"], ["spot", "17-20"].
const meant = (part) => part.dataset.point.split(":");
const refOf = (question) => question.dataset.key.split(".").slice(1).join(".");
const cardQuestion = (ref) => pointingAt("card").find((question) => refOf(question) === ref);
const heapQuestion = (ref) => pointingAt("heap").find((question) => accepts(question, ref.split(".")[0]));

function pointAtOne(kind, value) {
  const question = asked(pointingAt(kind), () => value);
  if (question) choose(question, value);
}

function pointAtCard(card, ref) {
  const about = cardQuestion(ref);
  if (about) return offer(card, about);
  const among = heapQuestion(ref);
  if (among) choose(among, ref.split(".")[0]);
}

// Shows the options of a card's question as buttons under the drawing.
function offer(card, question) {
  const bar = document.querySelector("[data-send]");
  const label = document.createElement("span");
  label.textContent = question.querySelector("legend").textContent;
  const buttons = [...question.querySelectorAll("input")].map((input) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet small";
    button.textContent = labelOf(question, input).textContent;
    button.addEventListener("click", () => {
      choose(question, input.value);
      bar.hidden = true;
      card.focus();
    });
    return button;
  });
  bar.replaceChildren(label, ...buttons);
  bar.hidden = false;
  buttons[0].focus();
}

function pointable(part, name) {
  part.setAttribute("tabindex", "0");
  part.setAttribute("role", "button");
  part.setAttribute("aria-label", name);
  part.classList.add("pointable");
  part.closest("svg").setAttribute("role", "group"); // an image may not contain buttons
}

function nameOf(place) {
  const question = pointingAt("place").find((one) => accepts(one, place));
  if (!question) return "";
  const add = question.querySelector(`[data-add="${CSS.escape(place)}"]`);
  if (add) return add.getAttribute("aria-label");
  const label = option(question, place).parentElement;
  return (label.querySelector(".visually-hidden") ?? label).textContent.trim();
}

function setUp() {
  if (!form()) return;
  giveLetters();
  for (const places of form().querySelectorAll("[data-order]")) places.hidden = false;
  const hint = form().querySelector(".pointing"); // one hint per form is enough
  if (hint) hint.hidden = false;
  const folded = questions().find((question) => fold(question) && !isAnswered(question));
  if (folded) fold(folded).open = true;
  const rest = form().querySelector(".rest");
  if (rest) rest.hidden = questions().filter(idle).length < 2;
  offerPointing();
}

// Makes buttons of the places and cards that answer a question in view.
function offerPointing() {
  for (const part of document.querySelectorAll(".table-before .pointable:not(.target)")) {
    part.classList.remove("pointable");
    for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) part.removeAttribute(name);
  }
  for (const seat of document.querySelectorAll('.table-before [data-point^="place:"]')) {
    const name = nameOf(meant(seat)[1]);
    if (name) pointable(seat, name);
  }
  for (const card of document.querySelectorAll('.table-before [data-point^="card:"]')) {
    const ref = meant(card)[1];
    const about = cardQuestion(ref);
    const among = ref.endsWith(".1") && heapQuestion(ref); // the first card stands for its heap
    if (about) pointable(card, about.querySelector("legend").textContent);
    else if (among) {
      const words = labelOf(among, option(among, ref.split(".")[0])).textContent;
      pointable(card, `${among.querySelector("legend").textContent} ${words}`);
    }
  }
  mark();
}

// Marks on the drawing what is chosen in the form.
function mark() {
  const chosen = { place: new Set(), card: new Set(), spot: new Set() };
  for (const kind of ["place", "spot"]) {
    for (const question of pointingAt(kind)) {
      const one = question.querySelector("input:checked")?.value;
      if (written(question)) inOrder(question).forEach((value) => chosen[kind].add(value));
      else if (one) chosen[kind].add(one);
    }
  }
  for (const question of pointingAt("card").filter(isAnswered)) chosen.card.add(refOf(question));
  for (const question of pointingAt("heap").filter(isAnswered)) {
    chosen.card.add(`${question.querySelector("input:checked").value}.1`);
  }
  for (const part of document.querySelectorAll(".table-before :is(.pointable, .target)")) {
    const [kind, ref] = meant(part);
    const is = chosen[kind]?.has(ref) ?? false;
    part.classList.toggle("chosen", is);
    part.setAttribute("aria-pressed", String(is));
  }
  markInHand();
}

// If several questions ask for places or spots, marks the one that pointing would answer.
function markInHand() {
  const first = (question) =>
    question.querySelector("[data-add]")?.dataset.add ??
    (written(question) ? "1" : question.querySelector("input").value);
  for (const asking of [pointingAt("place"), pointingAt("spot")]) {
    const inHand = asking.length > 1 ? asked(asking, first) : null;
    for (const question of asking) question.classList.toggle("in-hand", question === inHand);
  }
}

function pointAt(target) {
  const part = target.closest('.table-before :is([data-point^="place:"], [data-point^="card:"], .target[data-point])');
  if (!part || !form()) return false;
  const [kind, ref] = meant(part);
  if (kind === "card") pointAtCard(part, ref);
  else pointAtOne(kind, ref);
  return true;
}

document.addEventListener("click", (event) => {
  const add = event.target.closest("[data-add]");
  if (add) choose(add.closest(".question"), add.dataset.add);
  const clear = event.target.closest("[data-clear]");
  if (clear) {
    written(clear.closest(".question")).value = "";
    form().dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (event.target.closest("[data-rest]")) restIsIdle();
  if (event.target.closest("[data-show-keys]")) showKeys();
  pointAt(event.target);
});

// Answers every open question with "does not arise", for a coup that is annulled or a request that is refused.
function restIsIdle() {
  for (const question of questions().filter((one) => idle(one) && !isAnswered(one))) idle(question).checked = true;
  form().dispatchEvent(new Event("change", { bubbles: true }));
}

// An answer can be typed, picked or marked "does not arise": the last input counts and the others are cleared.
function oneAnswer({ target }) {
  const question = target.closest?.("#answer .question");
  const typed = question && written(question);
  if (!typed) return;
  if (target === typed ? !typed.value.trim() : !target.checked) return;
  if (target !== typed) typed.value = "";
  for (const other of question.querySelectorAll("input:checked")) if (other !== target) other.checked = false;
}

// ---------- keyboard ----------

// Keys answer only the focused question, so that typing outside a field changes nothing.
const inHand = () => document.activeElement?.closest("#answer .question");

function answerDigit(digit) {
  const question = inHand();
  const value = digit === "0" && question?.dataset.kind === "player" ? "nobody" : digit;
  pending = null;
  if (!question || question.dataset.pointing === "spot") return;
  if (question.dataset.kind === "player") pending = { digit, at: Date.now(), question };
  if (question.dataset.kind !== "choice" && accepts(question, value)) choose(question, value);
}

function answerLetter(letter) {
  if (!pending || pending.question !== inHand() || Date.now() - pending.at > LETTER_WITHIN) return false;
  const place = pending.digit + letter;
  if (!accepts(pending.question, place)) return false;
  // The digit alone was already taken as the seated player; replace it with the standing one.
  choose(pending.question, place);
  pending = null;
  return true;
}

// Picks the option that the game assigned to this key.
function answerHotkey(key) {
  const hotkeys = inHand()?.dataset.hotkeys ?? "";
  const value = hotkeys
    .split(" ")
    .find((one) => one.startsWith(`${key}:`))
    ?.slice(2);
  if (value) choose(inHand(), value);
  return Boolean(value);
}

// Moves to the next question if one is shown at a time, else to the next unanswered one, or submits if there is none.
function goOn(from) {
  const now = questions().findIndex((question) => !question.hidden);
  if (form().matches(".stepped")) {
    if (!from && !isAnswered(questions()[now])) return enter(questions()[now]);
    if (questions()[now + 1]) return enter(questions()[now + 1]);
  }
  const next = questions().find((question) => question !== from && !isAnswered(question));
  if (next) enter(next);
  else form().requestSubmit();
}

function onEnter(event) {
  const { target } = event;
  if (target.matches(".pointable, .target")) pointAt(target);
  else if (form() && (target === document.body || target.matches("main, .verdict, #answer input"))) {
    goOn(target.closest(".question"));
  } else return;
  event.preventDefault();
}

function onLetter(key) {
  if (answerLetter(key) || answerHotkey(key)) return;
  if (key === "n" && !inHand()) document.querySelector("[data-next]")?.click();
  else if (key === "?") showKeys();
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.closest("dialog[open]")) return; // a dialog that was just closed may still have the focus
  if (key === "Enter") return onEnter(event);
  if (key === "Escape") {
    document.querySelector("[data-send]").hidden = true;
    return target.blur?.();
  }
  if (target.matches("input:not([type=radio]), textarea, select")) return;
  if (key === " " && target.matches(".pointable, .target")) {
    event.preventDefault();
    pointAt(target);
  } else if (/^\d$/.test(key)) answerDigit(key);
  else if (key.length === 1) onLetter(key.toLowerCase());
});

// ---------- submitting ----------

// Accepts numbers as people write them, 216 000 € or 50$00, and payments in chips, 2×100 + 1×5.
const PAYMENT = /^\s*\d+\s*[×x*]\s*\d+(\s*\+\s*\d+\s*[×x*]\s*\d+)*\s*$/;
const isNumber = (text) => PAYMENT.test(text) || /^\d+$/.test(text.replace(/\$\d\d$|[\s.€$]|,(?=\d{3})|,\d\d$/g, ""));

// Says beside the field what is wrong with it.
function explain(field) {
  const [said] = document.querySelector("#trouble-number").content.cloneNode(true).children;
  said.id = `${field.id}-slip`;
  const others = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id && id !== said.id);
  field.setAttribute("aria-describedby", [...others, said.id].join(" "));
  field.closest(".question").append(said);
}

// Reports a typing error in a number before anything is sent.
document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== form() || !document.querySelector("#trouble-number")) return;
    for (const said of form().querySelectorAll("[data-slip]")) said.remove();
    const typed = questions("amount", "number").map(written);
    const slips = typed.filter((field) => field.value.trim() && !isNumber(field.value));
    for (const field of typed) field.setAttribute("aria-invalid", String(slips.includes(field)));
    if (!slips.length) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    for (const field of slips) explain(field);
    enter(slips[0].closest(".question"));
  },
  { capture: true },
);

// Questions may be left empty on purpose, so only the first attempt to submit is stopped with a warning.
document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== form() || "warned" in form().dataset) return;
    const empty = questions().find((question) => !isAnswered(question));
    if (!empty) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    form().dataset.warned = "";
    document.dispatchEvent(new CustomEvent("sabot:trouble", { detail: "trouble-empty" }));
    enter(empty);
  },
  { capture: true },
);
document.addEventListener("focusin", (event) => {
  const question = event.target.closest(".question");
  if (!question) return;
  touched = question;
  markInHand();
});
// Runs first, so that the scripts that save the answer see only one input per question.
document.addEventListener("input", oneAnswer, { capture: true });
document.addEventListener("change", ({ target }) => {
  mark();
  sayChosen();
  // Keyboard users keep their focus, so that the arrow keys continue from there.
  const question = target.closest?.("#answer .question");
  if (question && !target.matches(":focus-visible")) openNext(question);
});
document.addEventListener("input", mark);
document.addEventListener("sabot:laid-out", () => form() && offerPointing()); // another question may be in view
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id !== "panel") return;
  setUp();
  // After a full mark, focus the button for the next drill; otherwise the verdict, which should be read first.
  const verdict = document.querySelector(".verdict");
  if (!verdict) return document.querySelector("#panel .notice.error")?.scrollIntoView({ block: "nearest" });
  const done = verdict.dataset.standing === "full" && document.querySelector("[data-next]");
  (done || verdict).focus({ preventScroll: true });
  verdict.scrollIntoView({ block: "nearest", behavior: "instant" });
});
for (const button of document.querySelectorAll("[data-show-keys]")) button.hidden = false;
setUp();
sayChosen();
// On a desktop, focus the first question. On a phone the keyboard would cover the table.
const first = questions().find((question) => !isAnswered(question));
if (first && AT_A_DESK.matches && document.activeElement === document.body) {
  if (fold(first)) fold(first).open = true;
  first.querySelector("input").focus({ preventScroll: true });
}
