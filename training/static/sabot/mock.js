// The clock of a mock exam: shows the server's time, saves the last answer, and opens the final page when time is up.

const bar = document.querySelector("[data-mock]");
const face = bar.querySelector("[data-clock]");
const ends = performance.now() + Number(bar.dataset.left) * 1000;
let kept = false;

function tick() {
  const left = (ends - performance.now()) / 1000;
  const whole = Math.max(0, Math.ceil(left));
  const shown = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  if (face.textContent !== shown) face.textContent = shown;
  bar.classList.toggle("ending", whole <= 60);
  if (left <= 1.5 && !kept) keep();
  if (left > -0.2) return;
  clearInterval(ticking);
  location.replace(bar.dataset.here);
}

function keep() {
  kept = true;
  const form = document.getElementById("answer");
  if (form) fetch(location.href, { method: "POST", body: new FormData(form), redirect: "manual", keepalive: true });
}

const ticking = setInterval(tick, 200);
tick();
