// Offers once to keep the site on the phone. Whoever declines or installs is not asked again on this device.

const KEPT = "sabot-install-answered";
const hint = document.querySelector("[data-install]");
const installed = matchMedia("(display-mode: standalone)").matches || navigator.standalone;
let prompt = null;

function answered() {
  localStorage.setItem(KEPT, "yes");
  hint.hidden = true;
}

if (hint && !installed && !localStorage.getItem(KEPT)) {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event;
    hint.hidden = false;
  });
  // Safari on phones has no such event, only a menu; `standalone` exists only there.
  if (navigator.standalone === false) {
    hint.querySelector("[data-install-prompt]").hidden = true;
    hint.querySelector("[data-install-now]").hidden = true;
    hint.querySelector("[data-install-apple]").hidden = false;
    hint.hidden = false;
  }
  addEventListener("appinstalled", answered);
  hint.querySelector("[data-install-never]").addEventListener("click", answered);
  hint.querySelector("[data-install-now]").addEventListener("click", async () => {
    await prompt?.prompt();
    answered();
  });
}
