// Shows that something is under way once a page, a form or a part of a page takes longer than 300 ms.

const LONG = 300; // milliseconds
const AT_MOST = 15_000; // a download never replaces the page
const running = new Set();

function begin(what) {
  running.add(what);
  setTimeout(() => running.has(what) && document.documentElement.classList.add("waiting-long"), LONG);
  setTimeout(end, AT_MOST, what);
}

function end(what) {
  running.delete(what);
  if (!running.size) document.documentElement.classList.remove("waiting-long");
}

addEventListener("beforeunload", () => begin("page"));
addEventListener("pageshow", () => end("page"));
document.addEventListener("htmx:beforeRequest", (event) => begin(event.detail.xhr));
document.addEventListener("htmx:afterRequest", (event) => end(event.detail.xhr));
