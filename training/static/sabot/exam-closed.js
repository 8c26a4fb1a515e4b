// The exam is closed: nothing of it stays on this device.
const { closed } = document.querySelector("[data-closed]").dataset;
for (const storage of [() => localStorage, () => sessionStorage]) {
  try {
    const kept = storage();
    for (const key of Object.keys(kept)) if (key.startsWith("sabot.") && key.includes(`.${closed}.`)) kept.removeItem(key);
  } catch {
    // nothing was kept
  }
}
