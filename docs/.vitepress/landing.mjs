// The landing page: a hero, features, and docs/index.md from `<!-- landing -->` on, which begins where the hero ends.

/** A plugin for markdown-it. */
export function landing(md) {
  md.core.ruler.push("landing", (state) => {
    if (state.env.relativePath !== "index.md") return;
    const start = state.tokens.findIndex(({ content }) => content.trim() === "<!-- landing -->");
    state.tokens = state.tokens.slice(start + 1);
  });
}

export const hero = {
  name: "Cardea",
  text: "Sign-in for TypeScript applications",
  tagline:
    "The interface of Auth.js, newly implemented. OAuth, passkeys, e-mail links and passwords; sessions in a cookie or in your database.",
  actions: [
    { theme: "brand", text: "Get started", link: "/getting-started" },
    { theme: "alt", text: "Move from Auth.js", link: "/from-authjs" },
    { theme: "alt", text: "Compare", link: "/comparison" },
  ],
};

/** Commands, and what they print; a test runs the first one. */
export const terminal = `$ npx @cardea/cli init --framework express
+ auth.mjs
+ users.mjs
+ auth-tables.mjs
+ app.mjs
+ dev-auth.mjs
+ .env.local
+ AUTH.md
+ package.json
$ npm run dev
$ npx @cardea/cli doctor
No problems found.`;

export const features = [
  {
    title: "An interface you know",
    details:
      "Option names, provider objects, callbacks, adapters and URLs of Auth.js v5. One command changes the imports of an application and keeps its users signed in.",
    link: "/from-authjs",
    linkText: "Move an application",
  },
  {
    title: "Outages sign no one out",
    details:
      "While the database is away, requests that need a session get 503 and keep their cookie. No failure lets anyone in.",
    link: "/security",
    linkText: "Security model",
  },
  {
    title: "Every way to sign in",
    details:
      "More than thirty providers and any other by its issuer, passkeys, e-mail links, passwords, second factors.",
    link: "/oauth",
    linkText: "Ways to sign in",
  },
  {
    title: "Sessions under control",
    details:
      "List the devices of a user, end any of them on every server within two seconds, ask for a recent proof before important actions.",
    link: "/session-control",
    linkText: "Sessions",
  },
  {
    title: "Fast where it counts",
    details:
      "Reading a session takes a fortieth of the CPU time of @auth/core 0.41.3. The built-in pages need no script.",
    link: "/benchmarks",
    linkText: "Benchmarks",
  },
  {
    title: "Tested against attacks",
    details:
      "Hostile requests from advisories and standards are numbered tests, and the same journeys run on every framework.",
    link: "/promises",
    linkText: "What it guarantees",
  },
];
