// The storyteller's keys in an encounter: the letter of a press does what the press does, while nobody is writing.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select, dialog")) return;
  const button = /^[a-z]$/.test(event.key) && document.querySelector(`[data-press="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  button.click();
});
