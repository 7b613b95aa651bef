// Parts of a page that follow one or several things. `data-follows` names the things, separated by commas,
// `data-number` has the number of each that the part shows, and `data-from` is the part's address. When stream.js hears
// of another number, the part is fetched again and merged into the page; typed.js keeps text that is being written.
// Parts are fetched one after another, outer ones first, since they contain the inner ones.

const live = document.getElementById("live");
const latest = new Map(); // thing -> its latest number
const answered = new Map(); // address -> the newest number when it was fetched
const AGAIN = 5000; // milliseconds to the next try if there was no answer
const LONGEST_LEAVE = 30_000; // milliseconds until a page that was about to be left counts as still open
let drawing = false;
let leaving = false;

const numbers = (follows) => follows.split(",").map((thing) => latest.get(thing) ?? "");

function behind({ dataset: { follows, number, from } }) {
  if (!follows) return false;
  const [now, shown] = [numbers(follows), number.split(",")];
  return now.some((one, at) => one && one !== shown[at]) && now.join() !== answered.get(from);
}

async function compare() {
  const part = !drawing && !document.hidden && [live, ...live.querySelectorAll("[data-follows]")].find(behind);
  if (!part) return;
  drawing = true;
  const status = await draw(part).catch(() => 0);
  drawing = false;
  if (status && status < 500) compare();
  else setTimeout(compare, AGAIN);
}

async function draw(part) {
  const { follows, from } = part.dataset;
  const number = numbers(follows).join();
  const answer = await fetch(from, { headers: { "HX-Request": "true" }, redirect: "error" });
  if (answer.status < 500) answered.set(from, number);
  if (answer.status === 404) await gone(part);
  if (answer.status === 200) {
    await htmx.swap({ text: await answer.text(), sourceElement: live, target: part, swap: "outerMorph" });
  }
  return answer.status;
}

// The thing is gone, or the reader may no longer see it. A whole page is reloaded, to say so. A part is removed, and
// the page around it is fetched again: it may mention the thing elsewhere, and follows it in case it comes back.
async function gone(part) {
  if (part === live) return leaving || location.reload();
  part.remove();
  document.dispatchEvent(new CustomEvent("part-gone"));
  if (live.dataset.from) await draw(live);
}

document.addEventListener("thing-number", ({ detail: { thing, number } }) => {
  latest.set(thing, number);
  compare();
});

document.addEventListener("visibilitychange", compare);

// A press that leaves the table, or deletes the thing on the page, is already on its way to another page when this one
// hears of it. A reload would get in the way.
window.addEventListener("beforeunload", () => {
  leaving = true;
  setTimeout(() => {
    leaving = false;
    answered.clear();
    compare();
  }, LONGEST_LEAVE);
});

// A part that was held for a form (typed.js) is fetched once the reader has left the form.
document.addEventListener("form-left", () => {
  if (!("held" in live.dataset)) return;
  delete live.dataset.held;
  answered.clear();
  compare();
});
