import { type Html, html } from './html.js';

/** Style of pages with a list and a selected item, in the colors of the payment pages. */
export const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f4f5f8, #111318); --card: light-dark(#fff, #1b1e25);
  --ink: light-dark(#16181d, #f1f2f5); --muted: light-dark(#575d69, #a4aab6); --line: light-dark(#d7dae1, #363b46);
  --accent: light-dark(#2f4ee0, #93a8ff); --edge: light-dark(#858c9b, #747b8a); --chosen: light-dark(#e8ecfd, #262d45);
  --note: light-dark(#fff3d6, #3a2f12); --note-ink: light-dark(#5c4300, #ffdf94); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; }
.banner { padding: .625rem 1rem; background: var(--note); color: var(--note-ink); text-align: center; font-weight: 600;
  font-size: .875rem; }
.columns { display: grid; gap: 1.25rem; padding: clamp(.75rem, 2.5vw, 1.5rem); max-inline-size: 84rem; margin-inline: auto; }
@media (min-width: 62rem) { .columns { grid-template-columns: 22rem minmax(0, 1fr); align-items: start; } }
nav, main { min-inline-size: 0; background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; }
nav { padding: 1rem; }
main { padding: clamp(1rem, 3vw, 1.75rem); }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.02em; text-wrap: balance; }
.quiet, dt, time { color: var(--muted); }
form { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: .625rem; }
label { font-weight: 600; font-size: .875rem; }
input, button { font: inherit; font-size: .9375rem; padding: .5rem .75rem; color: inherit; background: transparent;
  border: 1px solid var(--edge); border-radius: .75rem; }
input { inline-size: 100%; }
button { font-weight: 600; cursor: pointer; }
ol, ul { margin: 0; padding: 0; list-style: none; }
ol { margin-block-start: .75rem; }
@media (max-width: 61.99rem) { ol { max-block-size: 17rem; overflow-y: auto; } }
ol a { display: grid; gap: .125rem; padding: .625rem .75rem; border-radius: .75rem; color: inherit; text-decoration: none;
  font-size: .9375rem; overflow-wrap: anywhere; }
ol a:hover { background: var(--ground); }
ol a[aria-current] { background: var(--chosen); }
ol .quiet { font-size: .8125rem; }
.badge { margin-inline-start: .375rem; padding: 0 .375rem; border: 1px solid var(--line); border-radius: .375rem; }
.more { display: block; padding: .75rem; text-align: center; color: var(--accent); }
dl { display: grid; grid-template-columns: auto 1fr; gap: .125rem 1rem; margin: .75rem 0 0; font-size: .9375rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .75rem; margin-block: 1.25rem 1rem; }
.choices { display: flex; border: 1px solid var(--edge); border-radius: .75rem; overflow: hidden; }
.choices a { display: block; padding: .5rem .875rem; color: inherit; text-decoration: none; font-size: .875rem; font-weight: 600; }
.choices a[aria-current] { background: var(--chosen); }
iframe, pre { display: block; margin: 0 auto; border: 1px solid var(--line); border-radius: 1rem; }
iframe { max-inline-size: 100%; block-size: 46rem; background: var(--ground); }
.w390 { inline-size: calc(390px + 2px); }
.w640 { inline-size: calc(640px + 2px); }
pre { padding: 1.25rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .9375rem/1.6 ui-monospace, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
`;

export const timeOf = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')}</time>`;
