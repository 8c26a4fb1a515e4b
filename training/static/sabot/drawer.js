// The drawer for reference: htmx fills it, this opens it; Escape closes it, as any dialog. L opens it from the page.

const drawer = document.querySelector("#drawer");
const link = document.querySelector("[data-drawer]");

if (drawer && link) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    if (!drawer.open) drawer.showModal();
  });
  // Beside the drawer is the page: a click there closes it.
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
