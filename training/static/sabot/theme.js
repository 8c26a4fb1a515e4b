// Switches between light and dark without loading the page, so that nothing typed is lost. The cookie is the one that the
// server writes when there are no scripts; the server then links the dark colours before the page is shown.
const MEDIA = { "": "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
const YEAR = 365 * 24 * 60 * 60;

for (const form of document.querySelectorAll("[data-theme-switch]")) {
  form.addEventListener("submit", (event) => {
    const theme = event.submitter?.value;
    if (!(theme in MEDIA)) return;
    event.preventDefault();
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `theme=${theme}; Path=/; Max-Age=${theme ? YEAR : 0}; SameSite=Lax${secure}`;
    document.querySelector("link[data-dark]").media = MEDIA[theme];
    document.querySelector("meta[name=color-scheme]").content = theme || "light dark";
    for (const button of document.querySelectorAll("[data-theme-switch] button")) {
      if (button.value === theme) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  });
}
