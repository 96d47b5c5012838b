import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Auth, type AuthConfig, createAuth, type LoggerInstance, setEnvDefaults, skipCSRFCheck } from "@cardea/core";
import { decode, encode } from "@cardea/core/jwt";
import { Credentials } from "@cardea/providers-credentials";
import { GitHub } from "@cardea/providers-github";
import { expect, it, vi } from "vitest";

/** What a row of docs/from-authjs.md says of Cardea, as it is seen from outside. */
const differences: readonly string[] = JSON.parse(readFileSync(join(import.meta.dirname, "differences.json"), "utf8"));

const origin = "https://app.example.com";
const secret = "a secret of more than thirty-two bytes for tests";
const github = GitHub({ clientId: "id", clientSecret: "secret" });
const credentials = Credentials({ credentials: { name: {} }, authorize: () => null });

type Given = Partial<Omit<AuthConfig, "raw">>;

async function ask(path: string, given: Given = {}, init: RequestInit = {}) {
  const logged: { level: keyof LoggerInstance; text: string }[] = [];
  const logger: LoggerInstance = {
    error: (error) => logged.push({ level: "error", text: error.name }),
    warn: (code) => logged.push({ level: "warn", text: code }),
    debug: (message) => logged.push({ level: "debug", text: message }),
  };
  const config = { secret, trustHost: true, providers: [], logger, ...given };
  const answer = await Auth(new Request(`${origin}/auth/${path}`, init), config);
  return { answer, logged, location: answer.headers.get("location")?.replace(origin, "") ?? null };
}

const user = { id: "1", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };

/** A database with one user, and one session where it is given. */
function adapterOf(given: {
  session?: { sessionToken: string; userId: string; expires: Date };
  updateSession?: (session: { sessionToken: string; expires?: Date }) => void;
}) {
  return {
    createUser: async () => user,
    getUser: async () => user,
    getUserByEmail: async () => user,
    getUserByAccount: async () => null,
    updateUser: async () => user,
    linkAccount: async () => undefined,
    createSession: async () => given.session ?? { sessionToken: "", userId: "1", expires: new Date() },
    getSessionAndUser: async () => (given.session === undefined ? null : { session: given.session, user }),
    updateSession: async (session: { sessionToken: string; expires?: Date }) => {
      given.updateSession?.(session);
      return null;
    },
    deleteSession: async () => undefined,
  };
}

const form = (fields: Record<string, string>): RequestInit => ({ method: "POST", body: new URLSearchParams(fields) });

