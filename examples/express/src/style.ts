/** The style of every page: light or dark as the person's system is, and of a family with the pages of the library. */
export const STYLE = `
:root{color-scheme:light dark;--page:#f6f6f8;--card:#fff;--ink:#18181d;--muted:#5b5b66;--line:#e3e3e9;--box:#85858f;--soft:#f1f1f5;--accent:#0f766e;--brand:#0f766e;--on-brand:#fff;--hover:#0d685f;--glow:#0f766e14;--shade:#14142314;--wall:#cfe6e2;--room:#fff6d6;--leaf:#0f766e;--string:#8a3b12;--alert:#b42318;--word:#5b3fb5}
@media(prefers-color-scheme:dark){:root{--page:#0f0f13;--card:#1a1a1f;--ink:#f3f3f6;--muted:#a9a9b5;--line:#303038;--box:#7b7b88;--soft:#26262d;--accent:#4fb8ad;--hover:#0d685f;--glow:#4fb8ad14;--shade:#00000080;--wall:#1c3a37;--room:#ffe9a8;--leaf:#2c8d83;--string:#f0b08c;--alert:#f28b82;--word:#b7a6f5}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100svh;display:grid;grid-template-rows:auto 1fr auto;grid-template-columns:minmax(0,64rem);justify-content:center;padding:0 1.25rem;font:1rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere;color:var(--ink);background:radial-gradient(60rem 36rem at top,var(--glow),transparent) no-repeat var(--page)}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
.skip{position:absolute;left:1rem;top:-4rem;padding:.5rem 1rem;border-radius:.75rem;background:var(--card);z-index:1}
.skip:focus{top:.75rem}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem 1.5rem;padding:1.25rem 0}
.brand{display:flex;align-items:center;gap:.75rem;font-weight:650;font-size:1.0625rem;letter-spacing:-.01em;color:var(--ink);text-decoration:none}
.mark{display:block;width:2.25rem;height:2.25rem;padding:.45rem;border-radius:.7rem;color:var(--on-brand);background:var(--brand)}
.mark svg{display:block}
nav,nav form{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.25rem}
nav form{gap:.75rem}
nav a:not(.button){color:var(--ink);font-weight:550;text-decoration:none}
nav a:not(.button):hover{text-decoration:underline}
.me{display:flex;align-items:center;gap:.5rem;min-width:0;color:inherit;text-decoration:none}
.me .name{max-width:16rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.avatar{flex:none;display:grid;place-items:center;width:2rem;height:2rem;border-radius:50%;font-size:.8125rem;font-weight:650;text-transform:uppercase;color:var(--on-brand);background:var(--brand);object-fit:cover}
main{padding:1.5rem 0 4rem}
h1{font-size:clamp(2rem,1.3rem + 3vw,3.25rem);line-height:1.1;font-weight:680;letter-spacing:-.028em;text-wrap:balance}
h2{font-size:1.375rem;line-height:1.25;font-weight:650;letter-spacing:-.015em}
h3{font-size:1.0625rem;line-height:1.35;font-weight:650}
.lead{margin-top:1rem;max-width:34rem;font-size:1.125rem;text-wrap:pretty;color:var(--muted)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:2rem}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.875rem;padding:.55rem 1.25rem;font:inherit;font-weight:550;line-height:1.3;text-decoration:none;color:var(--ink);background:var(--card);border:1px solid var(--box);border-radius:.75rem;box-shadow:0 1px 2px var(--shade);cursor:pointer}
.button:hover{background:var(--soft)}
.button.main{color:var(--on-brand);background:var(--brand);border-color:var(--brand)}
.button.main:hover{background:var(--hover)}
.button.small{min-height:2.5rem;padding:.35rem 1rem;white-space:nowrap}
.hero{display:grid;grid-template-columns:minmax(0,1.25fr) minmax(0,1fr);align-items:center;gap:3rem;padding:2.5rem 0 3.5rem}
.door{display:block;width:100%;max-width:24rem;justify-self:end}
.floor{fill:var(--glow)}
.light{fill:var(--room);opacity:.6}
.glow stop{stop-color:var(--room)}
.frame{fill:var(--wall)}
.room{fill:var(--room)}
.leaf{fill:var(--leaf)}
.hinge{fill:none;stroke:var(--ink);stroke-width:5;stroke-linecap:round}
.knob{fill:var(--room)}
.card{padding:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;box-shadow:0 1px 2px var(--shade),0 1.5rem 3rem -1.5rem var(--shade)}
.ways{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.25rem}
.ways h2{grid-column:1/-1}
.card p,.facts{margin-top:.5rem;color:var(--muted)}
.card .actions{margin-top:1.75rem}
code{font:.9375em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.card code{color:var(--ink)}
.ways .facts div{grid-template-columns:6rem minmax(0,1fr)}
.facts div{display:grid;grid-template-columns:8.5rem minmax(0,1fr);gap:1rem;padding:.5rem 0;border-top:1px solid var(--line)}
.facts div:first-child{border-top:0}
dd{color:var(--ink)}
.try{margin-top:3rem}
.try ul{margin-top:.75rem;padding-left:1.25rem;color:var(--muted)}
.try li{padding:.15rem 0}
.hello{display:flex;align-items:center;gap:1.5rem}
.hello .avatar{width:4.5rem;height:4.5rem;font-size:1.5rem}
.hello h1{font-size:clamp(1.625rem,1.2rem + 1.8vw,2.25rem)}
.hello .lead{margin-top:.25rem}
.columns{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.25rem;margin-top:1.25rem}
.wide{grid-column:1/-1}
.problem{margin-top:1.25rem;padding:1rem 1.25rem;border:1px solid var(--alert);border-left-width:.375rem;border-radius:.875rem;background:var(--card)}
.accounts{margin-top:1rem;padding:0;list-style:none}
.accounts li{display:flex;align-items:center;justify-content:space-between;gap:1rem;min-height:3.75rem;padding:.5rem 0;border-top:1px solid var(--line)}
.accounts li:first-child{border-top:0}
.state{flex:none;display:inline-block;white-space:nowrap;padding:.15rem .75rem;border-radius:1rem;font-size:.875rem;font-weight:550;color:var(--muted);background:var(--soft)}
.state.on{color:var(--accent)}
.state.on::before{content:"✓ "}
.facts+.problem,.card .problem{margin-top:1rem}
[hidden]{display:none!important}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.inbox{max-width:44rem;margin:0 auto}
.mails{display:grid;gap:1.25rem;margin-top:2rem;padding:0;list-style:none}
.none{margin-top:2rem;color:var(--muted)}
.card .text{margin:1rem 0;padding:1.125rem;border-radius:.875rem;background:var(--soft);color:var(--ink);white-space:pre-wrap}
.rename .row+label{margin-top:1rem}
.rename{margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
label{display:block;margin-bottom:.375rem;font-weight:550}
.row{display:flex;gap:.75rem}
input{flex:1;min-width:0;min-height:2.875rem;padding:.55rem .875rem;font:inherit;border:1px solid var(--box);border-radius:.75rem;color:var(--ink);background:var(--card)}
pre{margin:1rem 0;padding:1.125rem;border-radius:.875rem;background:var(--soft);white-space:pre-wrap}
.key{color:var(--accent)}
.string{color:var(--string)}
.word{color:var(--word)}
.cut{font-style:italic;color:var(--muted)}
.message{max-width:34rem;margin:3rem auto;text-align:center}
.message h1{font-size:2rem}
.message .actions{justify-content:center}
.message .lead{margin-inline:auto}
footer{padding:1.5rem 0 2rem;border-top:1px solid var(--line);font-size:.9375rem;color:var(--muted)}
@media(max-width:56rem){.ways{grid-template-columns:minmax(0,1fr)}}
@media(max-width:46rem){nav{flex:1 1 auto;justify-content:space-between}.hero{grid-template-columns:minmax(0,1fr);gap:2rem;padding:1rem 0 2.5rem}.door{max-width:15rem;justify-self:center;grid-row:1}.ways,.columns{grid-template-columns:minmax(0,1fr)}.card{padding:1.25rem}.me .name{position:absolute;width:1px;height:1px;clip-path:inset(50%)}}
@media(max-width:30rem){.facts div{grid-template-columns:minmax(0,1fr);gap:0}.hello{gap:1rem}.hello .avatar{width:3.25rem;height:3.25rem;font-size:1.125rem}}
@media(prefers-reduced-motion:no-preference){.button{transition:background .15s}}
`;

/** The icon of the window. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 32 32"><rect x="-4" y="-4" width="32" height="32" rx="9" fill="#0f766e"/><g fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"><path d="M6 3h11a1 1 0 0 1 1 1v16M3 20h3m8 0h7"/><path d="M6 3l8 3v16l-8-2z" fill="#fff" fill-opacity=".25"/></g></svg>`;
