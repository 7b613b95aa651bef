// "Everyone" ticks all of its list who have a player, and is ticked while none of these is left out. The list may be drawn
// anew.
const listOf = (all) =>
  [...document.querySelectorAll(`input[name="${all.dataset.ticks}"]:not(:disabled, [data-waits])`)];

function follow(all) {
  const boxes = listOf(all);
  all.checked = boxes.length > 0 && boxes.every((one) => one.checked);
}

// The page comes with the list ticked and "Everyone" not: without scripts it would outvote whoever is unticked.
document.querySelectorAll("[data-ticks]").forEach(follow);

document.addEventListener("change", ({ target }) => {
  const all = target.dataset.ticks ? target : document.querySelector(`[data-ticks="${target.name}"]`);
  if (!all) return;
  if (target === all) for (const box of listOf(all)) box.checked = all.checked;
  else follow(all);
});
