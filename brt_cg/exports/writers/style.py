"""The style sheet of documents in HTML."""

CSS = """\
:root {
  color-scheme: light dark;
  --paper: #fdfcf9; --ink: #22211e; --soft: #6d6a62; --rule: #d9d5ca; --tint: #f3f0e8;
  --marine: #2f6249; --japanese: #a2402c; --link: #2b5a86;
  --sea: #dce8ec; --land: #efe6cf; --beach: #f8f2e2; --pier: #cdb98e; --grid: #b9b09a;
  --label: #8d8674; --away: #ffffff;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #191a1b; --ink: #e6e3dc; --soft: #9b978d; --rule: #3a3b3c; --tint: #222425;
    --marine: #7fbf9b; --japanese: #e08a74; --link: #8db8e0;
    --sea: #1d2a30; --land: #3b3729; --beach: #4a4534; --pier: #6d6144; --grid: #565040;
    --label: #a59e8a; --away: #101112;
  }
}
@page { size: A4; margin: 17mm 15mm 17mm;
  @top-left, @top-right, @bottom-left, @bottom-right { color: #6d6a62; }
  @top-left { font: 600 8pt/1 "Palatino Linotype", Palatino, "Liberation Serif", serif; }
  @top-right { font: 8pt/1 "Helvetica Neue", "Segoe UI", "Liberation Sans", Arial, sans-serif; }
  @bottom-left { font: 6.5pt/1 "Liberation Mono", Consolas, monospace; }
  @bottom-right { content: counter(page) " / " counter(pages);
    font: 8pt/1 "Helvetica Neue", "Segoe UI", "Liberation Sans", Arial, sans-serif; }
}
@page wide { size: A4 landscape; }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); }
body { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem;
  font: 15px/1.5 "Helvetica Neue", "Segoe UI", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums; }
h1, h2, h3, h4 { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "Liberation Serif",
  Georgia, serif; font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1 { font-size: 2.2rem; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.5rem; margin: 3rem 0 .7rem; padding-top: .6rem;
  border-top: 2px solid var(--ink); }
h3 { font-size: 1.08rem; margin: 1.7rem 0 .4rem; }
h4 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
ul { margin: .4rem 0 .8rem; padding-left: 1.2rem; max-width: 50rem; }
li { margin: .15rem 0; }
.head { color: var(--soft); margin: 0; }
.hash { color: var(--soft); font: 11px/1.5 "Liberation Mono", Consolas, monospace;
  margin: .2rem 0 0; overflow-wrap: anywhere; }
.after { color: var(--soft); font-size: .85em; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: 1.2rem 0 0; padding: .7rem 0;
  border-top: 1px solid var(--rule); border-bottom: 1px solid var(--rule); font-size: .88rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.table { overflow-x: auto; margin: .3rem 0 1.1rem; }
table { border-collapse: collapse; font-size: .9rem; line-height: 1.35; min-width: 45%; }
th { text-align: left; font-weight: 600; font-size: .78rem; color: var(--soft);
  border-bottom: 1.5px solid var(--ink); padding: .25rem .9rem .25rem 0; vertical-align: bottom;
  white-space: nowrap; }
td { padding: .28rem .9rem .28rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th.figure, td.figure { text-align: right; }
th:last-child, td:last-child { padding-right: 0; }
.full table { width: 100%; table-layout: fixed; min-width: 38rem; }
.full td { overflow-wrap: anywhere; }
.boxs { width: 1.4rem; }
.box { display: inline-block; width: .8em; height: .8em; border: 1px solid var(--ink);
  border-radius: 1px; vertical-align: -.05em; }
.line { display: inline-block; width: 6rem; height: 1em; border-bottom: 1px solid var(--soft); }
figure { margin: 1rem 0 1.4rem; }
figure.half { max-width: 28rem; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .82rem; margin-top: .35rem; }
.sea { fill: var(--sea); } .land { fill: var(--land); } .beach { fill: var(--beach); }
.pier { fill: var(--pier); } .grid { stroke: var(--grid); } .label { fill: var(--label); }
.away { fill: var(--away); } .ink { fill: var(--ink); } .axis { stroke: var(--soft); }
.halo { stroke: var(--paper); } .paper { fill: var(--paper); } .soft { fill: var(--soft); }
.marine { fill: var(--marine); } .japanese { fill: var(--japanese); }
.marine-line { stroke: var(--marine); } .japanese-line { stroke: var(--japanese); }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #555; --rule: #ccc; }
  body { max-width: none; padding: 0; font-size: 9.5pt; line-height: 1.4; }
  nav { display: none; }
  h1 { font-size: 20pt; } h2 { font-size: 14pt; margin-top: 8mm; } h3 { font-size: 11pt; }
  h1, h2, h3, h4 { break-after: avoid; }
  header + main > section:first-child > h2 { margin-top: 5mm; }
  section.page { break-before: page; }
  section.page > h2 { margin-top: 0; border-top: 0; padding-top: 0; }
  section:not(.page) > h2 { font-size: 11.5pt; margin: 5mm 0 2mm; border-top-width: 1px; }
  h3 { margin: 4mm 0 1mm; }
  td { padding-top: .18rem; padding-bottom: .18rem; }
  figure svg { width: auto; max-width: 100%; max-height: 85mm; }
  .full table { min-width: 0; }
  table { font-size: 8.8pt; }
  thead { display: table-header-group; }
  tr, figure, li { break-inside: avoid; }
  .short { break-inside: avoid; }
  .table { overflow: visible; }
  .across { page: wide; } .wide table { font-size: 7pt; }
  a { color: inherit; }
}
"""
