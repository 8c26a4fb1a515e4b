// The editor by pointing: seats and cards on the drawing, cards from the palette. The fields of the form stay the
// truth; all else only sets them, and with every change the server draws and rules anew.

const form = () => document.querySelector("#editor");
const field = (name) => form().elements[name];
// The heaps whose cards can lie face down, and the fields that hold them.
const turned = () => JSON.parse(form().dataset.heaps);
let heap = ""; // where a card from the palette goes: the field typed in last, at first the first of them

function changed() {
  form().dispatchEvent(new Event("change", { bubbles: true }));
}

// ---------- places ----------

const standing = () => field("standing").value.split(/[\s,;]+/).filter(Boolean);

function pointAtPlace(place) {
  const pointing = document.querySelector("[name=pointing]:checked").value;
  if (!["seat", "standing"].includes(pointing)) field(pointing).value = place; // everybody there can be chosen
  else if (place.length > 1) field("standing").value = standing().filter((other) => other !== place).join(" ");
  else if (pointing === "standing") {
    const letter = [..."abcdefghi"].find((one) => !standing().includes(place + one));
    if (letter) field("standing").value = [...standing(), place + letter].sort().join(" ");
  } else {
    const seat = field(`seats-${place}`);
    seat.checked = !seat.checked;
  }
  changed();
}

// Whoever was just placed can be chosen at once, in every field that names somebody.
function offerPeople() {
  for (const person of document.querySelectorAll("#people option")) {
    for (const list of form().querySelectorAll("select[data-people]")) {
      const values = [...list.options].map((option) => option.value);
      if (values.includes(person.value)) continue;
      const after = [...list.options].findLast((option) => /^[1-9]/.test(option.value));
      after ? after.after(new Option(person.textContent, person.value)) : list.append(new Option(person.textContent, person.value));
    }
  }
}

// ---------- amounts ----------

// The bank, the call that states it and the stakes that cover it are one amount until one of them is made to differ.
const bank = () => JSON.parse(form().dataset.bank || "null");
const number = (input) => input.value.replace(/\D/g, "");
let amountBefore = "";

function statesBank(input) {
  const says = input.name.endsWith("-amount") && field(input.name.replace(/-amount$/, "-says"));
  return says && bank().said.includes(says.value);
}

function follow(input) {
  if (!bank() || !amountBefore || amountBefore === number(input)) return;
  const leads = input.name === bank().field || (statesBank(input) && number(field(bank().field)) === amountBefore);
  if (!leads) return;
  const amounts = [...form().elements].filter((one) => /^(calls|stakes)-\d+-amount$/.test(one.name));
  const followers = [field(bank().field), ...amounts].filter((one) => one !== input && number(one) === amountBefore);
  for (const one of followers) one.value = input.value;
  const note = document.querySelector("#followed");
  note.textContent = followers.length ? note.dataset.text : "";
  amountBefore = number(input);
}

// ---------- cards ----------

const cards = (name) => field(name).value.split(/[\s,;]+/).filter(Boolean);

function setCards(name, list) {
  field(name).value = list.join(" ");
  changed();
}

// A card on the drawing turns over where it lies.
function turnOver(ref) {
  const [lies, number] = ref.split(".");
  const name = turned()[lies];
  const list = cards(name);
  const card = list[number - 1];
  if (!card) return;
  list[number - 1] = card.endsWith("*") ? card.slice(0, -1) : `${card}*`;
  setCards(name, list);
}

function showHeap() {
  if (!field(heap)) heap = Object.values(turned())[0] ?? "";
  const shown = document.querySelector("[data-palette-heap]");
  if (shown && field(heap)) shown.textContent = field(heap).dataset.heap;
}

// ---------- the page ----------

// What a part of the drawing is: ["place", "4a"], ["card", "ponto.3"].
const meant = (part) => part.dataset.point.split(":");

function pointable(part, name) {
  part.setAttribute("tabindex", "0");
  part.setAttribute("role", "button");
  part.setAttribute("aria-label", name);
  part.classList.add("pointable");
  part.closest("svg").setAttribute("role", "group"); // an image may not hold buttons
}

function setUp() {
  for (const part of document.querySelectorAll("[data-pointing], [data-palette]")) part.hidden = false;
  const pointing = document.querySelector("[name=pointing]:checked + label").textContent;
  for (const seat of document.querySelectorAll('#drawn [data-point^="place:"]')) {
    pointable(seat, `${meant(seat)[1]}: ${pointing}`);
  }
  for (const card of document.querySelectorAll('#drawn [data-point^="card:"]')) {
    const [lies, number] = meant(card)[1].split(".");
    const from = turned()[lies];
    if (from) pointable(card, `${field(from).dataset.heap}, ${number}: ${cards(from)[number - 1] ?? ""}`);
  }
  showHeap();
  offerPeople();
  document.querySelector("[data-verdict]").textContent = document.querySelector("#ruled-title").textContent;
}

// What the verdict finds wrong is marked on its field too.
function markWrong() {
  for (const old of form().querySelectorAll("[aria-invalid]")) {
    old.removeAttribute("aria-invalid");
    old.removeAttribute("aria-describedby");
  }
  for (const old of form().querySelectorAll(".errors")) old.remove();
  for (const item of document.querySelectorAll("#ruled [data-wrong]")) {
    const name = item.dataset.wrong;
    const wrong = name && document.getElementById(`f-${name}`);
    if (!wrong || !wrong.matches("input, select")) continue;
    const note = document.createElement("ul");
    note.className = "errors";
    note.id = `e-${name}`;
    const line = document.createElement("li");
    line.textContent = item.querySelector("[data-reason]").textContent;
    note.append(line);
    wrong.setAttribute("aria-invalid", "true");
    wrong.setAttribute("aria-describedby", note.id);
    wrong.closest(".field").append(note);
  }
}

function pointedAt(part) {
  const [kind, ref] = meant(part);
  if (kind === "place") pointAtPlace(ref);
  else turnOver(ref);
}

document.addEventListener("click", (event) => {
  const part = event.target.closest("#drawn .pointable");
  if (part) pointedAt(part);
  const card = event.target.closest("[data-add-card]");
  if (card) setCards(heap, [...cards(heap), card.dataset.addCard]);
  if (event.target.closest("[data-take-card]")) setCards(heap, cards(heap).slice(0, -1));
});
document.addEventListener("keydown", (event) => {
  const part = event.target.closest?.("#drawn .pointable");
  if (!part || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  pointedAt(part);
});
document.addEventListener("change", (event) => event.target.name === "pointing" && setUp());
document.addEventListener("input", (event) => event.target.closest("#editor") && number(event.target) && follow(event.target));
document.addEventListener("focusin", (event) => {
  if (event.target.matches("#editor input[inputmode=numeric]")) amountBefore = number(event.target);
  if (event.target.dataset?.heap === undefined) return;
  heap = event.target.name;
  showHeap();
});

// The drawing is replaced with every change: whoever points by keyboard goes on where they were.
let pointed = "";
document.body.addEventListener("htmx:beforeSwap", () => {
  const part = document.activeElement?.closest("#drawn .pointable");
  pointed = part ? `[data-point="${part.dataset.point}"]` : "";
});
document.body.addEventListener("htmx:afterSettle", (event) => {
  setUp();
  if (event.detail.target?.id === "ruled" || event.detail.elt?.id === "ruled") markWrong();
  if (pointed) document.querySelector(`#drawn ${pointed}`)?.focus();
});
setUp();
