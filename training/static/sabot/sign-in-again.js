// Sends a sign-in that had to wait again, after the seconds that the page names.

const form = document.querySelector("form[data-again]");
setTimeout(() => form.requestSubmit(), Number(form.dataset.again) * 1000);
