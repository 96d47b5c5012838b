import { defineExtension } from "@cardea/extend";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createAuth, type ExpressAuth } from "./create-auth.ts";
import { type AuthConfig, CredentialsSignin, customFetch, isAuthError } from "./index.ts";
import { frameworks, runApp } from "./run-app.ts";

class TooOften extends CredentialsSignin {
  override code = "too-often";
}

function configure(overrides: Partial<AuthConfig> = {}) {
  const op = createScriptedProvider();
  const config: AuthConfig = {
    secret: "a secret of more than thirty-two bytes for tests",
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
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
        credentials: { username: {}, password: { type: "password" } },
        authorize: ({ username, password }) => {
          if (password === "again") throw new TooOften();
          return password === "correct" ? { id: "7", name: String(username), email: "ann@example.com" } : null;
        },
      },
    ],
    ...overrides,
  };
  return { op, config };
}

const atMembers = (app: Express, { auth }: ExpressAuth) =>
  app.get(
    "/members",
    auth((req, res) => {
      if (req.auth === null) res.status(401).send("visitor");
      else res.send(`for ${req.auth.user?.name}`);
    }),
  );

describe.each(frameworks)("createAuth() on Express $version", ({ express, wildcard }) => {
  /** Starts an application and opens a browser on it. */
  async function open(build: (app: Express, auth: ExpressAuth) => void, overrides: Partial<AuthConfig> = {}) {
    const { op, config } = configure(overrides);
    const app = express();
    build(app, createAuth(config));
    const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
      res.status(500).send(`error handler: ${isAuthError(error) ? error.type : String(error)}`);
    };
    app.use(answerError);
    const running = await runApp(app);
    const browser = createBrowser(running.send, {
      origin: running.origin,
      routes: { [op.issuer]: op.handler },
      follow: "all",
    });
    return { op, running, browser, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  }

  it.each([
    ["application/json", "application/json", '{"message":"This server is misconfigured. See its log for details."}'],
    ["text/html", "text/html; charset=utf-8", "Sign-in is unavailable"],
  ])(
    "answers in the form of every framework, and logs, where the configuration function fails: %s",
    async (accept, type, said) => {
      const logged: string[] = [];
      const error = ({ message }: Error) => void logged.push(message);
      const { config } = configure({ basePath: "a secret path", logger: { ...configure().config.logger, error } });
      const { router, handlers } = createAuth(() => config);
      const app = express().use("/auth", router);
      app.get(`/other/${wildcard}`, handlers.GET);
      await using running = await runApp(app);
      for (const path of ["/auth/session", "/other/session"]) {
        const answer = await running.send(new Request(`${running.origin}${path}`, { headers: { accept } }));
        expect([answer.status, answer.headers.get("content-type")]).toEqual([500, type]);
        const text = await answer.text();
        expect(text).toContain(said);
        expect(text).not.toContain("basePath");
      }
      expect(logged).toEqual([expect.stringContaining("basePath"), expect.stringContaining("basePath")]);
    },
  );

  type Opened = Awaited<ReturnType<typeof open>>;

  async function signInWithProvider({ browser }: Opened, base = "/auth", target = "/members") {
    const page = await browser.navigate(`${base}/signin?callbackUrl=${target}`);
    return browser.submit(page, { action: `${base}/signin/op` });
  }

  async function signInWithPassword({ browser }: Opened, password = "correct", base = "/auth") {
    const page = await browser.navigate(`${base}/signin?callbackUrl=/members`);
    return browser.submit(page, {
      action: `${base}/callback/credentials`,
      fields: { username: "Ann", password },
    });
  }

  describe("router", () => {
    it("signs in through an OpenID Provider, reads the session and signs out", async () => {
      await using opened = await open((app, auth) => {
        app.use("/auth", auth.router);
        atMembers(app, auth);
      });
      const { browser, op } = opened;
      const back = await signInWithProvider(opened);
      expect(new URL(back.url).pathname).toBe("/members");
      expect(await back.text()).toBe(`for ${op.user.name}`);
      expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: op.user.name } });
      const left = await browser.submit(await browser.navigate("/auth/signout"), { action: "/auth/signout" });
      expect(left.hops[0]?.status).toBe(302);
      expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
      expect((await browser.navigate("/members")).status).toBe(401);
    });

    it("signs in with credentials, and says that they do not fit", async () => {
      await using opened = await open((app, auth) => {
        app.use("/auth", auth.router);
        atMembers(app, auth);
      });
      const refused = await signInWithPassword(opened, "wrong");
      expect(Object.fromEntries(new URL(refused.url).searchParams)).toMatchObject({
        error: "CredentialsSignin",
        code: "credentials",
      });
      expect(await (await signInWithPassword(opened)).text()).toBe("for Ann");
    });

    it.each([
      ["express.urlencoded()", [express.urlencoded({ extended: false })]],
      ["express.urlencoded({ extended: true })", [express.urlencoded({ extended: true })]],
      ["express.text()", [express.text({ type: "*/*" })]],
      ["express.raw()", [express.raw({ type: "*/*" })]],
      ["parsers for other types", [express.json(), express.text(), express.raw()]],
    ])("works behind %s", async (_name, parsers) => {
      await using opened = await open((app, auth) => {
        app.use(...parsers);
        app.use("/auth", auth.router);
        atMembers(app, auth);
      });
      expect(await (await signInWithPassword(opened)).text()).toBe("for Ann");
      const { browser } = opened;
      await browser.submit(await browser.navigate("/auth/signout"), { action: "/auth/signout" });
      expect((await signInWithProvider(opened)).status).toBe(200);
    });

    it("takes JSON before and behind express.json()", async () => {
      for (const parsers of [[], [express.json()]]) {
        await using opened = await open(
          (app, auth) => {
            for (const parser of parsers) app.use(parser);
            app.use("/auth", auth.router);
          },
          {
            callbacks: {
              jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, seen: session } : token),
              session: ({ session, token }) => ({ ...session, seen: token.seen }),
            },
          },
        );
        const { browser } = opened;
        await signInWithPassword(opened);
        const { csrfToken } = parseToken(await (await browser.fetch("/auth/csrf")).json());
        const updated = await browser.fetch("/auth/session", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ csrfToken, data: { list: [1, "two"] } }),
        });
        expect(await updated.json()).toMatchObject({ seen: { list: [1, "two"] } });
      }
    });

    it("passes on what is not below its path, and answers what is", async () => {
      await using opened = await open((app, auth) => {
        app.use(auth.router);
        app.use((req, res) => void res.send(`app: ${req.method} ${req.path}`));
      });
      const { browser } = opened;
      expect(await (await browser.navigate("/authors")).text()).toBe("app: GET /authors");
      expect(await (await browser.navigate("/", { form: { a: "1" } })).text()).toBe("app: POST /");
      expect((await browser.navigate("/auth/nothing")).status).toBe(404);
      expect((await browser.navigate("/auth/session", { method: "DELETE" })).status).toBe(405);
      expect((await browser.navigate("/auth/session", { method: "OPTIONS" })).headers.get("allow")).toContain("GET");
    });

    it.each([
      ["/api/auth", (app: Express, { router }: ExpressAuth) => app.use("/api/auth", router)],
      ["/api/auth", (app: Express, { router }: ExpressAuth) => app.use("/api", express.Router().use("/auth", router))],
      ["/t/acme/auth", (app: Express, { router }: ExpressAuth) => app.use("/t/:tenant/auth", router)],
      ["/auth", (app: Express, { router }: ExpressAuth) => app.use("/", router)],
      ["/inner/auth", (app: Express, { router }: ExpressAuth) => app.use("/inner", express().use("/auth", router))],
      [
        "/auth",
        (app: Express, { handlers }: ExpressAuth) =>
          app.get(`/auth/${wildcard}`, handlers.GET).post(`/auth/${wildcard}`, handlers.POST),
      ],
      ["/api/auth", (app: Express, { handlers }: ExpressAuth) => app.all(`/api/auth/${wildcard}`, handlers.GET)],
      [
        "/t/acme/auth",
        (app: Express, { handlers }: ExpressAuth) => app.all(`/t/:tenant/auth/${wildcard}`, handlers.GET),
      ],
      [
        "/api/auth",
        (app: Express, { handlers }: ExpressAuth) =>
          app.all("/api/auth/:action", handlers.GET).all("/api/auth/:action/:provider", handlers.GET),
      ],
      [
        "/api/auth",
        (app: Express, { handlers }: ExpressAuth) =>
          app.use("/api", express.Router().all(`/auth/${wildcard}`, handlers.GET)),
      ],
    ])("lives at %s, wherever it is mounted (%#)", async (base, mount) => {
      await using opened = await open((app, auth) => {
        app.all(`/${wildcard}`, (_req, _res, next) => next());
        mount(app, auth);
        atMembers(app, auth);
      });
      expect((await signInWithProvider(opened, base)).status).toBe(200);
      const { browser, op, running } = opened;
      expect(op.calls.token[0]?.params.get("redirect_uri")).toBe(`${running.origin}${base}/callback/op`);
      await browser.submit(await browser.navigate(`${base}/signout`), { action: `${base}/signout` });
      expect(await (await signInWithPassword(opened, "correct", base)).text()).toBe("for Ann");
    });

    it("shares the root of the application when basePath is /", async () => {
      await using opened = await open(
        (app, auth) => {
          app.use(auth.router);
          atMembers(app, auth);
        },
        { basePath: "/" },
      );
      expect((await signInWithProvider(opened, "")).status).toBe(200);
    });

    it("does not take another spelling of its path for its own", async () => {
      await using opened = await open((app, auth) => {
        app.use("/auth", auth.router);
        app.use("/t/:tenant/auth", auth.router);
      });
      const { browser } = opened;
      for (const path of ["/AUTH/session", "/t/a%2fb/auth/session", "//auth/session"]) {
        const answer = await browser.navigate(`${opened.running.origin}${path}`);
        expect([path, answer.status]).toEqual([path, 404]);
      }
    });

    it("takes the public origin from a proxy that may be trusted", async () => {
      await using opened = await open((app, { router }) => app.use("/auth", router), { trustHost: true });
      const headers = { "x-forwarded-host": "app.example.com", "x-forwarded-proto": "https" };
      const { headers: sent } = await opened.browser.navigate("/auth/signin", { headers });
      expect(sent.getSetCookie()).toEqual([expect.stringMatching(/^__Host-cardea\.csrf-token=.*Secure/)]);
      const answer = await opened.browser.navigate("/auth/providers", { headers });
      expect(await answer.json()).toMatchObject([
        { callbackUrl: "https://app.example.com/auth/callback/op" },
        { callbackUrl: "https://app.example.com/auth/callback/credentials" },
      ]);
    });

    it("adds its cookies to those of the application", async () => {
      await using opened = await open((app, auth) => {
        app.use((_req, res, next) => {
          res.cookie("theirs", "1").append("Set-Cookie", "other=2");
          next();
        });
        app.use("/auth", auth.router);
      });
      const { headers } = await opened.browser.navigate("/auth/signin?callbackUrl=/members");
      const names = headers.getSetCookie().map((line) => line.split("=")[0]);
      expect(names).toEqual(["theirs", "other", "cardea.callback-url", "cardea.csrf-token"]);
    });
  });

  describe("auth()", () => {
    const longAgo = { session: { updateAge: 0 } };

    it("resolves to the session, renews it, and keeps caches out", async () => {
      await using opened = await open((app, { router, auth }) => {
        app.use("/auth", router);
        app.get("/look", async (req, res) => void res.json(await auth(req)));
        app.get("/me", async (req, res) => void res.json(await auth(req, res)));
        app.get("/late", async (req, res) => {
          res.write("-");
          res.end(JSON.stringify(await auth(req, res)));
        });
        app.get("/members", (_req, res) => void res.send("ok"));
      }, longAgo);
      const { browser } = opened;
      const visitor = await browser.navigate("/me");
      expect(await visitor.json()).toBeNull();
      expect(visitor.headers.get("cache-control")).toBeNull();
      await signInWithPassword(opened);
      const me = await browser.navigate("/me");
      expect(await me.json()).toMatchObject({ user: { name: "Ann" } });
      expect(me.headers.getSetCookie()).toEqual([expect.stringMatching(/^cardea\.session-token=ey/)]);
      expect(me.headers.get("cache-control")).toBe("private, no-cache, no-store");
      for (const path of ["/look", "/late"]) {
        const answer = await browser.navigate(path);
        expect(await answer.text()).toContain("Ann");
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    });

    it("is middleware: the session is in res.locals and on the request, renewed once", async () => {
      await using opened = await open((app, { router, auth }) => {
        app.use(auth);
        app.use("/auth", router);
        app.get("/members", async (req, res) => {
          await auth(req, res);
          res.json({ ofLocals: res.locals.session, ofRequest: Reflect.get(req, "auth") });
        });
      }, longAgo);
      const answer = await signInWithPassword(opened);
      const session = expect.objectContaining({ user: expect.objectContaining({ name: "Ann" }) });
      expect(await answer.json()).toEqual({ ofLocals: session, ofRequest: session });
      expect(answer.headers.getSetCookie()).toHaveLength(1);
      const out = await opened.browser.submit(await opened.browser.navigate("/auth/signout"), { follow: "none" });
      const lines = out.headers.getSetCookie().filter((line) => line.startsWith("cardea.session-token="));
      expect(lines).toEqual([expect.stringContaining("Max-Age=0")]);
    });

    it("lets callbacks.authorized decide, but for the actions themselves", async () => {
      await using opened = await open(
        (app, { router, auth }) => {
          app.use(auth);
          app.use("/auth", router);
          app.get("/members", (_req, res) => void res.send("for members"));
        },
        { callbacks: { authorized: ({ auth }) => auth !== null } },
      );
      const { browser, running } = opened;
      const turnedAway = await browser.navigate("/members?a=1", { follow: "none" });
      expect(turnedAway.redirectsTo).toBe(`${running.origin}/auth/signin?callbackUrl=%2Fmembers%3Fa%3D1`);
      expect((await browser.fetch("/members")).status).toBe(401);
      expect(await (await signInWithPassword(opened)).text()).toBe("for members");
    });

    it("hands what a handler rejects with to the error handler", async () => {
      await using opened = await open((app, { auth }) => {
        app.get(
          "/rejects",
          auth(() => Promise.reject(new Error("handler failed"))),
        );
        app.get(
          "/throws",
          auth(() => {
            throw new Error("handler failed");
          }),
        );
      });
      for (const path of ["/rejects", "/throws"]) {
        const answer = await opened.browser.navigate(path);
        expect([answer.status, await answer.text()]).toEqual([500, "error handler: Error: handler failed"]);
      }
    });

    it("hands a session that cannot be read to the error handler, and lets no one in", async () => {
      let isBroken = false;
      await using opened = await open(
        (app, auth) => {
          app.use("/auth", auth.router);
          atMembers(app, auth);
          app.get("/guarded", auth.auth, (_req, res) => void res.send("in"));
        },
        {
          callbacks: {
            session: ({ session }) => {
              if (isBroken) throw new Error("database is gone");
              return session;
            },
          },
        },
      );
      await signInWithPassword(opened);
      isBroken = true;
      for (const path of ["/members", "/guarded"]) {
        const answer = await opened.browser.navigate(path);
        expect([answer.status, await answer.text()]).toEqual([500, "error handler: SessionUnavailable"]);
      }
      expect((await opened.browser.fetch("/auth/session")).status).toBe(503);
      isBroken = false;
      expect((await opened.browser.navigate("/members")).status).toBe(200);
    });
  });

  describe("signIn(), signOut(), unstable_update()", () => {
    const withRoutes = (app: Express, { router, signIn, signOut, unstable_update }: ExpressAuth) => {
      app.use("/auth", router);
      app.use(express.urlencoded({ extended: false }));
      app.get("/in", (req, res, next) => void signIn(req, res).catch(next));
      app.get("/in/op", (req, res, next) => {
        signIn(req, res, "op", { redirectTo: "/members" }, { prompt: "login" }).catch(next);
      });
      app.post("/in/password", (req, res) => {
        signIn(req, res, "credentials", { ...req.body, redirectTo: "/members", redirect: false }).then(
          (url) => res.json({ url }),
          (error: unknown) =>
            res.json(isAuthError(error) ? { type: error.type, code: Reflect.get(error, "code") } : {}),
        );
      });
      app.get("/out", (req, res, next) => void signOut(req, res, { redirectTo: "/bye" }).catch(next));
      app.get("/rename", (req, res, next) => {
        unstable_update(req, res, { name: "Bea" }).then((session) => res.json(session), next);
      });
      app.get(["/members", "/bye"], (_req, res) => void res.send("ok"));
    };

    it("lead to the sign-in page, to a provider, and out again", async () => {
      await using opened = await open(withRoutes);
      const { browser, running } = opened;
      const page = await browser.navigate("/in", { follow: "none" });
      expect(page.redirectsTo).toContain(`${running.origin}/auth/signin?callbackUrl=`);
      const back = await browser.navigate("/in/op");
      expect(new URL(back.hops[1]?.url ?? "").searchParams.get("prompt")).toBe("login");
      expect(back.url).toBe(`${running.origin}/members`);
      const left = await browser.navigate("/out");
      expect(left.url).toBe(`${running.origin}/bye`);
      expect(left.hops[0]?.headers.get("cache-control")).toBe("private, no-cache, no-store");
      expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
    });

    it("lead back to the page that sent the request, with null for options as well", async () => {
      const build = (app: Express, { signIn, signOut }: ExpressAuth) => {
        app.get("/out", (req, res, next) => void signOut(req, res).catch(next));
        app.get("/out/null", (req, res, next) => void signOut(req, res, null).catch(next));
        app.get("/in/null", (req, res, next) => void signIn(req, res, undefined, null).catch(next));
      };
      await using opened = await open(build);
      const { origin } = opened.running;
      const headers = { referer: `${origin}/cart` };
      const lead = async (path: string) =>
        (await fetch(`${origin}${path}`, { headers, redirect: "manual" })).headers.get("location");
      expect([await lead("/out"), await lead("/out/null")]).toEqual([`${origin}/cart`, `${origin}/cart`]);
      expect(await lead("/in/null")).toBe(`${origin}/auth/signin?callbackUrl=${encodeURIComponent(`${origin}/cart`)}`);
    });

    it("reject a malformed host with an error that Express answers with 400", async () => {
      const build = (app: Express, { signIn, signOut, unstable_update }: ExpressAuth) => {
        const calls = { in: signIn, out: signOut, rename: unstable_update };
        app.get("/:call", (req, res) => {
          const call: (...given: unknown[]) => Promise<unknown> = Reflect.get(calls, req.params.call);
          call(req, res, {}).catch((error: unknown) => res.json([Object(error).type, Object(error).status]));
        });
      };
      await using opened = await open(build);
      const headers = { "x-forwarded-host": "a b" };
      for (const path of ["/in", "/out", "/rename"]) {
        const answer = await fetch(`${opened.running.origin}${path}`, { headers });
        expect(await answer.json()).toEqual(["InvalidHost", 400]);
      }
    });

    it("pass on whether the session at its provider ends as well", async () => {
      const heard: unknown[] = [];
      const onSignOut = async ({ federated }: { federated: boolean | undefined }) => void heard.push(federated);
      const build = (app: Express, auth: ExpressAuth) => {
        withRoutes(app, auth);
        app.get("/everywhere", (req, res, next) => void auth.signOut(req, res, { federated: true }).catch(next));
      };
      await using opened = await open(build, { extensions: [defineExtension({ id: "probe", onSignOut })] });
      const { browser } = opened;
      for (const path of ["/out", "/everywhere"]) {
        await browser.navigate("/in/password", { form: { username: "Ann", password: "correct" } });
        await browser.navigate(path);
      }
      expect(heard).toEqual([undefined, true]);
    });

    it("hand the URL or the error to the caller", async () => {
      await using opened = await open(withRoutes);
      const { browser, running } = opened;
      const post = async (password: string) =>
        (await browser.navigate("/in/password", { form: { username: "Ann", password } })).json();
      expect(await post("wrong")).toEqual({ type: "CredentialsSignin", code: "credentials" });
      expect(await post("again")).toEqual({ type: "CredentialsSignin", code: "too-often" });
      expect(await (await browser.fetch("/auth/session")).json()).toBeNull();
      expect(await post("correct")).toEqual({ url: `${running.origin}/members` });
      expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Ann" } });
    });

    it("change the session", async () => {
      await using opened = await open(withRoutes, {
        callbacks: {
          jwt: ({ token, trigger, session }) =>
            trigger === "update" && session !== null && typeof session === "object" ? { ...token, ...session } : token,
        },
      });
      const { browser } = opened;
      expect(await (await browser.navigate("/rename")).json()).toBeNull();
      await signInWithPassword(opened);
      expect(await (await browser.navigate("/rename")).json()).toMatchObject({ user: { name: "Bea" } });
      expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Bea" } });
    });

    it("use the base path of the configuration outside of the mount", async () => {
      const mount = (app: Express, auth: ExpressAuth) => {
        app.use("/api/auth", auth.router);
        withRoutes(app, { ...auth, router: (_req, _res, next) => next() });
      };
      await using opened = await open(mount, { basePath: "/api/auth" });
      expect((await opened.browser.navigate("/in/op")).url).toBe(`${opened.running.origin}/members`);
    });
  });

  it("makes the configuration for each request when it is a function", async () => {
    const { config } = configure();
    const names = new Set<string>();
    const { router, auth } = createAuth((request) => {
      names.add(`${request?.method} ${new URL(request?.url ?? "").pathname}`);
      return config;
    });
    const app = express().use("/auth", router);
    app.get("/me", (req, res, next) => void auth(req, res).then((session) => res.json(session), next));
    await using running = await runApp(app);
    for (const path of ["/auth/providers", "/me"]) {
      expect((await running.send(new Request(`${running.origin}${path}`))).status).toBe(200);
    }
    expect([...names]).toEqual(["GET /auth/providers", "GET /me"]);
  });
});

