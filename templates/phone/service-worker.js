{% load i18n static %}{% get_current_language as LANGUAGE_CODE %}// Shows a page when there is no network. The questions of an open exam are kept by their own page (`exam-save.js`) and
// deleted as soon as the exam is closed or another page is opened. Nothing else is ever cached.
// Language {{ LANGUAGE_CODE }}: a new language makes a new worker, which fetches the page again.
const PAGE = "{% url 'offline' %}";
const KEPT = [PAGE, "{% static 'sabot/sabot.css' %}"];

addEventListener("install", (event) => {
  // POST requests bypass the worker: a page that is closing would not wait for a worker to start.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(caches.open("sabot").then((cache) => cache.addAll(KEPT)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
const EXAMS = "{% url 'own_exams' %}sittings/";

async function page(request) {
  const inExam = new URL(request.url).pathname.startsWith(EXAMS);
  try {
    const found = await fetch(request);
    if (!inExam) await caches.delete("sabot-exam");
    return found;
  } catch {
    return (inExam && (await caches.match(request, { ignoreSearch: true, ignoreVary: true }))) || caches.match(PAGE);
  }
}

addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  if (event.request.mode === "navigate") return event.respondWith(page(event.request));
  const kept = KEPT.includes(new URL(event.request.url).pathname);
  if (!kept && navigator.onLine) return;
  event.respondWith(
    fetch(event.request).catch(async () => (await caches.match(event.request)) ?? Response.error()),
  );
});
