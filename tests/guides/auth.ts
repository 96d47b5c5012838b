/** The application of the guides: the same users and store with both session strategies. */
import { createAuth, type Session } from "@cardea/core";
import { type Adapter, memoryStore } from "@cardea/core/adapters";
import { sessions, sessionsOf } from "@cardea/sessions";
import { createMemoryAdapter } from "@cardea/testing";

export const memory = createMemoryAdapter();
export const adapter: Adapter = memory.adapter;

const shared = {
  adapter,
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  providers: [],
  store: memoryStore({ instances: 1 }),
  extensions: [sessions({ revocation: { check: "each" } })],
};
export const configs = {
  jwt: { ...shared, session: { strategy: "jwt" } },
  database: { ...shared, session: { strategy: "database" } },
} as const;

const applications = { jwt: createAuth(configs.jwt), database: createAuth(configs.database) };

export const { block, endAll } = sessionsOf(applications.jwt.auth);

/** The session of a cookie. */
export const read = (strategy: keyof typeof applications, cookie: string): Promise<Session | null> =>
  applications[strategy].auth(new Request("http://localhost:3000/", { headers: { cookie } }));
