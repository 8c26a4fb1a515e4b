// Shares or copies the public address of a certificate. Buttons the browser does not support stay hidden.
const card = document.querySelector(".share");
const { address, title } = card.dataset;
const [share, copy, copied] = ["share", "copy", "copied"].map((name) => card.querySelector(`[data-${name}]`));

if (navigator.share) {
  share.hidden = false;
  // Closing the share dialog rejects the promise.
  share.addEventListener("click", () => navigator.share({ title, url: address }).catch(() => {}));
}
if (navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address);
    copied.hidden = false;
  });
}
