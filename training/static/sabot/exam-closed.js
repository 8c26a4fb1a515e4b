// The exam is closed: deletes everything about it from this device.
const { closed } = document.querySelector("[data-closed]").dataset;
for (const storage of [() => localStorage, () => sessionStorage]) {
  try {
    const kept = storage();
    for (const key of Object.keys(kept)) {
      if (key.startsWith("sabot.") && key.includes(`.${closed}.`)) kept.removeItem(key);
    }
  } catch {
    // storage is unavailable
  }
}
// And the pages that were kept for when there is no connection.
globalThis.caches?.delete("sabot-exam").catch(() => {});
