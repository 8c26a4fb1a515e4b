{% load i18n static %}{% get_current_language as LANGUAGE_CODE %}// Says when there is no network, and does nothing else: no page, no answer and no case is ever kept here.
// In {{ LANGUAGE_CODE }}: another language is another worker, which fetches the page anew.
const PAGE = "{% url 'offline' %}";
const KEPT = [PAGE, "{% static 'sabot/sabot.css' %}"];

addEventListener("install", (event) => {
  // What is sent goes straight to the server: a page that is going away does not outlive a worker that is just starting.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(caches.open("sabot").then((cache) => cache.addAll(KEPT)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const kept = KEPT.includes(new URL(event.request.url).pathname);
  if (event.request.method !== "GET" || (event.request.mode !== "navigate" && !kept)) return;
  event.respondWith(fetch(event.request).catch(() => caches.match(kept ? event.request : PAGE)));
});
