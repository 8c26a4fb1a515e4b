// The page of a case on a phone: one question at a time, what happened in two lines that open, and everything on one
// screen. The stylesheet (one-screen.css) decides by --one-screen whether the page is laid out like this.

const main = document.querySelector(".one-screen");
const TIGHTEST = 4; // levels of data-tight in the stylesheet
const fits = () => getComputedStyle(main).getPropertyValue("--one-screen").trim() === "1";
const form = () => document.querySelector("#answer");
const panel = () => document.querySelector("#panel");
const questions = () => [...(form()?.querySelectorAll(".question") ?? [])];
const isAnswered = (question) =>
  [...question.querySelectorAll("input")].some((field) =>
    field.matches("[type=radio], [type=checkbox]") ? field.checked : field.value.trim(),
  );

let at = 0; // the question shown

// ---------- one question at a time ----------

function drawDots(count) {
  const dots = document.querySelector("[data-dots]");
  if (!dots) return;
  dots.hidden = !fits() || count < 2;
  dots.setAttribute("aria-label", dots.dataset.label.replace("{at}", at + 1).replace("{of}", count));
  dots.replaceChildren(
    ...questions().map((question, index) => {
      const dot = document.createElement("span");
      dot.classList.toggle("now", index === at);
      dot.classList.toggle("done", isAnswered(question));
      return dot;
    }),
  );
}

function show() {
  const all = questions();
  const stepped = fits() && all.length > 0;
  form()?.classList.toggle("stepped", stepped);
  at = Math.min(at, Math.max(0, all.length - 1));
  all.forEach((question, index) => {
    question.hidden = stepped && index !== at;
  });
  if (stepped) all[at].querySelector(".alike")?.setAttribute("open", "");
  const last = !stepped || at === all.length - 1;
  for (const button of document.querySelectorAll("[data-on]")) button.hidden = last;
  for (const button of document.querySelectorAll("[data-back]")) button.hidden = !stepped || at === 0;
  for (const button of form()?.querySelectorAll(".submit-bar [type=submit]") ?? []) {
    const aside = button.matches("[data-before], [data-solution]"); // not the way on
    button.hidden = aside ? stepped && at > 0 : !last;
  }
  drawDots(all.length);
  document.dispatchEvent(new CustomEvent("sabot:stepped"));
  tighten();
}

function turnTo(index) {
  const [legend] = questions()[index].querySelectorAll("legend, label");
  at = index;
  show();
  // The question itself, not its field: on a phone the keyboard would cover the table.
  legend.setAttribute("tabindex", "-1");
  legend.focus({ preventScroll: true });
}

// Makes controls smaller until everything is in view.
function tighten() {
  const box = panel();
  if (!box) return;
  for (let level = 0; level <= TIGHTEST; level += 1) {
    main.dataset.tight = level;
    if (box.scrollHeight <= box.clientHeight + 1) break;
  }
  document.dispatchEvent(new CustomEvent("sabot:laid-out"));
}

// ---------- what happened ----------

function open(now) {
  const button = document.querySelector("[data-gist]");
  button?.setAttribute("aria-expanded", String(now));
  document.querySelector("#facts")?.classList.toggle("open", now);
  document.querySelector(".facts-text")?.setAttribute("tabindex", now ? "0" : "-1"); // arrow keys scroll it
  document.dispatchEvent(new CustomEvent("sabot:laid-out"));
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-on]")) turnTo(at + 1);
  else if (event.target.closest("[data-back]")) turnTo(at - 1);
  const gist = event.target.closest("[data-gist]");
  if (gist) open(gist.getAttribute("aria-expanded") !== "true");
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.querySelector("#facts.open")) open(false);
});
// Another script leads to a question: one that was left empty, or that has a slip.
document.addEventListener("sabot:enter", (event) => {
  const index = questions().indexOf(event.target);
  if (index < 0) return;
  at = index;
  show();
});
document.addEventListener("change", () => form() && drawDots(questions().length));
document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.elt.id !== "panel") return;
  at = 0;
  show();
});
const here = document.querySelector(".strip [aria-current]");
if (here && fits()) here.closest("ol").scrollLeft = here.offsetLeft - here.closest("ol").clientWidth / 2;
new ResizeObserver(show).observe(main);
document.fonts?.ready.then(show);
const first = questions().findIndex((question) => !isAnswered(question));
at = Math.max(0, first);
show();
