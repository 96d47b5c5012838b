// What the frame of a package's README names: pages of docs/, and an installation that is not that of a dependency.

/** Pages of docs/ about each package; for a provider that is not listed, those of `providers-…`. */
export const DOCUMENTATION = {
  core: ["getting-started-fetch", "configuration", "sessions", "callbacks", "pages"],
  express: ["getting-started", "express", "configuration"],
  next: ["getting-started-next", "next", "configuration"],
  hono: ["hono", "frameworks", "configuration"],
  fastify: ["fastify", "frameworks", "configuration"],
  sveltekit: ["sveltekit", "frameworks", "configuration"],
  h3: ["h3", "frameworks", "configuration"],
  client: ["client", "passkeys", "pages"],
  "adapter-prisma": ["prisma", "database"],
  "adapter-drizzle": ["drizzle", "database"],
  "adapter-kysely": ["kysely", "database"],
  account: ["account", "change-address", "delete-user", "stores"],
  attempts: ["attempts", "stores"],
  sessions: ["session-control", "stores"],
  "second-factor": ["second-factor", "stores"],
  extend: ["extensions", "stores"],
  "step-up": ["step-up", "stores"],
  vault: ["provider-tokens", "stores"],
  logout: ["sign-out-everywhere", "stores"],
  "store-redis": ["stores"],
  "bridge-authjs": ["bridge", "from-authjs", "from-nextauth"],
  "providers-credentials": ["credentials"],
  "providers-password": ["passwords"],
  "providers-email": ["email"],
  "providers-webauthn": ["passkeys"],
  "providers-…": ["providers", "oauth"],
  testing: ["testing", "testing-tools", "writing-an-adapter"],
  cli: ["cli", "from-authjs", "from-nextauth"],
};

export const INSTALLATION = {
  cli: "npx @cardea/cli adopt",
  testing: "npm install --save-dev @cardea/testing",
};

/** Mistakes with any package: `[what is right, page of docs/ that says more]`. In llms.txt, and in the AGENTS.md of core and of the frameworks. */
export const COMMON_MISTAKES = [
  [
    "`AUTH_SECRET` is required in production: the output of `npx @cardea/cli secret`, the same for every process, never in git.",
    "environment",
  ],
  [
    "In production set `AUTH_URL` to the public URL. Set `AUTH_TRUST_HOST=true` only behind a proxy that overwrites the forwarded headers.",
    "deployment",
  ],
  [
    "Call `createAuth()` once, in one module, and import its results. Read the session with `auth()`; never decrypt the cookie yourself.",
    "sessions",
  ],
  [
    "`auth()` rejects if the session cannot be read, for example while the database is down. Do not catch that as `null`: answer 503.",
    "sessions",
  ],
  [
    "The session has no user id until `callbacks.session` adds it: from `token.sub` with sessions in a cookie, from `user.id` with an adapter.",
    "user-id",
  ],
  [
    "Everything that `callbacks.session` returns can be read by the page: no access tokens. Data of an update comes from the browser: validate it.",
    "callbacks",
  ],
  [
    "List public paths in `callbacks.authorized`, not private ones, and check access again where data is read.",
    "callbacks",
  ],
  [
    "Identify users by id, never by e-mail address. Accounts with the same address are not linked automatically, on purpose.",
    "oauth",
  ],
  ["Register the callback URL with each provider exactly: `{origin}{base path}/callback/{provider id}`.", "oauth"],
  ["Run the command line as `npx @cardea/cli`. `npx cardea` is another package.", "cli"],
];