describe("createAuth()", () => {
  it("takes the type of the session from callbacks.session", () => {
    const { auth, unstable_update } = createAuth({
      providers: [],
      secret: configure().config.secret,
      callbacks: { session: ({ session, token }) => ({ ...session, id: token.sub ?? "" }) },
    });
    type Read = ReturnType<typeof unstable_update>;
    expectTypeOf<NonNullable<Awaited<Read>>["id"]>().toEqualTypeOf<string>();
    const wrapped: RequestHandler = auth((req, res) => res.json(req.auth?.id.toUpperCase()));
    const middleware: RequestHandler = auth;
    expect([wrapped, middleware]).toEqual([expect.any(Function), expect.any(Function)]);
  });

  it("refuses a wrong configuration at once", () => {
    expect(() => createAuth(JSON.parse('{"providers":[{"id":"x"}]}'))).toThrow(/providers/);
  });
});

function parseToken(value: unknown): { csrfToken: string } {
  return value as { csrfToken: string };
}

it("operations without a request say what they need", async () => {
  const { auth, signIn } = createAuth({ secret: "a secret of more than thirty-two bytes for tests", providers: [] });
  // @ts-expect-error A caller without types, or one who knows Auth.js for Next.js.
  await expect(async () => auth()).rejects.toThrow(/^Pass the /);
  // @ts-expect-error
  await expect(async () => signIn()).rejects.toThrow(/^Pass the /);
});
