import { Auth, createAuth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { createTestSession } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";

const origin = "https://app.example.com";
const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** What a guarded handler is asked and answers: `in` where it ran, else the status and where the answer leads. */
function guarded(config: Partial<AuthConfig> = {}) {
  const authorized = vi.fn<NonNullable<NonNullable<AuthConfig["callbacks"]>["authorized"]>>(
    ({ auth }) => auth !== null,
  );
  const callbacks = { authorized, ...config.callbacks };
  const { auth } = createAuth({ secret, logger, providers: [], trustHost: true, ...config, callbacks });
  const handle = auth(() => new Response("in"));
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await handle(new Request(`${origin}${path}`, init));
    return answer.status === 200 ? "in" : [answer.status, answer.headers.get("location")].filter((one) => one !== null);
  };
  const told = () => authorized.mock.calls.map(([{ request }]) => new URL(request.url).pathname);
  return { ask, told, authorized };
}

const signIn = (path: string, base = "/auth") => [
  302,
  `${origin}${base}/signin?callbackUrl=${encodeURIComponent(path).replaceAll("'", "%27")}`,
];

describe("the guard: ambiguous paths", () => {
  it.each(["/admin/%252e%252e/auth/session", "/auth/..%2fadmin", "/a%5cb", "/a%00", "/100%", "/a%0ab"])(
    "answers 400 to %s before anything else is asked",
    async (path) => {
      const { ask, authorized } = guarded();
      expect(await ask(path)).toEqual([400]);
      expect(authorized).not.toHaveBeenCalled();
      const config = vi.fn(() => ({ secret, logger, providers: [] }));
      expect((await createAuth(config).auth(() => new Response("in"))(new Request(`${origin}${path}`))).status).toBe(
        400,
      );
      expect((await createAuth(config).handlers.GET(new Request(`${origin}${path}`))).status).toBe(400);
      expect((await Auth(new Request(`${origin}${path}`), { secret, logger, providers: [] })).status).toBe(400);
      expect(config).not.toHaveBeenCalled();
    },
  );

  it.each([
    "/admin/../auth/session",
    "/./auth/session",
    "\\\\admin",
    "/auth\\..\\admin",
    "/admin/%2E./auth/session",
    "/a\t/auth",
  ])("answers 400 to %j where a server hands on the URL as it was sent", async (path) => {
    const { auth, handlers } = createAuth({
      secret,
      logger,
      providers: [],
      trustHost: true,
      callbacks: { authorized: () => true },
    });
    const sent = (target: string) =>
      Object.defineProperty(new Request(`${origin}/`), "url", { value: `${origin}${target}` });
    const handle = auth(() => new Response("in"));
    expect((await handle(sent(path))).status).toBe(400);
    expect((await handlers.GET(sent(path))).status).toBe(400);
    expect((await Auth(sent(path), { secret, logger, providers: [] })).status).toBe(400);
    expect((await handle(sent("?x=/../y"))).status).toBe(200);
    expect((await handle(sent("/admin?x=/../y"))).status).toBe(200);
  });

  it("refuses %2F where `authorized` decides, unless the application says that it can", async () => {
    const { ask, authorized } = guarded();
    expect([await ask("/projects/group%2Fname"), await ask("/projects/group%2fname")]).toEqual([[400], [400]]);
    expect(authorized).not.toHaveBeenCalled();
    const allowing = guarded({ encodedSlashes: "allow" });
    expect(await allowing.ask("/projects/group%2fname?x=1")).toEqual(signIn("/projects/group%2Fname?x=1"));
    expect(allowing.told()).toEqual(["/projects/group%2Fname"]);
    const { auth } = createAuth({ secret, logger, providers: [], trustHost: true });
    const plain = await auth((request) => new Response(request.url))(new Request(`${origin}/projects/group%2Fname`));
    expect(await plain.text()).toBe(`${origin}/projects/group%2Fname`);
  });

  it("tells `authorized` one spelling, and the handler what was sent", async () => {
    const { ask, told } = guarded();
    for (const path of ["/%61dmin", "//admin", "/admin//", "/admin", "/caf%c3%a9/%7bx%7d%20"]) await ask(path);
    expect(told()).toEqual(["/admin", "/admin", "/admin", "/admin", "/caf%C3%A9/%7Bx%7D%20"]);
    const { auth } = createAuth({
      secret,
      logger,
      providers: [],
      trustHost: true,
      callbacks: { authorized: async ({ request }) => (await request.text()) === "body" },
    });
    const handle = auth(async (request) => new Response(`${request.url} ${await request.text()}`));
    const answer = await handle(new Request(`${origin}/%61dmin`, { method: "POST", body: "body" }));
    expect(await answer.text()).toBe(`${origin}/%61dmin body`);
  });
});