const FRAMEWORK_MISTAKES = {
  core: [
    ["The base path is `/auth`. Route every path below it to `handlers`, GET and POST.", "getting-started-fetch"],
    [
      "Runtimes without `process.env` need `secret` and the client ids in the configuration: pass a function to `createAuth()`.",
      "environment",
    ],
  ],
  next: [
    [
      "The route is `app/api/auth/[...auth]/route.ts` and the base path `/api/auth`, unlike `/auth` elsewhere.",
      "getting-started-next",
    ],
    [
      "Rethrow what `signIn()` and `signOut()` throw in a server action, unless you handle it: Next.js redirects by throwing.",
      "next",
    ],
    [
      "The proxy (`proxy.ts`, before Next.js 16 `middleware.ts`) is not a security boundary, and neither is a layout: call `auth()` in pages, route handlers and actions.",
      "next",
    ],
    [
      "In `proxy.ts` and `middleware.ts` import `createAuth` from `@cardea/next/middleware`, with the part of the configuration that `auth.ts` shares: it reads and guards alone, at a third of the size.",
      "next",
    ],
    [
      'A separate configuration for the proxy needs the same `secret`, `session`, `cookies` and `callbacks`, and `session.strategy: "jwt"` on both sides.',
      "next",
    ],
    [
      "In the browser import from `@cardea/next/react`. There is no `getServerSession()`: it is `await auth()`.",
      "from-nextauth",
    ],
  ],
  express: [
    [
      'Mount the router without a wildcard, `app.use("/auth", router)`. Mounted elsewhere, also set `basePath`.',
      "express",
    ],
    ['Guard by mount, `app.use("/account", auth)`, and serve private files behind the guard.', "express"],
    [
      "Routes of your own that call `signIn`, `signOut` or `unstable_update` must check that the form is one of your pages.",
      "express",
    ],
  ],
  hono: [
    [
      'Mount with the wildcard, `app.use("/auth/*", handler)`. Mounted elsewhere, set `basePath` to the complete path.',
      "hono",
    ],
    ["On workers pass a function to `createAuth()` and take the secret from `c?.env`.", "hono"],
    ["`serveStatic` before the guard is public, and so is every path on which the guard is not mounted.", "hono"],
    [
      "Outside Node.js, return `c.json()` after `signOut(c)`: without middleware, Hono sends a `new Response()` without its cookies.",
      "hono",
    ],
  ],
  fastify: [
    ["With a `prefix`, set `basePath` to the complete path.", "fastify"],
    [
      "A hook guards its own plugin and those inside it: register `@fastify/static` for private files there.",
      "fastify",
    ],
    ["In an async handler, return `reply` after `signIn` and `signOut`.", "fastify"],
  ],
  sveltekit: [
    [
      "A page without `+page.server.js` is rendered in the browser without a request: put what is private into server data.",
      "sveltekit",
    ],
    ["Prerendered pages are files and not guarded.", "sveltekit"],
    ["Behind a proxy the Node server needs `ORIGIN`, in addition to `AUTH_URL`.", "sveltekit"],
  ],
  h3: [
    ["Nuxt's route middleware runs in the browser and is not a guard: guard on the server.", "h3"],
    ["Nitro serves `public/`, and what `routeRules` caches, without the guard.", "h3"],
    ["With a `baseURL`, set `basePath` to the complete path.", "h3"],
  ],
};

const STORE = [
  "Several processes need a shared store: `memoryStore()` is for one process, in development and tests.",
  "stores",
];

const ROWS = [
  'With an adapter, sessions are rows unless you set `session: { strategy: "jwt" }`, and `callbacks.session` receives `user`, not `token`.',
  "sessions",
];
const POOL = ["A pool of `pg` without a listener for `error` ends the process when the database restarts.", "database"];

