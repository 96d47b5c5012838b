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
  attempts: ["attempts", "stores"],
  sessions: ["session-control", "stores"],
  "second-factor": ["second-factor", "stores"],
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
