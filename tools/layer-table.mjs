// The import rules that check-layers.mjs enforces. A change here is a change of the architecture.

const belowSignIn = ["model", "protocol", "crypto", "log", "application", "context", "cookies", "session"];
const ofMethods = [...belowSignIn, "sign-in"];

/**
 * Folders of packages/core/src: the folders that each may import. Files directly in src are the root: they may import every folder, and
 * no folder may import them.
 */
export const coreLayers = {
  model: [],
  protocol: ["model"],
  crypto: ["model"],
  log: ["model"],
  config: ["model", "protocol", "crypto"],
  application: ["model"],
  context: ["model", "protocol", "log"],
  cookies: ["model", "protocol", "crypto"],
  store: ["model", "crypto"],
  session: ["model", "protocol", "crypto", "log", "application", "context", "cookies"],
  "sign-in": belowSignIn,
  accounts: [...ofMethods, "pages"],
  oauth: [...ofMethods, "config"],
  email: [...ofMethods, "config", "pages"],
  credentials: [...ofMethods, "config"],
  checks: ["model", "protocol", "config"],
  pages: ["model", "protocol"],
  actions: [...ofMethods, "pages"],
  http: ["model", "protocol", "crypto", "config", "log", "context", "cookies", "sign-in", "pages", "actions"],
  server: [...ofMethods, "config", "http", "actions"],
};

/** Packages that core imports, and the files of core that may. */
export const corePackages = { jose: /^crypto\//, oauth4webapi: /^oauth\//, cookie: /^http\// };

/** Folders of core whose functions depend only on their arguments, and run anywhere. `types`: these globals are not even named as types. */
export const pureFolders = { model: { types: false }, protocol: { types: true } };

/** Globals that these folders must not use. */
export const outsideWorld = [
  ...["Date", "Math.random", "performance", "crypto", "fetch", "Request", "Response", "process", "Buffer", "console"],
  ...["globalThis", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"],
];

/**
 * What other packages may import from @cardea/*, by package name; the first matching row applies. `types` may only be imported with
 * `import type`. A package without a row may import anything except @cardea/testing.
 */
export const packageLayers = [
  { package: /^extend$/, values: ["@cardea/core/extension-kit", "@cardea/core/extension-host"], types: [] },
  {
    package: /^providers-(?:email|password|webauthn)$/,
    values: ["@cardea/extend", "@cardea/core/providers"],
    types: ["@cardea/core/types"],
  },
  { package: /^providers-/, values: ["@cardea/core/providers"], types: ["@cardea/core/types"] },
  { package: /^(?:adapter|store)-/, values: ["@cardea/core/adapters"], types: [] },
];

/** Entries of core that are not public, and the one package that imports them. */
export const privateEntries = { "@cardea/core/extension-kit": "extend", "@cardea/core/extension-host": "extend" };

/** What tests of other packages may import by path, as `package/file` below `src`: what only tests use. */
export const testSources = [/^testing\//, /^adapter-[a-z]+\/databases\//, /^store-redis\/servers\//];

/** Packages that only translate between a framework and core, and words that they must not contain. */
export const bindings = {
  packages: ["express", "fastify", "h3", "hono", "next", "sveltekit"],
  words: ["csrf", "jwt", "pkce", "nonce"],
  names: ["state"],
  /** Limit for the lines of code in all sources of an adapter. */
  lines: { fastify: 120, h3: 120, hono: 150, sveltekit: 140 },
};

/**
 * The parts of core: what an application may do without. Everything else is the kernel, except entry points (files directly in src) and
 * the folders that both use. check-numbers.mjs counts how often the kernel imports a part; the aim is never.
 */
const parts = {
  oauth: /^oauth\//,
  email: /^email\//,
  credentials: /^credentials\//,
  accounts: /^accounts\//,
  checks: /^checks\//,
  extensions: /^store\//,
};

/** The part of core that a file belongs to, `kernel`, or undefined for an entry point and for what both use. */
export function partOf(inside) {
  const part = Object.keys(parts).find((name) => parts[name].test(inside));
  if (part !== undefined) return part;
  return !inside.includes("/") || /^(?:model|protocol|crypto|log)\//.test(inside) ? undefined : "kernel";
}

/** Parts that the kernel must not import, not even for a type: it asks what an entry point brought. */
export const closedParts = ["accounts"];

/** Names of the functions that take a write back after a failure. */
export const undoCalls =
  /^(?:undo|withdraw|restore|returnTry$|putBack$|giveBack$|releaseEmailSlot$|removeAccount$|removeProof$)|OrUndo$/;
