// The public address of a certificate: handed to the phone's own sharing, or copied. Buttons that cannot work stay hidden.
const card = document.querySelector(".share");
const { address, title } = card.dataset;
const [share, copy, copied] = ["share", "copy", "copied"].map((name) => card.querySelector(`[data-${name}]`));

if (navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => navigator.share({ title, url: address }).catch(() => {})); // closed again: nothing to say
}
if (navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(address);
    copied.hidden = false;
  });
}
