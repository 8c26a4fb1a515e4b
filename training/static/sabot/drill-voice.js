// The words can be said instead of typed where the browser can listen, once the trainee has switched it on, and the right
// words can be heard. What the browser hears becomes text in the box; nothing but that text is ever sent to Sabot.

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const KEY = "sabot.voice";
const SPOKEN = { pt: "pt-PT", fr: "fr-FR", en: "en-GB", it: "it-IT", es: "es-ES" };
const dialog = document.querySelector("#voice");
let listening = null; // { recognition, button }

function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is closed: it stays off
  }
}

function turn(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // it cannot be remembered, so it stays off
  }
  if (!on) listening?.recognition.abort();
}

function tell(button, id) {
  const line = button.closest(".question").querySelector("[data-heard-state]");
  line.textContent = id ? dialog.dataset[id] : "";
  line.hidden = !id;
}

function listen(button) {
  const box = button.closest(".question").querySelector(".spoken input");
  const recognition = new Recognition();
  let failed = false;
  recognition.lang = SPOKEN[button.dataset.listen] ?? button.dataset.listen;
  recognition.interimResults = true;
  recognition.onresult = (event) => {
    box.value = [...event.results].map((result) => result[0].transcript).join(" ").trim();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  recognition.onerror = (event) => {
    failed = event.error !== "aborted";
    if (failed) tell(button, event.error === "not-allowed" ? "refused" : "nothing");
  };
  recognition.onend = () => {
    button.setAttribute("aria-pressed", "false");
    if (!failed) tell(button, "");
    listening = null;
    box.focus(); // to be corrected, or sent with Enter
  };
  listening = { recognition, button };
  button.setAttribute("aria-pressed", "true");
  tell(button, "listening");
  recognition.start();
}

function press(button) {
  if (!isOn()) {
    dialog.dataset.then = button.closest(".question").dataset.key;
    dialog.showModal();
  } else if (listening?.button === button) listening.recognition.stop();
  else {
    listening?.recognition.abort();
    listen(button);
  }
}

function say(button) {
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(button.dataset.say);
  words.lang = SPOKEN[button.lang] ?? button.lang;
  speechSynthesis.speak(words);
}

function ready() {
  for (const button of document.querySelectorAll("[data-listen], [data-voice]")) button.hidden = !Recognition;
  const heard = document.querySelector("[data-heard]");
  if (!heard) return;
  heard.hidden = !window.speechSynthesis;
  document.querySelector(".parts")?.after(heard); // where the words are
}

document.addEventListener("click", ({ target }) => {
  const listener = target.closest("[data-listen]");
  if (listener) press(listener);
  if (target.closest("[data-voice]")) {
    delete dialog.dataset.then;
    dialog.showModal();
  }
  const words = target.closest("[data-say]");
  if (words) say(words);
});
dialog.addEventListener("close", () => {
  if (!dialog.returnValue) return;
  turn(dialog.returnValue === "on");
  const asked = dialog.dataset.then && document.querySelector(`[data-key="${CSS.escape(dialog.dataset.then)}"] [data-listen]`);
  if (isOn() && asked) listen(asked);
  dialog.returnValue = "";
});
document.body.addEventListener("htmx:afterSettle", (event) => event.detail.elt.id === "panel" && ready());
ready();
