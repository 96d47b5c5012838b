import { defineExtension } from "@cardea/extend";
import { createBrowser, createMemoryAdapter, createScriptedProvider, createTestSession } from "@cardea/testing";
import fc from "fast-check";
import { type NextFetchEvent, NextRequest, NextResponse } from "next/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import createAuthByDefault, {
  CredentialsSignin,
  createAuth,
  customFetch,
  isAuthError,
  type NextAuth,
  type NextAuthConfig,
} from "./index.ts";

const origin = "http://localhost:3000";

/** What Next keeps for a request: its headers, its cookies as they are now, and those that the answer sets. */
const next = vi.hoisted(() => ({
  headers: new Headers(),
  jar: new Map<string, string>(),
  set: [] as Record<string, unknown>[],
}));
vi.mock("next/headers.js", () => ({
  headers: async () => next.headers,
  cookies: async () => ({
    getAll: () => [...next.jar].map(([name, value]) => ({ name, value })),
    set: (cookie: { name: string; value: string }) => {
      next.set.push(cookie);
      next.jar.set(cookie.name, cookie.value);
    },
  }),
}));

/** The session's cookies among those that the answer sets. */
const sessionsSet = () => next.set.filter(({ name }) => name === "cardea.session-token");

/** A request of Next's, with the cookies that it brings. */
function arrive(cookie = "", headers: Record<string, string> = {}) {
  next.headers = new Headers({ host: "localhost:3000", cookie, ...headers });
  next.set = [];
  const read = new NextRequest(origin, { headers: { cookie } }).cookies.getAll();
  next.jar = new Map(read.map(({ name, value }) => [name, value]));
}

class TooOften extends CredentialsSignin {
  override code = "too-often";
}

function configure(overrides: Partial<NextAuthConfig> = {}) {
  const op = createScriptedProvider();
  const config: NextAuthConfig = {
    secret: "a secret of more than thirty-two bytes for tests",
    basePath: "/api/auth",
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, name: String(session) } : token),
    },
    providers: [
      {
        id: "op",
        name: "Provider",
        type: "oidc",
        issuer: op.issuer,
        clientId: op.clientId,
        clientSecret: op.clientSecret ?? "",
        [customFetch]: op.fetch,
      },
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: {} },
        authorize: ({ username, password, ...rest }) => {
          if (password === "again") throw new TooOften();
          if (password === "broken") throw new Error("secret text");
          const name = [username, ...Object.keys(rest)].join(" ");
          return password === "correct" ? { id: "7", name } : null;
        },
      },
    ],
    ...overrides,
  };
  return { op, config };
}

const kinds: readonly (readonly [string, (config: NextAuthConfig) => NextAuth])[] = [
  ["a configuration", (config) => createAuth(config)],
  ["a function", (config) => createAuthByDefault(async () => config)],
];

/** What Next is told to do, out of the error that its redirect is. */
async function redirectOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : String(error);
  return /^NEXT_REDIRECT;\w+;(.*);\d+;$/.exec(digest)?.[1] ?? digest;
}

