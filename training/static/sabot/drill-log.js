// Steps through the call log and plays it: marks the current line, highlights its speaker on the drawing, and makes the
// table show what was on it at that point (table-motion.js).

const log = document.querySelector("[data-log]");
const lines = log ? [...log.querySelectorAll("[data-by]")] : [];
const EACH = 1200; // milliseconds per line during playback
let reached = lines.length - 1;
let playing = 0;

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
  const place = ["croupier", "stickman"].includes(by) ? ".croupier" : `[data-point="place:${CSS.escape(by)}"]`;
  for (const speaker of document.querySelectorAll(`.table-before ${place}`)) speaker.classList.add("speaking", "lit");
}

function goTo(line, from = reached) {
  reached = line;
  show();
  light();
  const calls = lines.map(({ dataset, children }) => ({
    by: dataset.by,
    says: dataset.says,
    words: children[1].textContent,
  }));
  document.dispatchEvent(new CustomEvent("sabot:replay", { detail: { calls, reached, from } }));
}

function step(by) {
  clearInterval(playing);
  if (lines[reached + by]) goTo(reached + by);
}

function play() {
  clearInterval(playing);
  goTo(0, -1);
  playing = setInterval(() => {
    if (window.speechSynthesis?.speaking) return; // the call is still being said (drill-speech.js)
    if (lines[reached + 1]) goTo(reached + 1);
    else clearInterval(playing);
  }, EACH);
}

if (lines.length) {
  log.querySelector("[data-log-steps]").hidden = false;
  show();
  log.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
    if (event.target.closest("[data-replay]")) play();
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // Fields and options use the arrow keys themselves.
    if (!by || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) {
      return;
    }
    event.preventDefault();
    step(by);
  });
}
