// The reference drawer: htmx fills it, this script opens it. L opens it too; Escape closes it like any dialog.

const drawer = document.querySelector("#drawer");
const link = document.querySelector("[data-drawer]");

if (drawer && link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (!drawer.open) drawer.showModal();
  });
  // A click outside the drawer lands on its backdrop and closes it.
  drawer.addEventListener("click", (event) => {
    if (event.target === drawer) drawer.close();
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input:not([type=radio], [type=checkbox]), textarea, select");
    if (event.key.toLowerCase() !== "l" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    link.click();
  });
}
