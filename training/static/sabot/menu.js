// The account menu opens and closes by itself as a <details>; here it only learns to close
// when the person presses Escape or turns to something else.
for (const menu of document.querySelectorAll("details[data-menu]")) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
}

// Where the places or the tabs are a line to swipe along, the current one is in sight.
for (const here of document.querySelectorAll(":is(.places, .tabs) [aria-current]")) {
  const line = here.closest(".places, .tabs");
  const { left, width } = here.getBoundingClientRect();
  if (!width) continue; // what only a desktop shows
  line.scrollLeft += left - line.getBoundingClientRect().left - (line.clientWidth - width) / 2;
}

// Of a form that was not taken one sees the first mistake, with the words under it, and goes on from there. The editor
// leads to its own.
const mistake = document.querySelector("main .field [aria-invalid=true]:not(#editor *)");
if (mistake && !document.querySelector("main [autofocus]")) {
  mistake.focus({ preventScroll: true });
  mistake.closest(".field").scrollIntoView({ block: "nearest", behavior: "instant" });
}

// A phone that has it installed is told when there is no network.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
