// Answering: on the table by pointing, and by keys. The controls of the form stay the truth; all else only sets them.

const DRAW = { t: "must_draw", f: "must_stand", o: "may_choose" };
const LETTER_WITHIN = 1500; // a digit and then a letter name somebody who stands: 4 a

const form = () => document.querySelector("#answer");
const questions = (...kinds) =>
  [...(form()?.querySelectorAll(".question") ?? [])].filter((one) => !kinds.length || kinds.includes(one.dataset.kind));
const written = (question) => question.querySelector("input:not([type=radio], [type=checkbox])");
const isAnswered = (question) => Boolean(question.querySelector("input:checked") || written(question)?.value.trim());
const option = (question, value) => question.querySelector(`input[type=radio][value="${CSS.escape(value)}"]`);
const idle = (question) => question.querySelector("[data-idle]"); // the answer that the question does not arise
const inOrder = (question) => written(question).value.split(/[\s,;>]+/).filter(Boolean);
let touched = null; // the question answered or entered last
let pending = null; // the digit pressed last, which a letter may follow

function accepts(question, value) {
  if (question.dataset.kind === "order") return Boolean(question.querySelector(`[data-add="${CSS.escape(value)}"]`));
  return Boolean(option(question, value));
}

// Which question a value answers: the one in hand, else the first without an answer, else the one touched last.
function asked(kinds, valueFor) {
  const found = questions(...kinds).filter((question) => accepts(question, valueFor(question)));
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

function choose(question, value) {
  if (question.dataset.kind === "order") {
    const places = inOrder(question);
    const chosen = places.includes(value) ? places.filter((place) => place !== value) : [...places, value];
    written(question).value = chosen.join(", ");
    if (chosen.length && idle(question)) idle(question).checked = false;
  } else {
    option(question, value).checked = true;
  }
  touched = question;
  form().dispatchEvent(new Event("change", { bubbles: true }));
}

// ---------- pointing ----------

function pointAtPlace(place) {
  const question = asked(["player", "order"], () => place);
  if (question) choose(question, place);
}

function pointAtCard(card) {
  const ref = card.dataset.card;
  const fate = questions("choice").find((question) => question.dataset.key === `fate.${ref}`);
  if (fate) return offer(card, fate);
  const side = ref.split(".")[0];
  const winner = questions("choice").find((question) => question.dataset.key === "winner");
  if (winner && accepts(winner, side)) choose(winner, side);
}

// Where to send a card: the options of its question, under the drawing.
function offer(card, question) {
  const bar = document.querySelector("[data-send]");
  const label = document.createElement("span");
  label.textContent = question.querySelector("legend").textContent;
  const buttons = [...question.querySelectorAll("input")].map((input) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button quiet small";
    button.textContent = question.querySelector(`label[for="${CSS.escape(input.id)}"]`).textContent;
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
  part.closest("svg").setAttribute("role", "group"); // an image may not hold buttons
}

function nameOf(place) {
  const question = questions("player", "order").find((one) => accepts(one, place));
  if (!question) return "";
  const add = question.querySelector(`[data-add="${CSS.escape(place)}"]`);
  return add ? add.getAttribute("aria-label") : option(question, place).parentElement.textContent.trim();
}

function setUp() {
  if (!form()) return;
  for (const hint of form().querySelectorAll(".pointing, [data-order]")) hint.hidden = false;
  const rest = form().querySelector(".rest");
  if (rest) rest.hidden = questions().filter(idle).length < 2;
  for (const seat of document.querySelectorAll(".table-before [data-place]")) {
    const name = nameOf(seat.dataset.place);
    if (name) pointable(seat, name);
  }
  const winner = questions("choice").find((question) => question.dataset.key === "winner");
  for (const card of document.querySelectorAll(".table-before [data-card]")) {
    const [side, number] = card.dataset.card.split(".");
    const fate = questions("choice").find((question) => question.dataset.key === `fate.${card.dataset.card}`);
    const wins = winner && number === "1" && option(winner, side);
    if (fate) pointable(card, fate.querySelector("legend").textContent);
    else if (wins) {
      const words = winner.querySelector(`label[for="${CSS.escape(wins.id)}"]`).textContent;
      pointable(card, `${winner.querySelector("legend").textContent} ${words}`);
    }
  }
  mark();
}

// What is chosen in the form shows on the drawing.
function mark() {
  const places = new Set();
  for (const question of questions("player")) places.add(question.querySelector("input:checked")?.value);
  for (const question of questions("order")) inOrder(question).forEach((place) => places.add(place));
  const cards = new Set(
    questions("choice")
      .filter(isAnswered)
      .map((question) => question.dataset.key.replace(/^fate\./, "")),
  );
  const winner = questions("choice").find((question) => question.dataset.key === "winner");
  const side = winner?.querySelector("input:checked")?.value;
  for (const part of document.querySelectorAll(".table-before .pointable")) {
    const { place, card } = part.dataset;
    const chosen = place ? places.has(place) : cards.has(card) || card === `${side}.1`;
    part.classList.toggle("chosen", chosen);
    part.setAttribute("aria-pressed", String(chosen));
  }
  markInHand();
}

// Where several questions ask for places, the one that pointing would answer is marked.
function markInHand() {
  const asking = questions("player", "order");
  const first = (question) => question.querySelector("[data-add]")?.dataset.add ?? question.querySelector("input").value;
  const inHand = asking.length > 1 ? asked(["player", "order"], first) : null;
  for (const question of asking) question.classList.toggle("in-hand", question === inHand);
}

function pointAt(target) {
  const part = target.closest(".table-before [data-place], .table-before [data-card]");
  if (!part || !form()) return false;
  if (part.dataset.place) pointAtPlace(part.dataset.place);
  else pointAtCard(part);
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
  if (event.target.closest("[data-show-keys]")) document.querySelector("#keys").showModal();
  pointAt(event.target);
});

// Once the coup is annulled or the wish refused, all that is still open is answered at one stroke.
function restIsIdle() {
  for (const question of questions().filter((one) => idle(one) && !isAnswered(one))) idle(question).checked = true;
  form().dispatchEvent(new Event("change", { bubbles: true }));
}

// A question is typed, picked or said not to arise: the last thing done counts, and the rest is emptied.
function oneAnswer({ target }) {
  const question = target.closest?.("#answer .question");
  const typed = question && written(question);
  if (!typed) return;
  if (target === typed ? !typed.value.trim() : !target.checked) return;
  if (target !== typed) typed.value = "";
  for (const other of question.querySelectorAll("input:checked")) if (other !== target) other.checked = false;
}

// ---------- keys ----------

function answerDigit(digit) {
  const meaning = (question) => (digit === "0" && question.dataset.kind === "player" ? "nobody" : digit);
  const question = asked(["score", "player", "order"], meaning);
  pending = { digit, at: Date.now(), question };
  if (question) choose(question, meaning(question));
}

function answerLetter(letter) {
  if (!pending || Date.now() - pending.at > LETTER_WITHIN) return false;
  const place = pending.digit + letter;
  // The seat's own number was taken for an answer already: it is the standing player who was meant.
  const before = pending.question && accepts(pending.question, place) ? pending.question : null;
  const question = before ?? asked(["player", "order"], () => place);
  if (!question) return false;
  if (before?.dataset.kind === "order" && inOrder(before).at(-1) === pending.digit) choose(before, pending.digit);
  choose(question, place);
  pending = null;
  return true;
}

function answerDraw(value) {
  const draws = questions("choice").filter((question) => /^(banker|ponto)_draw$/.test(question.dataset.key));
  const question = draws.find((one) => !isAnswered(one)) ?? draws[0];
  if (question) choose(question, value);
}

// Enter goes on to what is not answered yet; when all is, it submits.
function goOn(from) {
  const next = questions().find((question) => question !== from && !isAnswered(question));
  if (next) next.querySelector("input").focus();
  else form().requestSubmit();
}

function onEnter(event) {
  const { target } = event;
  if (target.matches(".pointable")) pointAt(target);
  else if (form() && (target === document.body || target.matches("main, #answer input"))) goOn(target.closest(".question"));
  else return;
  event.preventDefault();
}

function onLetter(key) {
  if (/^[a-i]$/.test(key) && answerLetter(key)) return;
  if (key in DRAW) answerDraw(DRAW[key]);
  else if (key === "n") document.querySelector("[data-next]")?.click();
  else if (key === "?") document.querySelector("#keys").showModal();
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (target.closest("dialog[open]")) return; // one just closed may still hold the focus for a moment
  if (key === "Enter") return onEnter(event);
  if (key === "Escape") {
    document.querySelector("[data-send]").hidden = true;
    return target.blur?.();
  }
  if (target.matches("input:not([type=radio]), textarea, select")) return;
  if (key === " " && target.matches(".pointable")) {
    event.preventDefault();
    pointAt(target);
  } else if (/^\d$/.test(key)) answerDigit(key);
  else if (key.length === 1) onLetter(key.toLowerCase());
});

// ---------- submitting ----------

// Leaving questions empty may be meant, but not by a slip: the first try only says so.
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
    empty.querySelector("input").focus();
  },
  { capture: true },
);
document.addEventListener("focusin", (event) => {
  const question = event.target.closest(".question");
  if (!question) return;
  touched = question;
  markInHand();
});
// First of all, so that whoever keeps or saves the answer finds one.
document.addEventListener("input", oneAnswer, { capture: true });
document.addEventListener("change", mark);
document.addEventListener("input", mark);
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id !== "panel") return;
  setUp();
  // When the mark arrives, the next thing to do is under the fingers.
  document.querySelector("[data-next]")?.focus();
});
for (const button of document.querySelectorAll("[data-show-keys]")) button.hidden = false;
setUp();
