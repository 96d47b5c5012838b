import { type Rgb, toHex } from "./color.ts";
import { DARK_CARD, LIGHT_PAGE, type ResolvedTheme } from "./theme.ts";

/** The style sheet of every page: static text, plus colours that `theme.ts` has validated. */
export function renderStyles(theme: ResolvedTheme): string {
  const edge = theme.edge === null ? "" : `.main{border-inline-start:5px solid ${theme.edge}}`;
  return `${renderScheme(theme)}${STATIC}.main{${fillWith(theme.brand)}}${edge}`;
}

/** Light and dark as the user prefers, or one of them if the theme requires it. */
function renderScheme({ scheme, brand, accent }: ResolvedTheme): string {
  const light = `${LIGHT};${accentOf(accent.light)}`;
  const dark = `${DARK};${accentOf(accent.dark)}`;
  const shared = `--brand:${toHex(brand.background)};--on-brand:${toHex(brand.text)}`;
  if (scheme !== "auto") return `:root{color-scheme:${scheme};${shared};${scheme === "dark" ? dark : light}}`;
  return `:root{color-scheme:light dark;${shared};${light}}@media(prefers-color-scheme:dark){:root{${dark}}}`;
}

/** The accent, and a tint of it for the page behind the card. */
function accentOf(color: Rgb): string {
  return `--accent:${toHex(color)};--glow:${toHex(color)}12`;
}

function fillWith({ background, text, hover }: ResolvedTheme["brand"]): string {
  return `--face:${toHex(background)};--text:${toHex(text)};--hover:${toHex(hover)};--rim:#80808059`;
}

const LIGHT = `--page:${toHex(LIGHT_PAGE)};--card:#fff;--ink:#18181d;--muted:#5b5b66;--line:#e3e3e9;--box:#85858f;--rim:#cdcdd6;--soft:#f1f1f5;--bad:#9f1420;--bad-soft:#fdeff0;--shade:#14142314`;
const DARK = `--page:#0f0f13;--card:${toHex(DARK_CARD)};--ink:#f3f3f6;--muted:#a9a9b5;--line:#303038;--box:#7b7b88;--rim:#4b4b57;--soft:#26262d;--bad:#ffb3b8;--bad-soft:#3b191d;--shade:#00000080`;

