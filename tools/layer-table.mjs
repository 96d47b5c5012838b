// The import rules that check-layers.mjs enforces. A change here is a change of the architecture.

/**
 * Folders of packages/core/src: the folders that each may import, and the packages that some of its files may import. Files
 * directly in src are the root: they may import every folder, and no folder may import them.
 */
export const coreLayers = {
  model: { imports: [], packages: {} },
  protocol: { imports: ["model"], packages: {} },
  crypto: { imports: ["model"], packages: { jose: /./ } },
  observe: { imports: ["model"], packages: {} },
  config: { imports: ["model", "protocol", "crypto"], packages: {} },
  application: { imports: ["crypto", "model"], packages: {} },
  context: { imports: ["model", "protocol", "observe"], packages: {} },
  cookies: { imports: ["model", "protocol", "crypto"], packages: {} },
  store: { imports: ["model", "crypto"], packages: {} },
  session: { imports: ["model", "protocol", "crypto", "application", "context", "cookies"], packages: {} },
  users: { imports: ["model", "protocol", "crypto", "application", "cookies", "session"], packages: {} },
  flows: {
    imports: ["model", "protocol", "crypto", "observe", "application", "context", "cookies", "session", "users"],
    packages: { oauth4webapi: /^flows\/oauth\// },
  },
  extensions: {
    imports: [
      ...["model", "protocol", "crypto", "observe", "config", "application", "context", "cookies", "session"],
      ...["users", "flows"],
    ],
    packages: {},
  },
  pages: { imports: ["model", "protocol"], packages: {} },
  response: { imports: ["model", "pages"], packages: { cookie: /./ } },
  actions: {
    imports: [
      "model",
      "protocol",
      "observe",
      "application",
      "context",
      "cookies",
      "session",
      "users",
      "flows",
      "pages",
    ],
    packages: {},
  },
  request: {
    imports: ["model", "protocol", "config", "observe", "context", "actions", "response"],
    packages: {},
  },
  server: {
    imports: [
      ...["model", "protocol", "crypto", "observe", "config", "application", "context", "cookies", "session", "users"],
      ...["flows", "extensions", "response", "actions", "request"],
    ],
    packages: {},
  },
};

/** Sign-in flows: the folders of flows/. They share only files directly in flows/. */
export const ceremonies = ["oauth", "email", "credentials"];

const outsideWorld = [
  ...["Date", "Math.random", "performance", "crypto", "fetch", "Request", "Response", "process", "Buffer", "console"],
  ...["globalThis", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"],
];

/**
 * Globals that a folder of core must not use: as values, so that its functions depend only on their arguments and run anywhere, and
 * as types. `model` describes the data of the other folders, so it may use them as types.
 */
export const forbiddenGlobals = {
  model: { values: outsideWorld, types: [] },
  protocol: { values: outsideWorld, types: outsideWorld },
};

/**
 * What other packages may import from @cardea/*, by package name; the first matching row applies. `types` may only be imported with
 * `import type`. A package without a row may import anything except @cardea/testing.
 */
export const packageLayers = [
  {
    package: /^providers-(?:webauthn|password)$/,
    values: ["@cardea/core/extend"],
    types: ["@cardea/core/providers", "@cardea/core/types"],
  },
  { package: /^providers-/, values: ["@cardea/core/providers"], types: ["@cardea/core/types"] },
  { package: /^(?:adapter|store)-/, values: ["@cardea/core/adapters"], types: [] },
  { package: /^core$/, values: [], types: [] },
];

/** Packages that only translate between a framework and core, and words that they must not contain. */
export const bindings = {
  packages: ["express", "fastify", "h3", "hono", "next", "sveltekit"],
  words: ["csrf", "jwt", "pkce", "nonce"],
  names: ["state"],
  /** Limit for the lines of code in all sources of an adapter. */
  lines: { fastify: 120, h3: 120, hono: 120, sveltekit: 120 },
};
