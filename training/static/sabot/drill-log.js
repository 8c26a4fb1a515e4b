// The call log can be stepped through: the line that was reached is marked and its speaker lit on the drawing.

const log = document.querySelector("[data-log]");
const lines = log ? [...log.querySelectorAll("[data-by]")] : [];
let reached = lines.length - 1;

function show() {
  lines.forEach((line, index) => {
    line.classList.toggle("later", index > reached);
    line.toggleAttribute("data-reached", index === reached);
    if (index === reached) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  });
  log.querySelector("[data-log-position]").textContent = `${reached + 1} / ${lines.length}`;
  for (const button of log.querySelectorAll("[data-step]")) {
    button.disabled = !lines[reached + Number(button.dataset.step)];
  }
}

function light() {
  for (const lit of document.querySelectorAll(".table-before .speaking")) lit.classList.remove("speaking", "lit");
  const by = lines[reached].dataset.by;
  const place = by === "croupier" ? ".croupier" : `[data-point="place:${CSS.escape(by)}"]`;
  for (const speaker of document.querySelectorAll(`.table-before ${place}`)) speaker.classList.add("speaking", "lit");
}

function step(by) {
  if (!lines[reached + by]) return;
  reached += by;
  log.open = true;
  show();
  light();
}

if (lines.length) {
  log.querySelector("[data-log-steps]").hidden = false;
  if (matchMedia("(max-width: 40rem)").matches) log.open = false;
  show();
  log.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // In a field or among options the arrows already have work to do.
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    step(by);
  });
}
