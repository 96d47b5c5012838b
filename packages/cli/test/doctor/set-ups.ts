// Set-ups of applications for the tests of `doctor`: one fault each, or none.
import type { FactSources } from "../../src/doctor/collect-facts.ts";
import type { Probe, ProbedResponse, RedisFacts } from "../../src/doctor/facts.ts";

const SECRET = "mV3pQ9sYtK1wR7zB5nX0cL8dF2gH6jA4eU-oI_TqWxE";
const NOW = Date.UTC(2026, 0, 1);

const response = (
  changes: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly cookies?: readonly string[];
    readonly text?: string;
  } = {},
): ProbedResponse => ({
  status: changes.status ?? 200,
  headers: new Map(
    Object.entries({
      "cache-control": "private, no-cache, no-store",
      date: new Date(NOW).toUTCString(),
      ...changes.headers,
    }),
  ),
  cookies: changes.cookies ?? [],
  text: changes.text ?? "null",
});

const probe = (changes: Partial<Probe> = {}): Probe => ({
  url: new URL("https://app.example.com/api/auth"),
  at: NOW,
  session: response(),
  providers: response({ text: '[{"id":"github","callbackUrl":"https://app.example.com/api/auth/callback/github"}]' }),
  discovery: new Map([["https://id.example.com", response({ text: '{"issuer":"https://id.example.com"}' })]]),
  ...changes,
});

/** A page of another origin, as the server answers it; absent: as one that is listed. */
const page = (answers: Partial<NonNullable<Probe["page"]>> = {}) => {
  const origin = "https://www.example.com";
  const shared = response({ headers: { "access-control-allow-origin": origin } });
  return { origin, read: shared, preflight: shared, ...answers };
};

/** A provider that takes a visitor, and answers like that where it is told the way back. */
const ending = (status: number) => ({
  uri: "https://app.example.com/api/auth/signedout/local",
  without: response(),
  returning: response({ status }),
});

const stored = (...emails: readonly string[]) => ({
  where: "postgresql://db/app",
  addresses: emails.map((email, index) => ({ id: String(index), email })),
  refusal: undefined,
});

const redis = (info: Readonly<Record<string, string>> | undefined, refusal?: string): RedisFacts => ({
  where: "redis://localhost:6379",
  info: info && new Map(Object.entries({ role: "master", maxmemory_policy: "noeviction", aof_enabled: "1", ...info })),
  refusal,
});

const auth = (members: string, imports = ""): string =>
  `import { createAuth } from "@cardea/next";\n${imports}\nexport const { handlers, auth } = createAuth({ ${members} });\n`;
const ROUTE = 'import { handlers } from "../../../../auth";\nexport const { GET, POST } = handlers;\n';
const SCHEMA = `datasource db {
  provider = "postgresql"
}
model User {
  id String @id
  email String? @unique
  emailVerified DateTime?
}
model Account {
  userId String
  user User @relation(fields: [userId], references: [id], onDelete: Cascade)
  provider String
  providerAccountId String
  access_token String?
  @@id([provider, providerAccountId])
}
model Session {
  sessionToken String @unique
}
model VerificationToken {
  token String
}
`;

/** What differs from the healthy application. */
export interface Setup extends Partial<Omit<FactSources, "files">> {
  readonly files?: Readonly<Record<string, string>>;
}

/** A healthy application on Next.js, in production, with changes. */
export function healthy({ files = {}, env = {}, ...rest }: Setup = {}): FactSources {
  const all = {
    "/package.json": '{ "dependencies": { "@cardea/next": "1.0.0", "next": "15.0.0" } }',
    "/auth.ts": auth("providers: []"),
    "/app/api/auth/[...auth]/route.ts": ROUTE,
    ...files,
  };
  return {
    files: new Map(Object.entries(all)),
    env: { NODE_ENV: "production", AUTH_SECRET: SECRET, AUTH_URL: "https://app.example.com", ...env },
    ...rest,
  };
}