describe("the guard: what is open without a session", () => {
  const routes = [
    "/signin",
    "/signin/op",
    "/signin/",
    "/session",
    "/csrf",
    "/error",
    "/verify-request",
    "/callback/op",
  ];
  const closed = ["", "/", "/tokens", "/signin/op/x", "/session/x", "/sessions", "/%73ession", "//session", "/SESSION"];

  it.each([
    ["/auth", {}],
    ["/auth", { basePath: "/auth/" }],
    ["/a/b-c", { basePath: "/a/b-c" }],
    ["", { basePath: "/" }],
  ])("is exactly the table of actions below %j", async (base, config) => {
    const { ask } = guarded(config);
    expect(await Promise.all(routes.map((route) => ask(`${base}${route}`)))).toEqual(routes.map(() => "in"));
    const others = [...closed.map((path) => `${base}${path}` || "/"), "/admin", "/other/session", "/authx/session"];
    for (const path of others) expect([path, await ask(path)]).not.toEqual([path, "in"]);
    expect(await ask(`${base}/session`, { method: "DELETE" })).toEqual([401]);
    expect(await ask(`${base}/csrf`, { method: "POST" })).toEqual([401]);
  });

  it("follows a path in AUTH_URL", async () => {
    vi.stubEnv("AUTH_URL", `${origin}/app`);
    const { ask } = guarded();
    vi.unstubAllEnvs();
    expect([await ask("/app/signin"), await ask("/app/admin"), await ask("/app")]).toEqual([
      "in",
      signIn("/app/admin", "/app"),
      signIn("/app", "/app"),
    ]);
  });

  it.each([
    ["/login", "/login"],
    ["/login/", "/login"],
    ["/x/../login", "/login"],
    ["/login?tenant=a", "/login?tenant=a&callbackUrl=/x"],
    ["/login#form", "/login"],
    ["/", "/"],
    ["/?page=login", "/?page=login&error=x"],
  ])("is the page that pages.* names as %s", async (page, path) => {
    for (const name of ["signIn", "signOut", "error", "verifyRequest"] as const) {
      const { ask } = guarded({ pages: { [name]: page } });
      expect([await ask(path), await ask(path, { method: "POST" })]).toEqual(["in", "in"]);
      const others = ["/login/x", "/loginx", "/LOGIN", "//login", "/%6cogin", "/login%2Fx", "/admin", "/x/login"];
      for (const other of others) expect([other, await ask(other)]).not.toEqual([other, "in"]);
    }
  });

  it("is the page that pages.* names with the origin of AUTH_URL, whatever the headers say", async () => {
    vi.stubEnv("AUTH_URL", origin);
    const { ask } = guarded({ pages: { signIn: `${origin}/login` } });
    vi.unstubAllEnvs();
    expect(await ask("/login", { headers: { "x-forwarded-host": "evil.example" } })).toBe("in");
  });

  it.each(["https://login.example.com/", `${origin}/`])(
    "is no page of the host that a visitor names: %s without AUTH_URL",
    async (page) => {
      const { ask } = guarded({ pages: { signIn: page, error: page } });
      for (const header of ["x-forwarded-host", "host"]) {
        expect(await ask("/", { headers: { [header]: new URL(page).host } })).not.toBe("in");
      }
    },
  );

  it("is no page of another origin, and none whose query the request has not", async () => {
    for (const page of ["https://login.example.com/", "http://app.example.com/", "https://app.example.com:8443/"]) {
      const { ask } = guarded({ pages: { signIn: page, error: page, verifyRequest: page } });
      expect(await ask("/")).toEqual([302, `${page}?callbackUrl=%2F`]);
    }
    const { ask } = guarded({ pages: { signIn: "/?page=login" } });
    expect(await ask("/")).toEqual([302, `${origin}/?page=login&callbackUrl=%2F`]);
    expect(await ask("/?page=other")).toEqual([302, expect.stringContaining("/?page=login&")]);
  });

  it("is no page whose parameter was sent again, wherever: the application may read either", async () => {
    const { ask } = guarded({ pages: { signIn: "/?page=login" } });
    for (const filler of ["", "&a=/".repeat(250), "&b=1".repeat(250), "&a=/%ff".repeat(250)]) {
      const toSignIn = [302, expect.stringContaining(`${origin}/?page=login&callbackUrl=`)];
      expect(await ask(`/?page=login${filler}&page=secret`)).toEqual(toSignIn);
      expect(await ask(`/?page=secret${filler}&page=login`)).toEqual(toSignIn);
    }
  });

  it("is no page whose query a parser may read differently: among many parameters, or beside names that some shorten", async () => {
    const { ask } = guarded({ pages: { signIn: "/?page=login" } });
    const toSignIn = [302, expect.stringContaining(`${origin}/?page=login&callbackUrl=`)];
    for (const filler of ["a&", "a=1&"].map((part) => part.repeat(1000)))
      expect(await ask(`/?${filler}page=login`)).toEqual(toSignIn);
    for (const other of [
      "page[]",
      "page%5B%5D",
      "page[0]",
      "page[x]",
      "page.x",
      "=page",
      "x;page",
      "page%00",
      "?page",
      "page%20",
    ])
      expect([other, await ask(`/?page=login&${other}=secret`)]).toEqual([other, toSignIn]);
    expect(await ask("/?page=login&&error=x&utm_source=a&/submit&callbackUrl=%2F%3Fpage%5B%5D%3D1")).toBe("in");
    expect(await guarded({ pages: { signIn: "/?my%20page=login" } }).ask("/?my+page=login&error=x")).toBe("in");
  });

  it.each([
    ["/anmelden/f%C3%BCr", "/anmelden/f%C3%BCr"],
    ["/anmelden/f%c3%bcr", "/anmelden/f%C3%BCr"],
    ["/%61nmelden/f%C3%BCr/", "/anmelden/f%C3%BCr/"],
    ["https://app.example.com/f%c3%bcr?a=%2f", "/f%C3%BCr?a=%2f"],
    ["/log{in}", "/log%7Bin%7D"],
    ["/100%25", "/100%25"],
    ["/log//in", "/log/in"],
  ])("is open in the canonical spelling of %s, to which visitors are redirected", async (page, spelling) => {
    vi.stubEnv("AUTH_URL", origin);
    const { ask } = guarded({ pages: { signIn: page } });
    const at = new URL(spelling, origin);
    at.searchParams.set("callbackUrl", "/other");
    expect(await ask("/other")).toEqual([302, at.href]);
    expect([await ask(spelling), await ask(at.href.slice(origin.length))]).toEqual(["in", "in"]);
    vi.unstubAllEnvs();
  });

  it.each([
    "/anmelden/f%c3%bcr",
    "/anmelden/f%C3%bcr",
    "/anmelden/%66%C3%BCr",
    "/anmelden//f%C3%BCr",
    "//anmelden/f%C3%BCr",
    "/anmelden/f%C3%BCr//",
    "/anmelden/f%C3%BCr%2F",
    "/anmelden/f%C3%BCr%2Fmembers",
    "/anmelden%2Ff%C3%BCr",
    "/anmelden%2ff%C3%BCr",
    "/anmelden/f%25C3%25BCr",
    "/anmelden/f%C3%BCr%2E",
    "/anmelden/f%C3%BCr%20",
    "/anmelden/f%C3%BCr%3F",
    "/anmelden/f%C3%BCr%23",
    "/anmelden/f%C3%BC",
    "/anmelden/f%FCr",
    "/anmelden/fu%CC%88r",
  ])("with an escape in its path opens no neighbour: %s", async (path) => {
    for (const encodedSlashes of ["refuse", "allow"] as const) {
      const { ask } = guarded({ pages: { signIn: "/anmelden/f%C3%BCr" }, encodedSlashes });
      expect([path, await ask(path)]).not.toEqual([path, "in"]);
    }
  });

  it("opens no route with an escape, since none has one", async () => {
    const { ask } = guarded({ encodedSlashes: "allow" });
    for (const path of ["/auth/signin/f%C3%BCr", "/auth/callback/a%2Fb", "/auth/session%2F", "/auth/%73ession"])
      expect([path, await ask(path)]).toEqual([path, signIn(path.replace("%73", "s"))]);
  });

  it("is not the page for new users: that one is for those who have signed in", async () => {
    const { ask } = guarded({ pages: { newUser: "/welcome" } });
    expect(await ask("/welcome")).toEqual(signIn("/welcome"));
  });

  it("is the library's answer and not the application's with every method", async () => {
    const { ask } = guarded({ pages: { signIn: "/login" } });
    const methods = ["PUT", "DELETE", "PATCH", "OPTIONS"];
    for (const path of ["/auth/session", "/login"]) {
      const answers = await Promise.all(methods.map((method) => ask(path, { method })));
      expect(answers).toEqual(methods.map(() => [401]));
    }
  });
});

