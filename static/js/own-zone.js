// Adds the same time in the reader's zone beside a time in the site's zone, if the zones differ.
function tellInOwnZone() {
  for (const time of document.querySelectorAll("time[data-own-zone]")) {
    const at = new Date(time.dateTime);
    const day = new Intl.DateTimeFormat("en-GB", { weekday: "long" }).format(at);
    const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(at);
    const words = time.textContent.trim();
    const line = time.closest("p");
    line.querySelector("[data-in-own-zone]")?.remove();
    if (words.startsWith(day) && words.endsWith(hour)) continue;
    const beside = document.createElement("span");
    beside.className = "faint";
    beside.dataset.inOwnZone = "";
    beside.textContent = ` That is ${day}, ${hour}, where you are.`;
    line.append(beside);
  }
}

tellInOwnZone();
document.addEventListener("htmx:after:swap", tellInOwnZone); // others' changes may draw the page anew
