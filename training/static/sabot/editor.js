// The editor's form: keeps linked amounts equal, offers the people at the table, and marks errors on their fields.
// The fields hold the facts; after every change the server draws and rules again.

const form = () => document.querySelector("#editor");
const field = (name) => form().elements[name];

// ---------- people ----------

// Adds people who were just placed to every select that names a person.
function offerPeople() {
  for (const person of document.querySelectorAll("#people option")) {
    for (const list of form().querySelectorAll("select[data-people]")) {
      const values = [...list.options].map((option) => option.value);
      if (values.includes(person.value)) continue;
      const after = [...list.options].findLast((option) => /^[1-9]/.test(option.value));
      const added = new Option(person.textContent, person.value);
      if (after) after.after(added);
      else list.append(added);
    }
  }
}

// ---------- amounts ----------

// The bank, the call that states it and the stakes that cover it stay equal until the user changes one of them.
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

// ---------- the page ----------

// Marks the errors from the verdict on their fields.
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

// Scrolls to the reason for a refusal, because the button is far below it.
function showRefusal() {
  const refusal = form().querySelector("[role=alert]");
  if (!refusal) return;
  refusal.tabIndex = -1;
  refusal.focus({ preventScroll: true });
  refusal.scrollIntoView({ block: "center" });
}

document.addEventListener(
  "input",
  (event) => event.target.closest("#editor") && number(event.target) && follow(event.target),
);
document.addEventListener("focusin", (event) => {
  if (event.target.matches("#editor input[inputmode=numeric]")) amountBefore = number(event.target);
});
// Ctrl+S saves the draft, whatever its state, and stays here.
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== "s") return;
  event.preventDefault();
  form().querySelector("button[name=do][value=save]").click();
});
// A link to a fact leads into its field.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-fact]");
  const fact = link && document.querySelector(link.getAttribute("href"));
  if (!fact) return;
  event.preventDefault();
  fact.closest("details")?.setAttribute("open", "");
  fact.scrollIntoView({ block: "center" });
  (fact.matches("input, select, textarea, fieldset[tabindex]") ? fact : fact.querySelector("input, select"))?.focus();
});
// Keeps the fold open when the ruling is replaced.
let around = false;
document.body.addEventListener(
  "htmx:beforeSwap",
  () => (around = document.querySelector("[data-around]")?.open ?? around),
);
document.body.addEventListener("htmx:afterSettle", (event) => {
  const fold = document.querySelector("[data-around]:not([open])");
  if (around && fold) fold.open = true;
  offerPeople();
  if (event.detail.target?.id === "editor") showRefusal();
  if (event.detail.target?.id === "ruled" || event.detail.elt?.id === "ruled") markWrong();
});
offerPeople();
