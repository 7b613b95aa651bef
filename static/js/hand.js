// "Everyone" ticks all of its list, and unticks itself when one of them is left out.
for (const all of document.querySelectorAll("[data-ticks]")) {
  const boxes = [...document.querySelectorAll(`input[name="${all.dataset.ticks}"]:not(:disabled)`)];
  all.addEventListener("change", () => boxes.forEach((box) => (box.checked = all.checked)));
  boxes.forEach((box) => box.addEventListener("change", () => (all.checked = boxes.every((one) => one.checked))));
}
