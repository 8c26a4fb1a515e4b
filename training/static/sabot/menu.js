// The account menu is a <details>. This closes it on Escape, on a click elsewhere and when it loses focus.
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

// Scrolls swipeable navigation rows so that the current entry is visible.
for (const here of document.querySelectorAll(":is(.places, .tabs) [aria-current]")) {
  const line = here.closest(".places, .tabs");
  const { left, width } = here.getBoundingClientRect();
  if (!width) continue; // shown only on a desktop
  line.scrollLeft += left - line.getBoundingClientRect().left - (line.clientWidth - width) / 2;
}

// Focuses the first invalid field of a rejected form and shows it with its error. The editor does this itself.
const mistake = document.querySelector("main .field [aria-invalid=true]:not(#editor *)");
if (mistake && !document.querySelector("main [autofocus]")) {
  mistake.focus({ preventScroll: true });
  mistake.closest(".field").scrollIntoView({ block: "nearest", behavior: "instant" });
}

// The service worker shows a page when there is no network.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

// Filters apply as soon as they are changed. Arrow keys change a closed list at every step, so wait for the last one.
for (const filter of document.querySelectorAll("form[data-at-once]")) {
  let soon;
  filter.addEventListener("change", () => {
    clearTimeout(soon);
    soon = setTimeout(() => filter.requestSubmit(), 350);
  });
}