const MISTAKES = {
  client: [
    [
      'The default base path is `/api/auth`. For other frameworks: `createClient({ basePath: "/auth" })`, or the prop of `SessionProvider`.',
      "client",
    ],
    ["The session in the browser is for display. Decide on the server who may see what.", "client"],
    ["It is optional: the built-in pages and forms work without a script.", "client"],
  ],
  "adapter-prisma": [
    [
      "Create the tables from `prisma/` of this package, with its indexes and unique keys. `npx @cardea/cli schema` prints what is missing.",
      "prisma",
    ],
    ROWS,
  ],
  "adapter-drizzle": [
    [
      "Take the tables from `postgresTables()` and its siblings. `npx @cardea/cli schema` prints what is missing.",
      "drizzle",
    ],
    ROWS,
    POOL,
  ],
  "adapter-kysely": [
    ["Create the tables from `sql/` of this package. `npx @cardea/cli schema` prints what is missing.", "kysely"],
    ROWS,
    POOL,
  ],
  attempts: [
    STORE,
    [
      "`client.hops` is the number of proxies in front of the application. With a wrong number clients can forge their address, or all share one.",
      "attempts",
    ],
  ],
  account: [
    STORE,
    ["Nothing is deleted before `removeDue()` runs: call it every hour from a scheduler.", "delete-user"],
    ["The functions of `accountOf(auth)` do not check who calls them.", "account"],
    ["Configure a level `settings` of `@cardea/step-up`, so that a stolen session changes nothing.", "account"],
  ],
  sessions: [STORE, ["The functions of `sessionsOf(auth)` do not check who calls them.", "session-control"]],
  "second-factor": [
    STORE,
    ["A store that loses data would stop requiring factors: use one that survives a restart.", "stores"],
    ["A separate configuration for middleware needs this extension too, or it answers 503.", "sessions"],
  ],
  "step-up": [
    ["A new sign-in with an OAuth provider is no proof: most ignore `max_age`.", "step-up"],
    [
      "With `bind`, `require()` consumes the confirmation: call it directly before the action. It needs a store that all processes share.",
      "step-up",
    ],
  ],
  vault: [
    STORE,
    ["Tokens stay on the server: do not return them from an endpoint or put them into the session.", "provider-tokens"],
    [
      "`apis` lists origins, without a path. Catch `ReauthRequired`, and send the user to its `signIn.url`.",
      "provider-tokens",
    ],
  ],
  logout: [
    STORE,
    [
      "Register the post-logout redirect URI with the provider exactly: `{origin}{base path}/signedout/{provider id}`.",
      "sign-out-everywhere",
    ],
    ["Add `sessions()` too: back-channel logout ends sessions through it.", "sign-out-everywhere"],
  ],
  "store-redis": [
    [
      "Redis must not evict: `maxmemory-policy noeviction`, `appendonly yes`. `npx @cardea/cli doctor --redis URL` checks it.",
      "stores",
    ],
    ["Give the client the settings above: without a listener, an `error` event ends the process.", "stores"],
    ["Applications that share a server need a `prefix` each.", "stores"],
  ],
  "bridge-authjs": [
    ["Cookie sessions need the same `AUTH_SECRET` as before.", "bridge"],
    [
      "To run both libraries at once, set `emit` from the first deployment on, and route the endpoints to one side.",
      "bridge",
    ],
    ["`npx @cardea/cli adopt` adds it: do not migrate by hand what the command migrates.", "from-authjs"],
  ],
  "providers-credentials": [
    ["It does not register users, hash or reset passwords: `@cardea/providers-password` does.", "passwords"],
    ["Return an object with an `id`, or `null`. Hash a dummy password if the user does not exist.", "credentials"],
    ["Limit attempts with `callbacks.allowAttempt` or `@cardea/attempts`.", "credentials"],
  ],
  "providers-password": [
    [
      "It needs an adapter that stores credentials, and `mail`, without which users cannot register or reset passwords.",
      "passwords",
    ],
    ["Do not hash, compare or validate passwords in your own code.", "passwords"],
    ["Limit attempts with `@cardea/attempts`.", "attempts"],
  ],
  "providers-email": [
    ["It needs an adapter, which stores the hashed tokens.", "email"],
    ["Never log the link, and disable click tracking: anyone who has the link can sign in.", "email"],
    ["In your tables refer to users by id: an address can change its owner.", "email"],
  ],
  "providers-webauthn": [
    ["Set `experimental: { enableWebAuthn: true }`, and use an adapter with the table of authenticators.", "passkeys"],
    [
      "The relying party's id is the host or a parent domain, without scheme and port. Changing it invalidates every passkey.",
      "passkeys",
    ],
    ["Browsers need https, except on `http://localhost`; an IP address does not work.", "passkeys"],
  ],
  "providers-…": [
    ["Client id and secret come from the environment: do not write them into the configuration.", "environment"],
    ["An address is verified only where the provider says so. Do not link accounts by address.", "oauth"],
    ["Register the callback URL exactly, with the base path of your framework.", "oauth"],
  ],
  testing: [
    ["It is a development dependency. `createTestSession` refuses to run with `NODE_ENV=production`.", "testing"],
    ["Pass the configuration object of the application, with the same secret.", "testing"],
  ],
  cli: [
    ["It is for development: an application never imports it.", "cli"],
    ["`adopt` needs a clean git work tree. Read its report: what it could not change is listed first.", "cli"],
    [
      "`init` writes nothing over an existing file. In an application, use it instead of writing the same files by hand.",
      "cli",
    ],
  ],
};

/** The mistakes that the AGENTS.md of a package lists. */
export function mistakesOf(name) {
  if (name in FRAMEWORK_MISTAKES) return [...FRAMEWORK_MISTAKES[name], ...COMMON_MISTAKES];
  return MISTAKES[name] ?? MISTAKES["providers-…"];
}
