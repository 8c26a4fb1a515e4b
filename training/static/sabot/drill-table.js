// The drawing beside the feedback: a step of the reasoning lights up what it turned on; and the drawing enlarges.

function lightUp(step) {
  for (const lit of document.querySelectorAll("#table .lit")) lit.classList.remove("lit", "speaking");
  if (!step) return;
  for (const [drawing, names] of [[".table-before", step.dataset.lit], [".table-after", step.dataset.litAfter]]) {
    for (const name of names.split(" ").filter(Boolean)) {
      const ref = CSS.escape(name);
      const found = document.querySelectorAll(
        `${drawing} :is([data-place="${ref}"], [data-card="${ref}"], [data-stake="${ref}"])`,
      );
      for (const part of found) part.classList.add("lit");
    }
  }
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
    const large = document.querySelector("#table").classList.toggle("enlarged");
    enlarge.setAttribute("aria-pressed", String(large));
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

function ready() {
  for (const button of document.querySelectorAll("[data-enlarge]")) button.hidden = false;
}
document.body.addEventListener("htmx:afterSettle", ready);
ready();
