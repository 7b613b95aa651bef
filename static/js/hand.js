// "Everyone" ticks all of its list, and unticks itself when one of them is left out. The list may be drawn anew.
document.addEventListener("change", ({ target }) => {
  const all = target.dataset.ticks ? target : document.querySelector(`[data-ticks="${target.name}"]`);
  if (!all) return;
  const boxes = [...document.querySelectorAll(`input[name="${all.dataset.ticks}"]:not(:disabled)`)];
  if (target === all) for (const box of boxes) box.checked = all.checked;
  else all.checked = boxes.every((one) => one.checked);
});
