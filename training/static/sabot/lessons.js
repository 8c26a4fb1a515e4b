// Steps through a worked example: each step highlights what it is about, and the last shows the table at the end.

const walk = document.querySelector("[data-walk]");

function shown(which) {
  const choice = document.querySelector(`#shown-${which}`);
  if (choice) choice.checked = true;
}

function lightUp(names) {
  for (const lit of document.querySelectorAll(".table-drawing .lit")) lit.classList.remove("lit", "speaking");
  for (const name of names.split(" ").filter(Boolean)) {
    const points = name.includes(":") ? [name] : ["place", "card", "stake"].map((kind) => `${kind}:${name}`);
    const found = points.map((point) => `.table-drawing [data-point="${CSS.escape(point)}"]`).join();
    for (const part of document.querySelectorAll(found)) part.classList.add("lit");
    if (name === "croupier") {
      for (const part of document.querySelectorAll(".table-drawing .croupier")) part.classList.add("lit");
    }
  }
}

if (walk) {
  const steps = [...walk.querySelectorAll(".step")];
  const on = walk.querySelector("[data-walk-on]");
  const end = walk.querySelector("[data-walk-end]");
  let reached = 0;
  function show() {
    const over = reached >= steps.length;
    steps.forEach((step, index) => {
      step.hidden = index > reached;
    });
    end.hidden = !over;
    on.hidden = over;
    shown(over ? "after" : "before");
    lightUp(over ? "" : steps[reached].dataset.lit);
  }
  on.querySelector("button").addEventListener("click", () => {
    reached += 1;
    show();
    (steps[reached] ?? end).scrollIntoView({ block: "nearest" });
  });
  show();
}

const guide = document.querySelector("[data-lights]");
if (guide) lightUp(guide.dataset.lights);

// On a phone, scroll past the page header so that the text of the next stop and its button fit. This runs after load,
// because the browser's own jump to #stop leaves room for the sticky table.
if (location.hash === "#stop") {
  const begin = () => scrollTo({ top: document.querySelector("#stop").offsetTop, behavior: "instant" });
  addEventListener("load", () => requestAnimationFrame(begin));
}

// Focuses the result of an answer, which is what should be read next.
const told = document.querySelector("#told");
if (told) {
  told.focus({ preventScroll: true });
  told.scrollIntoView({ block: matchMedia("(min-width: 64rem)").matches ? "nearest" : "start", behavior: "instant" });
}
