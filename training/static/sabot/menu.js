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

// Where the places are a line to swipe along, the current one is in sight.
const here = document.querySelector(".places [aria-current]");
if (here) {
  const line = here.closest(".places");
  const { left, width } = here.getBoundingClientRect();
  line.scrollLeft += left - line.getBoundingClientRect().left - (line.clientWidth - width) / 2;
}
