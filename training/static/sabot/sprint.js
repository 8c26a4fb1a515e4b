// The clock and keys of a sprint. The server keeps the time; this shows it and opens the final page when time is up.

const head = document.querySelector("[data-sprint]");
const face = head.querySelector("[data-clock]");
const bar = head.querySelector("progress");
const form = document.querySelector("[data-answer]");
const ends = performance.now() + Number(head.dataset.left) * 1000;
let sent = false;

function tick() {
  const left = (ends - performance.now()) / 1000;
  const shown = String(Math.max(0, Math.ceil(left)));
  if (face.textContent !== shown) face.textContent = shown;
  bar.value = Math.max(0, left);
  head.classList.toggle("ending", left <= 10);
  if (left > -0.2) return;
  clearInterval(ticking);
  location.replace(location.href);
}

form.addEventListener("submit", (event) => {
  if (sent) event.preventDefault();
  sent = true;
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.matches("input")) return;
  const button = form.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (button) button.click();
});

addEventListener("pageshow", (event) => event.persisted && location.reload());
const ticking = setInterval(tick, 200);
