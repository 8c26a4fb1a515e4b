// Voice input and output. If the browser supports it and the trainee has turned it on, the words can be spoken instead
// of typed, and the right words can be played. The browser turns speech into text; Sabot receives only the text.

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const KEY = "sabot.voice";
const SPOKEN = { pt: "pt-PT", fr: "fr-FR", en: "en-GB", it: "it-IT", es: "es-ES" };
const dialog = document.querySelector("#voice");
let listening = null; // { recognition, button }

function isOn() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // storage is unavailable, so voice input stays off
  }
}

function turn(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // storage is unavailable, so voice input stays off
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
    box.value = [...event.results]
      .map((result) => result[0].transcript)
      .join(" ")
      .trim();
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
    box.focus(); // so that the text can be corrected, or sent with Enter
  };
  listening = { recognition, button };
  button.setAttribute("aria-pressed", "true");
  tell(button, "listening");
  recognition.start();
}

function press(button) {
  if (!isOn()) {
    dialog.dataset.question = button.closest(".question").dataset.key;
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
  document.querySelector(".parts")?.after(heard); // next to the words
}

document.addEventListener("click", ({ target }) => {
  const listener = target.closest("[data-listen]");
  if (listener) press(listener);
  if (target.closest("[data-voice]")) {
    delete dialog.dataset.question;
    dialog.showModal();
  }
  const words = target.closest("[data-say]");
  if (words) say(words);
});
dialog.addEventListener("close", () => {
  if (!dialog.returnValue) return;
  turn(dialog.returnValue === "on");
  const asked =
    dialog.dataset.question &&
    document.querySelector(`[data-key="${CSS.escape(dialog.dataset.question)}"] [data-listen]`);
  if (isOn() && asked) listen(asked);
  dialog.returnValue = "";
});
document.body.addEventListener("htmx:afterSettle", (event) => event.detail.elt.id === "panel" && ready());
ready();
