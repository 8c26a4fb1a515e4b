// Scrolls the official wording to the letter that the page is about; an address with a fragment does so by itself.
const here = document.querySelector(".official [data-here]");
if (here && !location.hash) {
  const box = here.closest("blockquote");
  box.scrollTop = here.offsetTop - box.offsetTop - 8;
}
