// "Everyone" ticks all characters in its list that have a player, and is itself ticked as long as all of these are. The
// list may be drawn anew.
const listOf = (all) =>
  [...document.querySelectorAll(`input[name="${all.dataset.ticks}"]:not(:disabled, [data-waits])`)];

function follow(all) {
  const boxes = listOf(all);
  all.checked = boxes.length > 0 && boxes.every((one) => one.checked);
}

// The page arrives with the list ticked and "Everyone" unticked: without script, a ticked "Everyone" would override
// unticked characters.
document.querySelectorAll("[data-ticks]").forEach(follow);

document.addEventListener("change", ({ target }) => {
  const all = target.dataset.ticks ? target : document.querySelector(`[data-ticks="${target.name}"]`);
  if (!all) return;
  if (target === all) for (const box of listOf(all)) box.checked = all.checked;
  else follow(all);
});
