// Says the calls aloud while they are played or stepped through. Off until somebody turns it on; exams do not load this.

const SPOKEN = { pt: "pt-PT", it: "it-IT", es: "es-ES", en: "en-GB" };
const KEPT = "sabot-calls-aloud";
const button = document.querySelector("[data-speak]");
let on = localStorage.getItem(KEPT) === "on";

function show() {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(on));
}

function say(words, language) {
  const said = new SpeechSynthesisUtterance(words.replace(/[«»]/g, "").trim());
  said.lang = SPOKEN[language] ?? language;
  const voices = speechSynthesis.getVoices().filter((voice) => voice.lang.startsWith(said.lang.slice(0, 2)));
  // A voice of the device sends nothing to anybody.
  said.voice = voices.find((voice) => voice.localService && voice.lang === said.lang) ?? voices[0] ?? null;
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

if (button && window.speechSynthesis) {
  show();
  button.addEventListener("click", () => {
    on = !on;
    localStorage.setItem(KEPT, on ? "on" : "off");
    if (!on) speechSynthesis.cancel();
    show();
  });
  document.addEventListener("sabot:replay", ({ detail }) => {
    const call = detail.calls[detail.reached];
    const language = document.querySelector("[data-log] .words")?.lang;
    if (on && call?.words.includes("«")) say(call.words, language);
  });
}