const OBSERVATIONS: Readonly<Record<string, () => Promise<void> | void>> = {
  "session-unreadable": async () => {
    const salt = "__Host-cardea.session-token";
    const foreign = await encode({ token: { name: "Ann" }, secret: `another ${secret}`, salt });
    const { answer, logged } = await ask("session", {}, { headers: { cookie: `${salt}=${foreign}` } });
    expect([await answer.json(), logged]).toEqual([null, []]);
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-cardea\.session-token=;/)]);
  },
  "jwt-decode": async () => {
    const token = await encode({ token: { name: "Ann" }, secret, salt: "one" });
    await expect(decode({ token, secret, salt: "two" })).resolves.toBeNull();
    await expect(decode({ token: "x", secret, salt: "one" })).resolves.toBeNull();
  },
  "session-renewal": async () => {
    const salt = "__Host-cardea.session-token";
    const cookie = `${salt}=${await encode({ token: { name: "Ann", sub: "1" }, secret, salt })}`;
    const { answer } = await ask("session", {}, { headers: { cookie } });
    expect([await answer.json(), answer.headers.getSetCookie()]).toMatchObject([{ user: { name: "Ann" } }, []]);
  },
  "session-expires": async () => {
    const expires = new Date(Date.now() + 86_400_000);
    const stored: Date[] = [];
    const updateSession = ({ expires }: { expires?: Date }) => {
      stored.push(...(expires === undefined ? [] : [expires]));
    };
    const adapter = adapterOf({ session: { sessionToken: "t", userId: "1", expires }, updateSession });
    await ask("session", { adapter }, { headers: { cookie: "__Host-cardea.session-token=t" } });
    expect(stored.map((time) => [time > expires, time.getTime() % 1000])).toEqual([[true, 0]]);
  },
  "credentials-database": async () => {
    const { answer } = await ask("providers", {
      adapter: adapterOf({}),
      session: { strategy: "database" },
      providers: [credentials],
    });
    expect(answer.status).toBe(200);
  },
  "unknown-provider": async () => {
    for (const path of ["callback/nothing", "signin/undefined"]) {
      const init = path.startsWith("signin") ? form({}) : {};
      const { location } = await ask(path, { providers: [github], skipCSRFCheck }, init);
      expect([path, location]).toEqual([path, "/auth/error"]);
    }
  },
  "callback-url": async () => {
    for (const callbackUrl of ["non-relative", "a", "javascript:alert(1)"]) {
      const query = await ask(`session?callbackUrl=${callbackUrl}`);
      const headers = { cookie: `__Host-cardea.callback-url=${callbackUrl}` };
      const cookie = await ask("session", {}, { headers });
      expect([query.answer.status, cookie.answer.status, query.logged, cookie.logged]).toEqual([200, 200, [], []]);
    }
  },
  "error-values": async () => {
    const { location, logged } = await ask("callback/github?code=x&state=y", { providers: [github] });
    expect(location).toBe("/auth/signin?error=OAuthCallbackError");
    expect(logged).toEqual([{ level: "warn", text: expect.stringContaining("InvalidCheck") }]);
    const forged = await ask("signin/github", { providers: [github] }, form({ csrfToken: "x" }));
    expect(forged.location).toBe("/auth/signin?error=Signin");
  },
  "provider-members": () => {
    expect(github.authorization).toMatchObject({ url: expect.stringContaining("https://github.com/") });
    expect(github.options).toMatchObject({ clientId: "id" });
  },
  "provider-refused": () => {
    const provider = { id: "x", name: "X", type: "oidc", clientId: "id", clientSecret: "secret" } as const;
    expect(() => createAuth({ secret, providers: [provider] })).toThrow(/providers\[0\]/);
  },
  "missing-keys": () => {
    expect(() => createAuth({ secret, providers: [GitHub] })).toThrow("AUTH_GITHUB_ID");
    expect(() => createAuth({ secret, providers: [false, null, undefined, ""] })).not.toThrow();
  },
  "configuration-page": async () => {
    const broken = { providers: [GitHub] };
    for (const given of [broken, { trustHost: false }]) {
      const told = await ask("session", given);
      expect([told.answer.status, await told.answer.json()]).toEqual([500, { message: expect.any(String) }]);
      const shown = await ask("signin", given, { headers: { accept: "text/html" } });
      expect(shown.answer.headers.get("content-type")).toContain("text/html");
      expect([shown.answer.status, shown.logged.at(-1)?.level]).toEqual([500, "error"]);
    }
  },
  "missing-secret": async () => {
    const { answer, logged } = await ask("session", { secret: undefined });
    expect([answer.status, logged]).toEqual([
      200,
      [{ level: "warn", text: expect.stringContaining("missing-secret") }],
    ]);
    vi.stubEnv("NODE_ENV", "production");
    expect(() => createAuth({ providers: [] })).toThrow("AUTH_SECRET");
  },
  "auth-url-invalid": () => {
    vi.stubEnv("AUTH_URL", "secret");
    expect(() => createAuth({ secret, providers: [] })).toThrow("AUTH_URL");
  },
  "log-lines": async () => {
    const { logged } = await ask(
      "callback/credentials",
      { providers: [credentials], skipCSRFCheck },
      form({ name: "x" }),
    );
    expect(logged).toEqual([{ level: "warn", text: expect.stringContaining("CredentialsSignin: ") }]);
  },
  "secret-order": () => {
    const config: AuthConfig = { providers: [] };
    setEnvDefaults({ AUTH_SECRET: "0", AUTH_SECRET_1: "1" }, config);
    expect(config.secret).toEqual(["0", "1"]);
  },
  "unknown-actions": async () => {
    const { answer } = await ask("callback/credentials", { providers: [credentials] });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await ask("signinn")).answer.status).toBe(404);
  },
  paths: async () => {
    for (const [path, status] of [
      ["signin/", 200],
      ["signin//", 404],
      ["signin/github/github", 404],
    ] as const) {
      expect([path, (await ask(path, { providers: [github] })).answer.status]).toEqual([path, status]);
    }
  },
  bodies: async () => {
    const init = { method: "POST", body: "text" };
    const { answer } = await ask("callback/credentials", { providers: [credentials], skipCSRFCheck }, init);
    expect(answer.status).toBe(415);
  },
};

it.each(Object.entries(OBSERVATIONS))("docs/from-authjs.md#%s is so", async (key, observe) => {
  expect(differences).toContain(key);
  vi.stubEnv("NODE_ENV", "test");
  await observe();
  vi.unstubAllEnvs();
});
