// Opens an article in a side dialog when its badge is clicked. Without this script the badge is a link to the article.
const leaf = document.querySelector("#leaf");

function open(link) {
  const body = leaf.querySelector("[data-leaf]");
  window.htmx.ajax("GET", link.getAttribute("href"), { target: body, swap: "innerHTML" }).then(() => {
    if (!body.querySelector("#leaf-title")) return window.location.assign(link.href);
    if (!leaf.open) leaf.showModal();
    body.querySelector("#leaf-title").focus();
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-article]");
  if (!link || !leaf || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  open(link);
});