describe.each(kinds)("createAuth() with %s", (_kind, create) => {
  beforeEach(() => arrive());

  it("answers the actions below /api/auth", async () => {
    const { op, config } = configure();
    const { handlers } = create(config);
    const browser = createBrowser((request) => handlers[parseMethod(request.method)](new NextRequest(request)), {
      origin,
      routes: { [op.issuer]: op.handler },
      follow: "all",
    });
    const page = await browser.navigate("/api/auth/signin?callbackUrl=/api/auth/session");
    const back = await browser.submit(page, { action: "/api/auth/signin/op" });
    expect(await back.json()).toMatchObject({ user: { name: op.user.name } });
    expect(op.calls.token[0]?.params.get("redirect_uri")).toBe(`${origin}/api/auth/callback/op`);
  });

  it("signs in with a form, and goes back to the page that it was on", async () => {
    const { config } = configure();
    const { signIn, auth } = create(config);
    arrive("", { referer: `${origin}/front?a=1` });
    const form = new FormData();
    for (const [name, value] of Object.entries({ username: "Ann", password: "correct", $ACTION_ID_4f: "" })) {
      form.set(name, value);
    }
    expect(await redirectOf(signIn("credentials", form))).toBe(`${origin}/front?a=1`);
    expect(sessionsSet()).toEqual([
      expect.objectContaining({ name: "cardea.session-token", httpOnly: true, path: "/" }),
    ]);
    // The same request: the page that Next renders after the action.
    expect(await auth()).toMatchObject({ user: { name: "Ann" } });
  });

  it("says in a client component what to use there", () => {
    vi.stubGlobal("document", {});
    vi.stubGlobal("process", { env: process.env });
    try {
      expect(() => create(configure().config)).toThrow(
        "use useSession(), signIn() and signOut() of @cardea/next/react",
      );
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("resolves to the URL instead of redirecting (docs/from-authjs.md#next-sign-out-value)", async () => {
    const { signIn, signOut } = create(configure().config);
    const options = { username: "Ann", password: "correct", redirect: false, redirectTo: "/members" };
    expect(await signIn("credentials", options)).toBe(`${origin}/members`);
    expect(await signOut({ redirect: false, redirectTo: "/bye" })).toBe(`${origin}/bye`);
    expect(next.jar.get("cardea.session-token")).toBe("");
  });

  it("passes on whether the session at its provider ends as well", async () => {
    const heard: unknown[] = [];
    const onSignOut = async ({ federated }: { federated: boolean | undefined }) => void heard.push(federated);
    const { config } = configure({ extensions: [defineExtension({ id: "probe", onSignOut })] });
    const { signIn, signOut } = create(config);
    for (const wish of [{}, { federated: false }, { federated: true }]) {
      await signIn("credentials", { username: "Ann", password: "correct", redirect: false });
      await signOut({ ...wish, redirect: false });
    }
    expect(heard).toEqual([undefined, false, true]);
  });

  it("goes nowhere else than where the application may lead", async () => {
    const { signIn, signOut } = create(configure().config);
    arrive("", { referer: "https://evil.example/" });
    expect(await redirectOf(signOut())).toBe(origin);
    arrive("", { referer: `${origin}/api/auth/signout` });
    expect(await redirectOf(signOut())).toBe(origin);
    const form = new FormData();
    form.set("redirectTo", "https://evil.example/");
    expect(await redirectOf(signIn("unknown", form))).toBe(
      `${origin}/api/auth/signin?callbackUrl=${encodeURIComponent(origin)}`,
    );
  });

  it("leads to the provider with the parameters given, and remembers the sign-in", async () => {
    const { op, config } = configure();
    const url = new URL(await redirectOf(create(config).signIn("op", { redirectTo: "/a b" }, { prompt: "login" })));
    expect([url.origin, url.searchParams.get("prompt")]).toEqual([op.issuer, "login"]);
    expect(next.set.map(({ name }) => name)).toEqual([
      "cardea.callback-url",
      expect.stringMatching(/^cardea\.state\./),
    ]);
    expect(next.jar.get("cardea.callback-url")).toBe(`${origin}/a%20b`);
  });

  it.each([
    ["wrong", { type: "CredentialsSignin", code: "credentials" }],
    ["again", { type: "CredentialsSignin", code: "too-often" }],
    ["broken", { type: "CallbackRouteError" }],
  ])("throws an AuthError when the password is %s, and signs no one in", async (password, expected) => {
    const { signIn } = create(configure().config);
    const error = await signIn("credentials", { username: "Ann", password }).catch((thrown: unknown) => thrown);
    expect(isAuthError(error)).toBe(true);
    expect(error).toMatchObject(expected);
    expect(next.set).toEqual([]);
  });

  it.each<[string, Partial<NextAuthConfig>, string, Record<string, string>, string]>([
    [
      "a refusal",
      { callbacks: { signIn: () => false } },
      "credentials",
      { password: "correct" },
      "error?error=AccessDenied",
    ],
    ["a fault in authorize()", {}, "credentials", { password: "broken" }, "error?error=Configuration"],
    ["a mail that cannot be sent", {}, "mail", { email: "ann@example.com" }, "signin?error=EmailSignin"],
    ["an address that is not one", {}, "mail", { email: "ann" }, "signin?error=EmailSignin"],
    ["a provider that cannot be reached", {}, "down", {}, "signin?error=OAuthSignin"],
  ])(
    "resolves to the page that shows %s with redirect: false (docs/from-authjs.md#next-sign-in-fails)",
    async (_what, overrides, provider, fields, page) => {
      const { config } = configure(overrides);
      const failing: NextAuthConfig = {
        ...config,
        adapter: createMemoryAdapter().adapter,
        session: { strategy: "jwt" },
        providers: [
          ...config.providers,
          { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => Promise.reject(new Error("down")) },
          {
            ...{
              id: "down",
              name: "Down",
              type: "oidc",
              issuer: "https://down.example",
              clientId: "x",
              clientSecret: "y",
            },
            [customFetch]: () => Promise.reject(new Error("down")),
          },
        ],
      };
      const { signIn } = create(failing);
      const given = { username: "Ann", ...fields };
      expect(await signIn(provider, { ...given, redirect: false })).toBe(`${origin}/api/auth/${page}`);
      // The sign-in page keeps the destination, as after a form.
      const carried = page.startsWith("signin") ? `&callbackUrl=${encodeURIComponent(`${origin}/cart`)}` : "";
      const options = { ...given, redirect: false, redirectTo: "/cart" };
      expect(await signIn(provider, options)).toBe(`${origin}/api/auth/${page}${carried}`);
      expect(sessionsSet()).toEqual([]);
      // Without it the application hears of the failure itself.
      expect(isAuthError(await signIn(provider, given).catch((thrown: unknown) => thrown))).toBe(true);
    },
  );

  it("rejects with CredentialsSignin whatever redirect says, so that the form can show it", async () => {
    const { signIn } = create(configure().config);
    const refused = signIn("credentials", { username: "Ann", password: "again", redirect: false });
    await expect(refused).rejects.toMatchObject({ type: "CredentialsSignin", code: "too-often" });
  });

  it("changes the session, and everyone who asks afterwards sees it (docs/from-nextauth.md#v4-get-server-session)", async () => {
    const { config } = configure();
    const { auth, unstable_update } = create(config);
    const { header } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
    arrive(`theirs=%c3%a9; ${header}`);
    expect(await auth()).toMatchObject({ user: { name: "Ann" } });
    expect(next.set).toEqual([]);
    expect(await unstable_update("Zoë")).toMatchObject({ user: { name: "Zoë" } });
    expect(await auth()).toMatchObject({ user: { name: "Zoë" } });
    expect(next.headers.get("cookie")).toBe(`theirs=%c3%a9; ${header}`);
  });

  it("reads no session from a cookie whose name only begins with white space", async () => {
    const { config } = configure({ useSecureCookies: true });
    const { auth } = create(config);
    const { header } = await createTestSession(config, { url: "https://localhost:3000" });
    const secure = header.replaceAll("cardea.", "__Host-cardea.").replace("__Host-__Host-", "__Host-");
    arrive(secure);
    expect(await auth()).not.toBeNull();
    arrive(`theirs=1; \u00a0${secure}`);
    expect(await auth()).toBeNull();
  });

  it("finds the session among whatever a sibling domain adds under its name", async () => {
    const { config } = configure({ session: { updateAge: 0 } });
    const { auth } = create(config);
    const { header } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
    const name = "cardea.session-token";
    const foreign = [
      name,
      `${name}=%41`,
      `${name}=%zz`,
      `${name}=`,
      `${name}=A`,
      `${name}.0=%42`,
      `${name}.0`,
      `\u00a0${name}=%43`,
    ];
    const order = fc.shuffledSubarray([...foreign, header, "theirs=%41; theirs=1; theirs"]);
    const property = fc.asyncProperty(order, async (pairs) => {
      const cookie = [...pairs, ...(pairs.includes(header) ? [] : [header])].join("; ");
      arrive(cookie);
      expect(await auth()).toMatchObject({ user: { name: "Ann" } });
      // Also after a proxy renewed it; cookies that are not ours stay as they were sent.
      const request = new NextRequest(`${origin}/`, { headers: next.headers });
      const { headers } = await create(config).auth(request, parseEvent({ waitUntil: () => undefined }));
      const passed = headers.get("x-middleware-request-cookie") ?? "";
      expect(passed.includes("theirs=%41; theirs=1; theirs")).toBe(pairs.includes("theirs=%41; theirs=1; theirs"));
      arrive(passed);
      expect(await auth()).toMatchObject({ user: { name: "Ann" } });
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("takes own data from server code, never from an object in the place of a form", async () => {
    const contexts: unknown[] = [];
    const signInCallback = ({ context }: { context?: unknown }) => contexts.push(context) > 0;
    const { config } = configure();
    const { signIn } = create({ ...config, callbacks: { ...config.callbacks, signIn: signInCallback } });
    const fields = { username: "Ann", password: "correct" };
    // What a visitor may send as the argument of a server action; TypeScript is not there to see it.
    for (const forged of [{ plan: "pro" }, ["pro"], new Map([["plan", "pro"]]), () => "pro", 7]) {
      const argument = parseForm({ ...fields, context: forged });
      expect(await redirectOf(signIn("credentials", argument))).toMatch(/^http/);
    }
    const text = { ...fields, context: "pro" };
    expect(await redirectOf(signIn("credentials", text))).toMatch(/^http/);
    expect(contexts.splice(0)).toEqual(Array(6).fill(undefined));
    const form = new FormData();
    for (const [name, value] of Object.entries(text)) form.set(name, value);
    await redirectOf(signIn("credentials", form, undefined, { plan: "basic" }));
    await redirectOf(signIn("credentials", parseForm({ ...fields, context: { plan: "pro" } }), {}, { plan: "basic" }));
    expect(contexts).toEqual([{ plan: "basic" }, { plan: "basic" }]);
  });

  it("refuses anything else in the place of a form as a form without fields", async () => {
    const { signIn } = create(configure().config);
    for (const odd of [null, 7, "text", [], new Map([["username", "Ann"]])]) {
      await expect(signIn("credentials", parseForm(odd))).rejects.toMatchObject({ type: "CredentialsSignin" });
    }
  });

  it("signs out, and no one is there any more", async () => {
    const { config } = configure();
    const { auth, signOut } = create(config);
    const { header } = await createTestSession(config, { url: origin });
    arrive(header, { referer: `${origin}/members` });
    expect(await redirectOf(signOut())).toBe(`${origin}/members`);
    expect(sessionsSet()).toEqual([expect.objectContaining({ name: "cardea.session-token", value: "", maxAge: 0 })]);
    expect(await auth()).toBeNull();
  });

  it("signs out whatever a visitor sends in the place of the destination or of the options", async () => {
    const { config } = configure();
    const { signOut } = create(config);
    const { header } = await createTestSession(config, { url: origin });
    const odd = [["//evil.example"], { length: 1 }, 7n, new File([], "x"), Symbol("x"), Object.create(null)];
    for (const options of [null, ...odd.map((redirectTo) => ({ redirectTo, redirect: false }))]) {
      arrive(header);
      const left = Reflect.apply(signOut, undefined, [options]);
      expect(await (options === null ? redirectOf(left) : left)).toBe(origin);
      expect(sessionsSet()).toEqual([expect.objectContaining({ value: "", maxAge: 0 })]);
    }
  });

  it("writes nothing when it reads, though a renewal is due", async () => {
    const { config } = configure({ session: { updateAge: 0 } });
    const { header } = await createTestSession(config, { url: origin });
    arrive(header);
    expect(await create(config).auth()).not.toBeNull();
    expect(next.set).toEqual([]);
  });

  it("rejects when no one can say who is there", async () => {
    const { config } = configure();
    const { header } = await createTestSession(config, { url: origin });
    const { auth } = create({ ...config, callbacks: { session: () => Promise.reject(new Error("down")) } });
    arrive(header);
    await expect(auth()).rejects.toMatchObject({ type: "SessionUnavailable" });
  });

  it("shows the page what middleware changes, and what it ends", async () => {
    const { config } = configure({ session: { updateAge: 0 } });
    const { auth, signOut, unstable_update } = create(config);
    const run = async (change: () => Promise<unknown>) => {
      const { header } = await createTestSession(config, { url: origin });
      arrive(`theirs=1; ${header}`);
      const request = new NextRequest(`${origin}/`, { headers: next.headers });
      const handle = auth(async () => void (await change()));
      const { headers } = await handle(request, {});
      expect(headers.get("cache-control")).toBe("private, no-cache, no-store");
      return headers.get("x-middleware-request-cookie");
    };
    expect(await run(() => signOut({ redirect: false }))).not.toContain("session-token");
    const page = await run(() => unstable_update("Zoë"));
    expect(page).toContain("theirs=1");
    arrive(page ?? "");
    expect(await auth()).toMatchObject({ user: { name: "Zoë" } });
  });

  it("lets a route handler have the last word over a renewal", async () => {
    const { config } = configure({ session: { updateAge: 0 } });
    const { auth, signOut } = create(config);
    const { header } = await createTestSession(config, { url: origin });
    arrive(header);
    const handle = auth(async () => {
      await signOut({ redirect: false });
      return new Response("-", { headers: { "cache-control": "public" } });
    });
    const request = new NextRequest(`${origin}/leave`, { headers: next.headers });
    const answer = await handle(request, { params: Promise.resolve({}) });
    expect(sessionsSet().map(({ value }) => value)).toEqual([expect.stringMatching(/^ey/), ""]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get("cache-control")).toBe("private, no-cache, no-store");
  });

  it("keeps the cookies that a route handler sets beside a renewal, as Next reads them", async () => {
    const { config } = configure({ session: { updateAge: 0 } });
    const { auth } = create(config);
    const { header } = await createTestSession(config, { url: origin });
    const values = ["1", "100%25", "%252F", "a%2Fb", "100%", "%FF", "%C3%A9"];
    const lines = values.map((value, n) => `c${n}=${value}; Path=/; HttpOnly`);
    const handle = auth(
      () => new Response("-", { headers: lines.map((line): [string, string] => ["set-cookie", line]) }),
    );
    const send = async (cookie: string) => {
      arrive(cookie);
      return handle(new NextRequest(origin, { headers: next.headers }), { params: Promise.resolve({}) });
    };
    const { headers } = await send(header);
    expect(sessionsSet()).toHaveLength(1);
    const read = new NextResponse(null, { headers }).cookies.getAll();
    expect(read.map(({ value }) => value)).toEqual(["1", "100%", "%2F", "a/b", "100%", "%FF", "é"]);
    expect(read.every(({ path, httpOnly }) => path === "/" && httpOnly === true)).toBe(true);
    expect((await send("")).headers.getSetCookie()).toEqual(lines);
  });

  it("sets a session cookie of sameSite: true as strict", async () => {
    const { config } = configure({ cookies: { sessionToken: { options: { sameSite: true } } } });
    await create(config).signIn("credentials", { username: "Ann", password: "correct", redirect: false });
    expect(sessionsSet()).toEqual([expect.objectContaining({ sameSite: "strict" })]);
  });
});

describe("createAuth()", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("says at once what is wrong, but not while the application is built", async () => {
    vi.stubEnv("NODE_ENV", "production");
    expect(() => createAuth({ providers: [] })).toThrow(/secret/);
    vi.stubEnv("NEXT_PHASE", "phase-production-build");
    const { auth } = createAuth({ providers: [], logger: { error: () => undefined } });
    arrive();
    await expect(auth()).rejects.toMatchObject({ type: "MissingSecretError" });
    vi.stubEnv("AUTH_SECRET", "a secret of more than thirty-two bytes for tests");
    vi.stubEnv("AUTH_TRUST_HOST", "true");
    expect(await auth()).toBeNull();
  });

  it("asks Next for the request before anything else", async () => {
    const configuration = vi.fn(() => ({ providers: [] }));
    const bailOut = new Error("rendered for everyone");
    next.headers = parseHeaders(Promise.reject(bailOut));
    await expect(createAuth(configuration).auth()).rejects.toBe(bailOut);
    expect(configuration).not.toHaveBeenCalled();
  });
});

function parseForm(sent: unknown): FormData {
  return sent as FormData;
}

function parseEvent(given: unknown): NextFetchEvent {
  return given as NextFetchEvent;
}

function parseMethod(method: string): "GET" | "POST" {
  return method as "GET" | "POST";
}

function parseHeaders(headers: unknown): Headers {
  return headers as Headers;
}
