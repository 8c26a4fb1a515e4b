// Answers that were typed without a connection and left behind on another page of the sitting: sends them as soon as
// there is a connection. Nothing is handed in before they have arrived.

const bar = document.querySelector("[data-exam]");
const PREFIX = `sabot.exam.${bar.dataset.exam}.`;
const here = document.querySelector("#answer")?.dataset.position;
const handIn = document.querySelector("[data-hand-in]");
let sending = null;

// The positions with unsent changes, except the one on this page, which saves itself.
function waiting() {
  const found = [];
  try {
    for (const key of Object.keys(localStorage)) {
      const position = key.startsWith(PREFIX) ? key.slice(PREFIX.length) : "";
      if (!/^\d+$/.test(position) || position === here) continue;
      const kept = JSON.parse(localStorage.getItem(key));
      if (kept?.sequence > kept?.base) found.push([key, position, kept]);
      else localStorage.removeItem(key);
    }
  } catch {
    // storage is unavailable: nothing was kept
  }
  return found;
}

// Resolves to true if nothing waits any more.
function send() {
  sending ??= (async () => {
    for (const [key, position, kept] of waiting()) if (!(await one(key, position, kept))) return false;
    return true;
  })().finally(() => (sending = null));
  return sending;
}

async function one(key, position, kept) {
  const body = new URLSearchParams(kept.fields);
  body.set("sequence", kept.sequence);
  body.set("seconds", kept.seconds ?? 0);
  const headers = { "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value };
  const address = bar.dataset.save.replace(/\/0\/save\/$/, `/${position}/save/`);
  try {
    const options = { method: "POST", body, headers, redirect: "manual", signal: AbortSignal.timeout(10_000) };
    const response = await fetch(address, options);
    if (![200, 409, 422].includes(response.status)) return false;
    const told = await response.json();
    if (told.problem === "elsewhere") return false; // this browser may continue later
    localStorage.removeItem(key);
    if (response.status === 200) {
      localStorage.setItem(`${key}.done`, JSON.stringify({ sequence: told.sequence, fields: kept.fields }));
    }
    return true;
  } catch {
    return false;
  }
}

document.addEventListener("sabot:send", (event) => event.detail(send()));
addEventListener("online", send);
if (handIn) {
  // The list shows what the server has, so it is loaded again once everything has arrived.
  if (waiting().length) send().then((all) => all && location.reload());
  handIn.addEventListener("submit", async (event) => {
    if (!waiting().length) return;
    event.preventDefault();
    if (await send()) location.reload();
  });
} else {
  send();
}
