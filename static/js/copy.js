// A button copies a link that is shown once. If the browser refuses, the link is selected in its field.

const SAID = 4000; // milliseconds

for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copies]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copies);
  if (!(await copied(field))) return;
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), SAID);
});

// Over plain HTTP there is no clipboard API, only this command.
async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
