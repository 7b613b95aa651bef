// Keeps the line of the present turn in sight if the order is longer than the screen.

const show = () =>
  document.querySelector(".screen-line.is-now")?.scrollIntoView({ block: "nearest", behavior: "smooth" });

document.addEventListener("htmx:after:swap", show);
show();