const withAuth = (members: string, imports?: string): Setup => ({ files: { "/auth.ts": auth(members, imports) } });
const withSchema = (text: string): Setup => ({
  files: { "/auth.ts": auth("providers: [], adapter: db"), "/prisma/schema.prisma": text },
});
const GITHUB = 'import { GitHub } from "@cardea/providers-github";';
const AUTH0 = 'import { Auth0 } from "@cardea/providers-auth0";';

const PASSKEY = 'import { Passkey } from "@cardea/providers-webauthn";';
const PASSKEY_COLUMNS = "credentialID: text(), credentialPublicKey: text(), counter: integer(), name: text()";
const RELATED = '{ id: "example.com", origin: ["https://example.com", "https://example.co.uk"] }';
const WELL_KNOWN = response({
  headers: { "content-type": "application/json" },
  text: '{"origins":["https://example.com","https://example.co.uk"]}',
});

/** By the id of the fault. */
export const planted: Readonly<Record<string, Setup>> = {
  "secret-missing": { env: { AUTH_SECRET: undefined } },
  "secret-short": { env: { AUTH_SECRET: "kJ8sQ2mZpT" } },
  "secret-placeholder": { env: { AUTH_SECRET: "your-secret-key" } },
  "secret-repeated": { env: { AUTH_SECRET_1: SECRET } },
  "secret-order": {
    env: { AUTH_SECRET: undefined, AUTH_SECRET_1: SECRET },
    files: { "/auth.ts": auth("providers: [], secret: [process.env.AUTH_SECRET_1]") },
  },
  "secret-in-source": withAuth(`providers: [], secret: "${SECRET}"`),
  "secret-tracked": { files: { "/.env": `AUTH_SECRET=${SECRET}\n` }, tracked: new Set(["/.env"]) },
  "secret-public": { env: { NEXT_PUBLIC_AUTH_SECRET: SECRET } },
  "url-missing": { env: { AUTH_URL: undefined } },
  "url-invalid": { env: { AUTH_URL: "app.example.com" } },
  "url-http": { env: { AUTH_URL: "http://app.example.com" } },
  "url-loopback": { env: { AUTH_URL: "http://localhost:3000" } },
  "url-path": {
    env: { AUTH_URL: "https://app.example.com/shop" },
    files: { "/auth.ts": auth('providers: [], basePath: "/api/auth"') },
  },
  "trust-host-value": { env: { AUTH_TRUST_HOST: "yes please" } },
  "value-blanks": { env: { AUTH_GITHUB_ID: '"abc"' } },
  "former-names": { env: { NEXTAUTH_URL: "https://app.example.com" } },
  "auth0-issuer": { env: { AUTH_AUTH0_ISSUER: "https://tenant.auth0.com" } },
  "no-configuration": { files: { "/auth.ts": "export {};\n", "/app/api/auth/[...auth]/route.ts": "" } },
  "provider-id": { ...withAuth("providers: [GitHub]", GITHUB), env: { AUTH_GITHUB_SECRET: "a" } },
  "provider-secret": { ...withAuth("providers: [GitHub]", GITHUB), env: { AUTH_GITHUB_ID: "a" } },
  "provider-issuer": withAuth('providers: [Auth0({ clientId: "a", clientSecret: env.b })]', AUTH0),
  "csrf-off": withAuth("providers: [], skipCSRFCheck"),
  "debug-on": withAuth("providers: [], debug: true"),
  "secure-cookies-off": withAuth("providers: [], useSecureCookies: false"),
  "cookie-not-secure": withAuth("providers: [], cookies: { sessionToken: { options: { secure: false } } }"),
  "cookie-same-site": withAuth('providers: [], cookies: { sessionToken: { options: { sameSite: "none" } } }'),
  "cookie-readable": withAuth("providers: [], cookies: { sessionToken: { options: { httpOnly: false } } }"),
  "email-without-adapter": withAuth(
    "providers: [Nodemailer({ server, from })]",
    'import { Nodemailer } from "@cardea/providers-email";',
  ),
  "middleware-strategy": {
    files: {
      "/auth.ts": auth("providers: [], adapter: db"),
      "/middleware.ts": auth('providers: [], session: { strategy: "jwt" }'),
    },
  },
  "authorized-open-end": withAuth("providers: [], callbacks: { authorized({ auth }) { if (!auth) return false; } }"),
  "email-lookup": withAuth(
    "providers: [], callbacks: { async jwt({ token }) { await db.user.findUnique({ where: { email: token.email } }); return token; } }",
  ),
  "leftover-import": { files: { "/page.tsx": 'import { useSession } from "next-auth/react";\n' } },
  "leftover-package": {
    files: {
      "/package.json": '{ "dependencies": { "@cardea/next": "1.0.0", "next": "15.0.0", "next-auth": "4.24.0" } }',
    },
  },
  "database-unreachable": { database: { where: "mysql://db/app", addresses: [], refusal: "ECONNREFUSED" } },
  "address-twins": { database: stored("ann@example.com", "Ann@example.com") },
  "address-capitals": { database: stored("Ann@example.com", "BO@example.com") },
  "pool-listener": { files: { "/db.ts": 'import { Pool } from "pg";\nexport const pool = new Pool();\n' } },
  "pool-time-zone": {
    files: {
      "/db.ts": 'import { createPool } from "mysql2";\nexport const pool = createPool({ uri: "mysql://db/app" });\n',
    },
  },
  "leftover-cookie": { files: { "/lib.ts": 'export const name = "next-auth.session-token";\n' } },
  "route-missing": { files: { "/app/api/auth/[...auth]/route.ts": "" } },
  "base-path": withAuth('providers: [], basePath: "/auth"'),
  "router-wildcard": { files: { "/server.ts": 'import { router } from "./auth.ts";\napp.use("/auth/*", router);\n' } },
  "core-twice": {
    installed: new Map([
      ["@cardea/core", "1.0.0"],
      ["@cardea/next/node_modules/@cardea/core", "0.9.0"],
    ]),
  },
  "framework-version": { installed: new Map([["next", "13.5.0"]]) },
  "several-instances": { files: { "/deploy.yaml": "spec:\n  replicas: 3\n" } },
  "schema-model": withSchema(SCHEMA.replace("model VerificationToken", "model Other")),
  "schema-account-key": withSchema(SCHEMA.replace("@@id([provider, providerAccountId])", "@@index([provider])")),
  "schema-email-unique": withSchema(SCHEMA.replace("email String? @unique", "email String?")),
  "schema-email-verified": withSchema(SCHEMA.replace("  emailVerified DateTime?\n", "")),
  "schema-session-token": withSchema(SCHEMA.replace("sessionToken String @unique", "sessionToken String")),
  "schema-token-length": withSchema(SCHEMA.replace("postgresql", "mysql")),
  "schema-cascade": withSchema(SCHEMA.replace(", onDelete: Cascade", "")),
  "vault-columns": {
    files: {
      "/auth.ts": auth("providers: [], adapter: db, extensions: [vault()]"),
      "/schema.ts":
        'export const accounts = table("account", { access_token: varchar("access_token", { length: 255 }) });\n',
    },
  },
  "session-reader": {
    files: {
      "/auth.ts": auth("providers: [], extensions: [sessions()]"),
      "/middleware.ts":
        'import { getToken } from "@cardea/next/jwt";\nexport const middleware = (req: Request) => getToken({ req });\n',
    },
  },
  "vault-api": withAuth(
    'providers: [], extensions: [vault({ providers: { google: { apis: ["https://www.googleapis.com/calendar/v3"] } } })]',
  ),
  "post-logout-uri": {
    ...withAuth("providers: [], extensions: [logout()]"),
    probe: probe({ endings: new Map([["https://id.example.com", ending(400)]]) }),
  },
  unreachable: { probe: probe({ session: undefined, providers: undefined }) },
  "actions-not-found": { probe: probe({ session: response({ status: 404 }) }) },
  "server-error": { probe: probe({ session: response({ status: 503 }) }) },
  "cache-control": { probe: probe({ session: response({ headers: { "cache-control": "public, max-age=60" } }) }) },
  "served-from-cache": { probe: probe({ session: response({ headers: { age: "12" } }) }) },
  "visitor-cookie": { probe: probe({ session: response({ cookies: ["lb=1; Path=/"] }) }) },
  "origin-host": {
    probe: probe({ providers: response({ text: '[{"callbackUrl":"https://internal:3000/api/auth/callback/a"}]' }) }),
  },
  "origin-scheme": {
    probe: probe({ providers: response({ text: '[{"callbackUrl":"http://app.example.com/api/auth/callback/a"}]' }) }),
  },
  "page-origin": { probe: probe({ page: page({ read: response(), preflight: response({ status: 405 }) }) }) },
  "passkey-columns": {
    files: {
      "/auth.ts": auth("providers: [Passkey({})], adapter: db", PASSKEY),
      "/schema.ts": `export const keys = sqliteTable("authenticator", { ${PASSKEY_COLUMNS} });\n`,
    },
  },
  "passkey-related-origins": {
    ...withAuth(`adapter: db, providers: [Passkey({ relayingParty: ${RELATED} })]`, PASSKEY),
    probe: probe({ relatedOrigins: response({ status: 404 }) }),
  },
  "clock-server": { probe: probe({ session: response({ headers: { date: new Date(NOW - 61_000).toUTCString() } }) }) },
  discovery: { probe: probe({ discovery: new Map([["https://id.example.com", undefined]]) }) },
  "discovery-issuer": {
    probe: probe({
      discovery: new Map([["https://id.example.com/", response({ text: '{"issuer":"https://id.example.com"}' })]]),
    }),
  },
  "mixed-actions": {
    ...withAuth('providers: [], extensions: [bridge({ emit: "authjs-v5" })]'),
    probe: probe({
      mixed: [
        response({ cookies: ["__Host-authjs.csrf-token=a; Path=/"] }),
        response({ cookies: ["__Host-cardea.csrf-token=b; Path=/"] }),
      ],
    }),
  },
  "mixed-not-shared": { probe: probe({ mixed: [response({ cookies: ["__Host-cardea.csrf-token=b; Path=/"] })] }) },
  "clock-provider": {
    probe: probe({
      discovery: new Map([
        ["https://id.example.com", response({ headers: { date: new Date(NOW + 61_000).toUTCString() } })],
      ]),
    }),
  },
  "redis-unreachable": { redis: redis(undefined, "NOAUTH Authentication required.") },
  "redis-eviction": { redis: redis({ maxmemory_policy: "allkeys-lru" }) },
  "redis-not-persistent": { redis: redis({ aof_enabled: "0" }) },
  "redis-write-failed": { redis: redis({ rdb_last_bgsave_status: "err" }) },
  "redis-replica": { redis: redis({ role: "slave" }) },
};

