// Says when the campaign has changed. The page is never loaded again by itself, so that nothing
// typed is lost. Without a script the page works too, by its link "Load again".
"use strict";
const LOOK_EVERY = 5000; // milliseconds
const news = document.getElementById("news");
const page = document.body.dataset;
let shown = page.state, isOwn = page.own === "yes";

async function look() {
  try {
    const answer = await fetch("news", { cache: "no-store", signal: AbortSignal.timeout(4000) });
    if (answer.ok) show(await answer.json());
  } catch {
    // No connection: the next look may find one.
  }
}

function show({ state, own }) {
  if (own && !isOwn) bell.ring("Your turn · " + document.title.replace(/^.*? to answer · /, ""));
  isOwn = own;
  if (state === shown) return;
  shown = state;
  if (state === page.state) return news.replaceChildren();
  const link = document.createElement("a");
  link.className = "link";
  link.href = "plain";
  link.textContent = page.changed;
  news.replaceChildren(link);
}

document.querySelector("[role=alert]")?.focus();
bell.attach(document.getElementById("bell"));
setInterval(look, LOOK_EVERY);
