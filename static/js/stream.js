// Others' changes: on one stream for all tabs of this browser, the site says which thing has changed, and each page
// asks for its own part. A browser allows only six connections, so one tab holds the stream and tells the others. When
// it closes, another tab takes over. Without locks (plain HTTP from another machine), each tab has its own stream. A
// page that was opened with a secret link names that link's stream (`data-stream`), which only tabs with the same link
// share.
//
// The event `thing-number` has a thing and its number. A new stream begins with all numbers, so nothing is missed in
// between. A thing that is not among them is "left": a page that shows it asks, and finds it gone. `lost` and `reached`
// are about the connection, `signed-out` and `signed-in` about the visitor. On `gone`, the page's link has ended: the
// page is reloaded, and then shows nothing.

const ADDRESS = document.getElementById("live")?.dataset.stream ?? "/stream/";
const SILENT = 40_000; // milliseconds; the server sends something every fifteen seconds
const LONGEST = 30_000; // milliseconds between tries
const tabs = new BroadcastChannel(`stream ${ADDRESS}`);
const known = new Map(); // thing -> number
const say = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

let leads = false;
let heard = Date.now(); // when anything last arrived
let state = "reached";
let hurry = () => {};

function hear(message) {
  heard = Date.now();
  if (message.state === "gone") location.reload();
  for (const [thing, number] of message.numbers ?? []) {
    known.set(thing, number);
    say("thing-number", { thing, number });
  }
  if (state === "signed-out" && message.state === "reached") say("signed-in");
  if (message.state === "reached" || message.state !== state) say(message.state);
  state = message.state;
}

function pass(message) {
  tabs.postMessage(message);
  hear(message);
}

tabs.addEventListener("message", ({ data }) => {
  if (!data.asks) hear(data);
  else if (leads) {
    hurry();
    tabs.postMessage({ numbers: known, state });
  }
});

// The stream, for as long as this tab leads.

async function follow(signal) {
  const end = new AbortController();
  const any = AbortSignal.any([end.signal, signal]);
  let silence;
  const alive = () => {
    clearTimeout(silence);
    silence = setTimeout(() => end.abort(), SILENT);
  };
  alive();
  try {
    const answer = await fetch(ADDRESS, { signal: any, redirect: "error", cache: "no-store" });
    if (!answer.ok) return { status: answer.status };
    return { status: 200, again: await read(answer.body, alive) };
  } catch {
    return { status: 0 };
  } finally {
    clearTimeout(silence);
  }
}

async function read(body, alive) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const numbers = new Map(); // the lines of one event
  for (const [thing] of known) numbers.set(thing, "left");
  let rest = "";
  let again = 1000;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return again;
    alive();
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const [field, kind, pk, number] = line.split(" ");
      if (field === "data:") numbers.set(`${kind} ${pk}`, number);
      if (field === "retry:") again = Number(kind);
      if (!line) {
        pass({ numbers, state: "reached" });
        numbers.clear();
      }
    }
  }
}

const gone = () => fetch(location.href, { method: "HEAD" }).then((answer) => answer.status === 404, () => false);

const pause = (time) =>
  new Promise((done) => {
    hurry = done;
    setTimeout(done, time);
  });

async function lead(signal) {
  leads = true;
  for (let failed = 0; !signal.aborted; ) {
    const { status, again } = await follow(signal);
    if (signal.aborted) break;
    failed = status === 200 ? 0 : failed + 1;
    if (status === 404 && (await gone())) pass({ state: "gone" });
    else if (status === 401) pass({ state: "signed-out" });
    else if (failed > 1) pass({ state: "lost" });
    // At a random moment, so that not everyone comes back at once after a restart of the server.
    const wait = status === 200 ? again : Math.min(LONGEST, 500 * 2 ** failed);
    await pause(status === 401 ? LONGEST * 10 : wait * (0.5 + Math.random()));
  }
  leads = false;
}

async function queue(options = {}) {
  const mine = new AbortController();
  try {
    await navigator.locks.request(`stream ${ADDRESS}`, options, () => lead(mine.signal));
  } catch {
    mine.abort(); // another tab leads, because this one was asleep
    queue();
  }
}

if (navigator.locks) queue();
else lead(new AbortController().signal);
tabs.postMessage({ asks: true });

// When the reader comes back to the page, it compares numbers. If the leading tab was put to sleep, this one takes
// over.
function wake() {
  hurry();
  tabs.postMessage({ asks: true });
  setTimeout(() => {
    if (navigator.locks && !leads && !document.hidden && Date.now() - heard > SILENT) queue({ steal: true });
  }, 2000);
}

document.addEventListener("visibilitychange", () => document.hidden || wake());
addEventListener("online", wake);