const EXPRESS = {
  "/package.json": '{ "dependencies": { "@cardea/express": "1.0.0", "express": "5.0.0" } }',
  "/app/api/auth/[...auth]/route.ts": "",
};

/** Without a fault. */
export const sound: Readonly<Record<string, Setup>> = {
  "a page of a listed origin": { probe: probe({ page: page() }) },
  "passkeys on several domains, with names": {
    files: {
      "/auth.ts": auth(`adapter: db, providers: [Passkey({ relayingParty: ${RELATED} })]`, PASSKEY),
      "/schema.ts": `export const keys = sqliteTable("authenticator", { ${PASSKEY_COLUMNS}, createdAt: t(), usedAt: t() });\n`,
    },
    probe: probe({ relatedOrigins: WELL_KNOWN }),
  },
  "Next.js in production": {},
  "the running application and its issuer": { probe: probe() },
  "clocks that are 60 seconds apart": {
    probe: probe({ session: response({ headers: { date: new Date(NOW - 60_000).toUTCString() } }) }),
  },
  "development without anything set": { env: { NODE_ENV: "development", AUTH_SECRET: undefined, AUTH_URL: undefined } },
  "Vercel, which names the host": { env: { AUTH_URL: undefined, VERCEL: "1" } },
  "a trusted host": { env: { AUTH_URL: undefined }, files: { "/auth.ts": auth("providers: [], trustHost: true") } },
  "pools as the documentation shows them": {
    files: {
      "/db.ts":
        'import { createPool } from "mysql2";\nimport { Pool } from "pg";\nconst pool = new Pool();\npool.on("error", console.error);\ncreatePool({ uri: "mysql://db", timezone: "Z" });\n',
    },
  },
  "a rotated secret": { env: { AUTH_SECRET_1: `${SECRET}x`, AUTH_SECRET_2: `${SECRET}y` } },
  "keys in the environment and in options": {
    ...withAuth("providers: [GitHub, Auth0({ clientId, clientSecret, issuer })]", `${GITHUB}\n${AUTH0}`),
    env: { AUTH_GITHUB_ID: "a", AUTH_GITHUB_SECRET: "b" },
  },
  "Prisma with the whole schema": withSchema(SCHEMA),
  "a vault with long columns, and short ones elsewhere": {
    files: {
      "/auth.ts": auth(
        'providers: [], adapter: db, extensions: [vault({ providers: { google: { apis: ["https://www.googleapis.com/"] } } })]',
      ),
      "/schema.ts":
        'export const a = table("account", { id_token: text("id_token"), scope: varchar("scope", { length: 255 }) });\n',
    },
  },
  "a provider that takes the way back after a logout": {
    ...withAuth("providers: [], extensions: [logout()]"),
    probe: probe({ endings: new Map([["https://id.example.com", ending(200)]]) }),
  },
  "a database and middleware of the same strategy": {
    files: {
      "/auth.ts": auth('providers: [], adapter: db, session: { strategy: "jwt" }'),
      "/middleware.ts": auth('providers: [], session: { strategy: "jwt" }'),
    },
  },
  "a bridge that names the former cookie": withAuth(
    'providers: [], extensions: [bridge({ accept: [{ format: "authjs-v5", cookie: "authjs.session-token" }] })]',
  ),
  "the former cookie's name, kept for sessions in a database": {
    files: {
      "/former.ts": 'export const FORMER_COOKIE = "__Secure-authjs.session-token";\n',
      "/auth.ts": auth("providers: [], cookies: { sessionToken: { name: FORMER_COOKIE } }"),
    },
  },
  "the former cookie's name in the configuration": withAuth(
    'providers: [], cookies: { sessionToken: { name: "__Secure-next-auth.session-token" } }',
  ),
  "a mixed fleet that shares sessions, with its actions on one side": {
    ...withAuth('providers: [], extensions: [bridge({ emit: "authjs-v5" })]'),
    probe: probe({ mixed: [response({ cookies: ["__Host-authjs.csrf-token=a; Path=/"] })] }),
  },
  "Express with a router": {
    files: {
      ...EXPRESS,
      "/auth.ts":
        'import { createAuth } from "@cardea/express";\nexport const { router, auth } = createAuth({ providers: [] });\n',
      "/server.ts": 'import { router } from "./auth.ts";\napp.use("/auth", router);\n',
    },
  },
  "a Redis that keeps what it is given": {
    redis: redis({ rdb_last_bgsave_status: "ok", aof_last_write_status: "ok" }),
  },
  "several instances with a store": {
    files: { "/auth.ts": auth("providers: [], store: redisStore(client)"), "/deploy.yaml": "  replicas: 3\n" },
  },
};
