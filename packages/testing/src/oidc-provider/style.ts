/** The style of the local provider's pages: one card, light or dark by system setting, text contrast above 4.5. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f3f2f8; --card: #fff; --line: #d9d7e4; --text: #1d1b29; --soft: #5b5870; --main: #5b3fd4; --on-main: #fff; --tint: #efecfc; --bad: #a3182f; }
@media (prefers-color-scheme: dark) {
  :root { --page: #131219; --card: #1e1c28; --line: #3a3749; --text: #f1f0f6; --soft: #b0acc2; --main: #a99bff; --on-main: #17132b; --tint: #2a2640; --bad: #ff9aa8; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 1rem; padding: 1.5rem 1rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--card); box-shadow: 0 1rem 3rem rgb(20 10 60 / 8%); }
.brand { margin: 0 0 1.5rem; color: var(--soft); font-size: .875rem; font-weight: 600; }
.brand span { color: var(--main); }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; }
.lead { margin: .25rem 0 1.5rem; color: var(--soft); overflow-wrap: anywhere; }
.lead strong { color: var(--text); }
.problem { margin: 0 0 1rem; color: var(--bad); font-weight: 600; }
fieldset { margin: 0; padding: 0; border: 0; display: grid; gap: .5rem; }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.person { display: flex; align-items: center; gap: .75rem; margin: 0; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .75rem; }
label.person { cursor: pointer; }
label.person:hover { border-color: var(--main); }
label.person:has(:checked) { border-color: var(--main); background: var(--tint); box-shadow: inset 0 0 0 1px var(--main); }
.person input { margin: 0; accent-color: var(--main); width: 1.125rem; height: 1.125rem; flex: none; }
.avatar { flex: none; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%; background: var(--tint); color: var(--main); font-size: .875rem; font-weight: 700; }
label.person:has(:checked) .avatar { background: var(--main); color: var(--on-main); }
.who { display: grid; min-width: 0; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.detail { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.other { display: block; margin-top: 1rem; color: var(--soft); font-size: .875rem; }
.other input { display: block; width: 100%; margin-top: .25rem; padding: .625rem .75rem; border: 1px solid var(--soft); border-radius: .625rem; background: var(--card); color: var(--text); font: inherit; font-size: 1rem; }
.shared { margin: 1.25rem 0; color: var(--soft); font-size: .875rem; }
.shared h2 { margin: 0; font-size: inherit; font-weight: 600; }
.shared ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
button { min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--main); border-radius: .625rem; background: var(--main); color: var(--on-main); font: inherit; font-weight: 600; cursor: pointer; }
button.quiet { border-color: var(--line); background: transparent; color: var(--text); }
button.link { width: 100%; margin-top: .75rem; border-color: transparent; background: transparent; color: var(--main); }
button:hover { filter: brightness(1.08); }
button.quiet:hover, button.link:hover { background: var(--tint); filter: none; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
footer { margin: 0; color: var(--soft); font-size: .8125rem; text-align: center; }
`;
