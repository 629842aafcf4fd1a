// A page at a time, by the line of dates, the arrow keys or a swipe on it; and what is in the hex
// under the pointer, or under the finger. Without this script all pages stand below each other.
(() => {
  const root = document.documentElement, nav = document.querySelector("nav");
  const links = [...nav.querySelectorAll("a")];
  const pages = links.map(link => document.getElementById(link.hash.slice(1)));
  const [back, on] = nav.querySelectorAll("button");
  let at = 0;
  const show = (number, scrolls) => {
    at = Math.max(0, Math.min(pages.length - 1, number));
    pages.forEach((page, each) => page.classList.toggle("now", each === at));
    links.forEach((link, each) => each === at
      ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current"));
    back.disabled = at === 0;
    on.disabled = at === pages.length - 1;
    const line = links[at].parentElement;
    line.scrollLeft = links[at].offsetLeft - (line.clientWidth - links[at].offsetWidth) / 2;
    if (scrolls) scrollTo(0, Math.min(scrollY, nav.offsetTop));
  };
  const turn = number => {
    show(number, true);
    try { history.replaceState(null, "", links[at].hash); } catch { /* a page without an address */ }
  };
  const named = () => {
    const found = pages.findIndex(page => "#" + page.id === location.hash);
    show(found < 0 ? 0 : found, false);
    setTimeout(() => scrollTo(0, 0));
  };
  root.classList.add("stepped");
  links.forEach((link, each) => link.addEventListener("click", event => {
    event.preventDefault();
    turn(each);
  }));
  back.addEventListener("click", () => turn(at - 1));
  on.addEventListener("click", () => turn(at + 1));
  addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const box = event.target.closest?.(".table, figure");
    if (box && box.scrollWidth > box.clientWidth) return; // it scrolls
    if (event.key === "ArrowLeft") turn(at - 1);
    if (event.key === "ArrowRight") turn(at + 1);
  });
  addEventListener("hashchange", named);
  addEventListener("load", named); // after the browser has scrolled to the page by itself
  named();

  const tip = document.body.appendChild(document.createElement("div"));
  tip.className = "tip";
  tip.hidden = true;
  const words = new Map();
  for (const hex of document.querySelectorAll(".hit")) {
    words.set(hex, hex.textContent);
    hex.querySelector("title").remove(); // else the browser would show it a second time
    hex.setAttribute("role", "img");
    hex.setAttribute("aria-label", words.get(hex));
    hex.ownerSVGElement.setAttribute("role", "group"); // an image would hide them
  }
  let lit = null;
  const light = hex => {
    if (lit !== null) lit.classList.remove("lit");
    lit = hex;
    tip.hidden = hex === null;
    if (hex === null) return;
    hex.classList.add("lit");
    const [name, ...held] = words.get(hex).split(" · ");
    tip.replaceChildren(...[name, ...held].map((text, line) => {
      const part = document.createElement(line === 0 ? "b" : "span");
      part.textContent = text;
      return part;
    }));
    const box = hex.getBoundingClientRect(), wide = tip.offsetWidth;
    const left = Math.max(8, Math.min(innerWidth - wide - 8, box.left + box.width / 2 - wide / 2));
    const above = box.top - tip.offsetHeight - 6;
    tip.style.left = `${left + scrollX}px`;
    tip.style.top = `${(above < 8 ? box.bottom + 6 : above) + scrollY}px`;
  };
  for (const kind of ["pointerover", "pointerdown"]) {
    addEventListener(kind, event => light(words.has(event.target) ? event.target : null));
  }
})();