const STATIC = `
*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100svh;display:grid;align-content:center;justify-items:center;gap:1.25rem;grid-template-columns:minmax(0,1fr);padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere;color:var(--ink);background:radial-gradient(48rem 36rem at top,var(--glow),transparent) var(--page)}
main{width:100%;max-width:26rem;padding:2.75rem 2.5rem 2.5rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;box-shadow:0 1px 2px var(--shade),0 1.5rem 3rem -1rem var(--shade)}
main.wide{max-width:42rem}
.mark,.logo{display:block;height:3.25rem;max-width:70%;margin:0 auto 1.25rem;object-fit:contain}
.mark{display:grid;place-items:center;width:3.25rem;border-radius:1rem;font-size:1.5rem;font-weight:650;line-height:1;color:var(--on-brand);background:var(--brand);box-shadow:inset 0 0 0 1px #80808059}
h1{font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.018em;text-align:center;text-wrap:balance}
h2{font-size:1.0625rem;line-height:1.4;font-weight:650}
h2+p{margin-top:.25rem;color:var(--muted)}
section,main>h2{margin-top:2rem}
h2+p+*,h2+*,section>p+*{margin-top:1rem}
.apart{padding-top:1.75rem;border-top:1px solid var(--line)}
.lead{margin-top:.4rem;text-align:center;text-wrap:pretty;color:var(--muted)}
.whole,time{white-space:nowrap}
bdi{color:var(--ink);font-weight:550}
a{color:var(--accent);text-underline-offset:.2em}
.links{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.5rem;margin-top:1.5rem}
.links a,footer a{padding:.25rem 0;text-decoration:none;font-weight:550}
.links a:hover,footer a:hover{text-decoration:underline}
footer{max-width:100%;padding:0 1rem;font-size:.9375rem;text-align:center}
footer a,footer bdi{color:var(--muted);font-weight:inherit}
.note{margin-top:1.5rem;padding:.75rem 1rem;border-radius:.75rem;background:var(--soft)}
.note[role=alert]{color:var(--bad);background:var(--bad-soft)}
form,.next{margin-top:2rem}
form+form{margin-top:.75rem}
form+form:has(label){margin-top:1.75rem}
form .note{margin:0 0 1.25rem}
label{display:block;margin-bottom:.375rem;font-weight:550}
label::first-letter{text-transform:uppercase}
input,.button{width:100%;min-height:2.875rem;padding:.55rem .875rem;font:inherit;border:1px solid var(--box);border-radius:.75rem;color:var(--ink);background:var(--card)}
input{margin-bottom:1.125rem}
.secret{position:relative;display:grid;margin-bottom:1.125rem}
.secret input{margin:0;padding-inline-end:3.25rem}
.show{position:absolute;inset-block:.25rem;inset-inline-end:.25rem;display:grid;place-items:center;width:2.75rem;padding:0;border:0;border-radius:.5rem;color:var(--muted);background:none;cursor:pointer}
.show:hover{color:var(--ink)}
.show svg{width:1.375rem;height:1.375rem}
.show[aria-pressed=false] .off{display:none}
input::placeholder{color:var(--muted);opacity:1}
input[aria-invalid]{border-color:var(--bad)}
.check{display:flex;align-items:flex-start;gap:.625rem;margin-bottom:1.125rem;font-weight:inherit}
.check input{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:.125rem 0;accent-color:var(--accent)}
.button{--face:var(--card);--text:var(--ink);--hover:var(--soft);display:flex;align-items:center;justify-content:center;gap:.625rem;font-weight:550;line-height:1.3;text-align:center;text-decoration:none;color:var(--text);background:var(--face);border-color:var(--rim);box-shadow:0 1px 2px var(--shade);cursor:pointer}
.button:hover{background:var(--hover)}
.button img,.button svg{flex:none;width:1.375rem;height:1.375rem;object-fit:contain}
.button img{padding:.125rem;border-radius:.3rem;background:#fff}
.tile{flex:none;display:grid;place-items:center;width:1.5rem;height:1.5rem;border:1px solid var(--rim);border-radius:.4rem;font-size:.8125rem;font-weight:700;line-height:1;color:var(--text);background:var(--face)}
.tile::before{content:attr(data-initial);content:attr(data-initial) / ""}
.provider{position:relative;padding-inline:3rem}
.provider>:first-child:not(:last-child){position:absolute;inset-inline-start:.875rem}
.link{padding:.25rem 0;font:inherit;font-weight:550;border:0;color:var(--accent);background:none;cursor:pointer}
.link[hidden]{display:inline-block!important;visibility:hidden}
@media(scripting:none){.link[hidden]{display:none!important}}
.copy{display:inline-grid}
.copy span{grid-area:1/1}
.copy[data-done] span,.copy span+span{visibility:hidden}
.copy[data-done] span+span{visibility:visible}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.link:hover{text-decoration:underline}
.links form,.who form{margin:0}
.who{display:flex;align-items:center;justify-content:space-between;gap:.75rem;margin-top:1.5rem;padding:.5rem .875rem;border:1px solid var(--line);border-radius:.75rem}
.who+form,.who+.note+form{margin-top:1.25rem}
.button+.button{margin-top:.75rem}
.quiet{width:auto;min-height:2.25rem;padding:.3rem .75rem;border-radius:.625rem;font-size:.9375rem;box-shadow:none}
.danger{--text:var(--bad);--hover:var(--bad-soft)}
.rows{margin-top:1.5rem;padding:0;list-style:none;border:1px solid var(--line);border-radius:.875rem}
.rows li{display:flex;flex-wrap:wrap;align-items:center;gap:.625rem 1rem;padding:.875rem 1rem}
.rows li+li{border-top:1px solid var(--line)}
.rows li>div{flex:1 1 11rem;min-width:0}
.rows p{font-size:.9375rem;color:var(--muted)}
.rows form{margin:0}
.rows strong{font-weight:600}
.badge{display:inline-block;padding:.05rem .5rem;border-radius:1rem;font-style:normal;font-size:.8125rem;font-weight:600;white-space:nowrap;color:var(--ink);background:var(--soft)}
.person{display:flex;align-items:center;gap:1rem;margin-top:1rem}
.person p{font-size:.9375rem;color:var(--muted)}
.person+form{margin-top:1.5rem}
.face{flex:none;display:grid;place-items:center;width:3rem;height:3rem;border-radius:50%;object-fit:cover;font-size:1.25rem;font-weight:600;background:var(--soft)}
.steps{margin-top:1.75rem;padding:0;list-style:none;counter-reset:step}
.steps>li{position:relative;min-height:1.75rem;padding-inline-start:2.5rem;counter-increment:step}
.steps>li+li{margin-top:1.5rem}
.steps>li::before{content:counter(step);position:absolute;inset-inline-start:0;display:grid;place-items:center;width:1.625rem;height:1.625rem;border-radius:1rem;font-size:.875rem;font-weight:650;background:var(--soft)}
.steps form{margin-top:.75rem}
.confirm summary{list-style:none}
.confirm summary::-webkit-details-marker{display:none}
.confirm[open]{flex-basis:100%}
.ask{margin-top:.75rem;padding:1rem;border-radius:.75rem;background:var(--soft)}
.ask form{margin-top:1rem}
form+.confirm,.confirm+.confirm{margin-top:.75rem}
.rows .confirm{margin-top:0}
svg[role=img]{display:block;margin:auto}
dl{margin-top:1.5rem;padding:1rem 1.25rem;border:1px solid var(--rim);border-radius:.75rem}
dt{color:var(--muted)}
dd{font-weight:650}
dd+dt{margin-top:.75rem}
.codes{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));gap:.5rem 1rem;margin-top:1.5rem;padding:1rem;list-style:none;text-align:center;border-radius:.75rem;background:var(--soft)}
code{font:.9375rem/1.5 ui-monospace,monospace}
.button[aria-disabled=true]{opacity:.55;cursor:default}
.hint,.wrong{margin:-.75rem 0 1.125rem;font-size:.9375rem;color:var(--muted)}
.wrong{color:var(--bad)}
.wrong+.hint{margin-top:-.875rem}
.next+.hint{margin-top:.75rem}
[hidden]{display:none!important}
.passkey[hidden]{display:block!important;visibility:hidden}
@media(scripting:none){.passkey[hidden]{display:none!important}}
.passkey+noscript+.confirm,form+.passkey>form,.passkey+noscript+form{margin-top:.75rem}
section>.passkey>form{margin-top:0}
.or{display:flex;align-items:center;gap:1rem;margin:1.75rem 0 -.5rem;color:var(--muted)}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(max-width:30rem){body{align-content:start;gap:0;padding:0 0 2rem;background:var(--card)}main{padding:2.5rem 1.25rem 1.75rem;border:0;border-radius:0;box-shadow:none}}
@media print{body{padding:0}main{border:0;box-shadow:none}.links,.next,footer{display:none}}
.later{display:grid;place-items:center;text-align:center}
.later>*{grid-area:1/1}
.later p{color:var(--muted);animation:until 0s 60s forwards}
.later form{animation:from 0s 60s backwards}
@keyframes until{to{visibility:hidden}}
@keyframes from{from{visibility:hidden}}
@media(prefers-reduced-motion:no-preference){.button{transition:background .15s}}
`;
