// The tray forgets. What happened is news for a minute: then a message goes, and a roll folds to one line. Neither does
// while somebody is at it. A page that is loaded later does not show it any more (LiveCharacter.recent).

const NEWS = 60_000; // milliseconds
let due = setTimeout(forget, NEWS);

document.addEventListener("htmx:after:swap", () => {
  clearTimeout(due);
  due = setTimeout(forget, NEWS);
});

function forget() {
  const news = document.querySelector("#latest > .latest");
  const rolled = news?.querySelector("#rolled");
  if (news?.matches(":hover, :focus-within") || rolled?.querySelector("details[open]")) due = setTimeout(forget, NEWS);
  else if (rolled) rolled.open = false;
  else news?.remove();
}