describe("the guard: redirects that lead to the page itself", () => {
  it.each([
    ["/welcome", "/welcome"],
    ["/welcome/", "/welcome"],
    ["/%77elcome?a=1", "/welcome?a=1"],
    ["/welcome", `${origin}/welcome?callbackUrl=%2Fwelcome`],
    ["/welcome?from=/welcome", "/welcome?from=/welcome?from=/welcome"],
  ])("end at %s within one hop", async (path, location) => {
    const answer = new Response(null, { status: 302, headers: { location } });
    const { ask } = guarded({ callbacks: { authorized: () => answer } });
    expect(await ask(path)).toEqual([401]);
  });

  it("end at an own page in another spelling than its own", async () => {
    const { ask } = guarded({ pages: { signIn: "/anmelden/f%C3%BCr" } });
    expect(await ask("/anmelden/%66%C3%BCr?callbackUrl=/")).toEqual([401]);
    expect(await ask("/other")).toEqual([302, expect.stringMatching(/\/anmelden\/f%C3%BCr\?callbackUrl=%2Fother$/)]);
  });

  it("are others where they lead elsewhere", async () => {
    const to = async (location: string, path: string) => {
      const answer = new Response(null, { status: 307, headers: { location } });
      return await guarded({ callbacks: { authorized: () => answer } }).ask(path);
    };
    expect(await to("/page?step=1", "/page")).toEqual([307, "/page?step=1"]);
    expect(await to("/welcome", "/page")).toEqual([307, "/welcome"]);
    expect(await to("https://other.example/page", "/page")).toEqual([307, "https://other.example/page"]);
  });

  it("do not keep a user without the role from the sign-in page", async () => {
    const config = { secret, logger, providers: [], trustHost: true };
    const { header } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
    const { ask } = guarded({ callbacks: { authorized: () => false }, pages: { signIn: "/login" } });
    const headers = { cookie: header };
    expect(await ask("/x", { headers })).toEqual([302, `${origin}/login?callbackUrl=%2Fx`]);
    expect(await ask("/login?callbackUrl=/x", { headers })).toBe("in");
  });

  describe("of a signed-in user who opens the sign-in page", () => {
    const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
    async function signedIn(authorized: NonNullable<NonNullable<AuthConfig["callbacks"]>["authorized"]>) {
      const config = { secret, logger, providers: [], trustHost: true };
      const { header } = await createTestSession(config, { url: origin, user: { id: "7", name: "Ann" } });
      const pages = { signIn: "/login", signOut: "/leave", error: "/oops", verifyRequest: "/sent" };
      const { ask } = guarded({ callbacks: { authorized }, pages });
      return (path: string, method = "GET") => ask(path, { method, headers: { cookie: header } });
    }

    it("are followed, where they lead to another page", async () => {
      const ask = await signedIn(({ auth, request }) => {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith("/dashboard")) return auth !== null;
        return auth === null ? true : Response.redirect(new URL("/dashboard", request.url));
      });
      expect(await ask("/login")).toEqual([302, `${origin}/dashboard`]);
      expect(await ask("/login?callbackUrl=%2Finvoices", "HEAD")).toEqual([302, `${origin}/dashboard`]);
      expect(await ask("/dashboard")).toBe("in");
    });

    it.each([
      ["to the page itself", "/login", to("/login?callbackUrl=%2Flogin")],
      ["to the page that was denied", "/login?callbackUrl=%2Fdashboard", to("/dashboard")],
      ["to the page that was denied, by its URL", `/login?callbackUrl=${origin}/dashboard%3Fa=1`, to("/dashboard?a=1")],
      ["to nowhere", "/login", () => new Response("no", { status: 403 })],
      ["as a refusal", "/login", () => false],
      ["as nothing", "/login", () => undefined],
    ])("do not count: %s", async (_name, path, authorized) => {
      expect(await (await signedIn(authorized))(path)).toBe("in");
    });

    it("do not count for its form, and for the pages of sign-out, errors and mail", async () => {
      const ask = await signedIn(to("/dashboard"));
      expect(await ask("/login", "POST")).toBe("in");
      for (const path of ["/leave", "/oops", "/sent"]) expect(await ask(path)).toBe("in");
    });

    it("is denied when the callback throws", async () => {
      const ask = await signedIn(() => {
        throw new Error("no answer");
      });
      await expect(ask("/login")).rejects.toMatchObject({ type: "CallbackRouteError" });
      expect(await ask("/leave")).toBe("in");
    });

    it("are not asked for without a session", async () => {
      const authorized = vi.fn(to("/dashboard"));
      const { ask } = guarded({ callbacks: { authorized }, pages: { signIn: "/login" } });
      expect(await ask("/login")).toBe("in");
      expect(authorized).not.toHaveBeenCalled();
    });
  });
});
