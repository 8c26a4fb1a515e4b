{% load i18n static %}{% get_current_language as LANGUAGE_CODE %}// Shows a page when there is no network, and nothing else: no page, answer or case is ever cached.
// Language {{ LANGUAGE_CODE }}: a new language makes a new worker, which fetches the page again.
const PAGE = "{% url 'offline' %}";
const KEPT = [PAGE, "{% static 'sabot/sabot.css' %}"];

addEventListener("install", (event) => {
  // POST requests bypass the worker: a page that is closing would not wait for a worker to start.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
  event.waitUntil(caches.open("sabot").then((cache) => cache.addAll(KEPT)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const kept = KEPT.includes(new URL(event.request.url).pathname);
  if (event.request.method !== "GET" || (event.request.mode !== "navigate" && !kept)) return;
  event.respondWith(fetch(event.request).catch(() => caches.match(kept ? event.request : PAGE)));
});
