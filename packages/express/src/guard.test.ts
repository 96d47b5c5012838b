import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Express } from "express";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createAuth, type ExpressAuth } from "./create-auth.ts";
import { type AuthConfig, skipCSRFCheck } from "./index.ts";
import { frameworks, runApp } from "./run-app.ts";
import { sendTarget } from "./send-target.ts";

const secret = "a secret of more than thirty-two bytes for tests";
let files = "";

beforeAll(() => {
  files = mkdtempSync(join(tmpdir(), "guard-"));
  mkdirSync(join(files, "admin"));
  writeFileSync(join(files, "admin", "secret.txt"), "FILE");
});
afterAll(() => rmSync(files, { recursive: true }));

describe.each(frameworks)("auth as a guard on Express $version", ({ express, wildcard, version }) => {
  async function open(build: (app: Express, auth: ExpressAuth) => void, config: Partial<AuthConfig> = {}) {
    const warn = vi.fn<(line: string) => void>();
    const logger = { error: () => undefined, warn, debug: () => undefined };
    const callbacks = { authorized: ({ auth }: { auth: unknown }) => auth !== null, ...config.callbacks };
    const auth = createAuth({ secret, logger, providers: [], trustHost: true, ...config, callbacks });
    const app = express();
    build(app, auth);
    const running = await runApp(app);
    const ask = (target: string, method = "GET") => sendTarget(running.port, target, method);
    return { ask, warn, port: running.port, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
  }

  const all = (app: Express, { auth, router }: ExpressAuth) => {
    app.use(auth);
    app.use(express.static(files));
    app.use("/auth", router);
    app.use((req, res) => void res.send(`APP ${req.path}`));
  };

  it.each([
    ["/admin/../auth/x"],
    ["/admin/../auth/session"],
    ["/admin/%2e%2e/auth/x"],
    ["/admin/%2e%2e/auth/session"],
    ["/v1/%2E%2E/auth/users"],
    ["/auth/..%2fadmin/secret.txt"],
    ["/auth/session/..%2f..%2f..%2fadmin/secret.txt"],
    ["/auth/%252e%252e/admin"],
    ["/auth\\..\\admin"],
    ["/auth/session%00"],
    ["/auth/%zz"],
    ["http://localhost/admin/../auth/session"],
    ["http://localhost\\@x/auth/session"],
    ["http:/auth/session"],
    ["*"],
    ["//x@y/admin#"],
    ["//x@localhost/auth/session#"],
    ["/{a}/auth/session#"],
  ])("answers 400 to %s, whatever is mounted where", async (target) => {
    await using mounted = await open(all);
    expect((await mounted.ask(target)).split("\r\n")[0]).toContain(" 400 ");
    await using below = await open((app, { auth }) => {
      app.use("/account", auth);
      app.all(
        `/files/${wildcard}`,
        auth((_req, res) => void res.send("APP")),
      );
      app.use("/account", (_req, res) => void res.send("APP"));
    });
    for (const base of ["/account", "/files"]) {
      const at = target.startsWith("/") ? `${base}${target}` : target.replace(/(?<=t)\//, `${base}/`);
      expect(await below.ask(at, "DELETE")).not.toContain("APP");
    }
  });

  it.each([
    ["//a@b/files/x#"],
    ["//a@b/files/x#/../y"],
    ["//a@b/files/x?y#"],
    ["//a@b/files/x\u00a0"],
    ["//files/files/x#"],
  ])("answers 400 to %j, in which Express finds a mount that is not there", async (target) => {
    await using opened = await open(
      (app, { auth }) => {
        app.use("/files", auth, (_req, res) => void res.send("APP"));
      },
      { callbacks: { authorized: () => true } },
    );
    expect(await opened.ask(target)).not.toContain("APP");
  });

  it.each([
    ["/auth/tokens"],
    ["/auth"],
    ["/auth/"],
    ["/auth/signin/op/x"],
    ["//auth/session"],
    ["/auth//session"],
    ["/%61uth/session"],
    ["/AUTH/session"],
    ["/admin/secret.txt"],
    ["//admin//secret.txt"],
    ["/%61dmin/secret.txt"],
    ["http://localhost/admin/secret.txt"],
    ["http://localhost"],
    ["/"],
  ])("does not take %s for an action", async (target) => {
    for (const config of [{}, { basePath: "/" }, { pages: { signIn: "https://login.example.com/" } }]) {
      if ("basePath" in config && /^[/]{1,2}session$/.test(target)) continue;
      await using opened = await open(all, config);
      expect(await opened.ask(target)).not.toMatch(/APP|FILE/);
    }
  });

  it("answers 400 to a request with several hosts, before the configuration is asked", async () => {
    const seen: string[] = [];
    const { auth, router } = createAuth((request) => {
      seen.push(request?.url ?? "");
      return { secret, trustHost: true, providers: [] };
    });
    const app = express();
    app.get("/read", (req, res, next) => {
      auth(req, res).then((session) => res.json(session), next);
    });
    app.use("/auth", router);
    app.use(auth);
    app.use((_req, res) => void res.send("APP"));
    await using running = await runApp(app);
    for (const target of ["/auth/session", "/auth/signin", "/", "/members"]) {
      for (const second of ["Host: b.example", "HOST: localhost", "host:"]) {
        const answer = await sendTarget(running.port, target, "GET", [second]);
        expect([target, second, answer.split("\r\n")[0]]).toEqual([target, second, "HTTP/1.1 400 Bad Request"]);
        expect(answer).not.toContain("APP");
      }
    }
    expect(seen).toEqual([]);
    expect(await sendTarget(running.port, "/members")).toContain("APP");
  });

  it("tells `authorized` the method that the routers match, and refuses what it cannot tell", async () => {
    const told: string[] = [];
    const authorized = ({ request }: { request: Request }) =>
      told.push(request.method) > 0 && request.method === "OPTIONS";
    const override = (app: Express) =>
      app.use((req, _res, next) => {
        req.method = String(req.headers["x-http-method-override"] ?? req.method);
        next();
      });
    await using opened = await open(
      (app, { auth, router }) => {
        override(app).use(auth);
        app.use("/auth", router);
        app.use("/admin", (req, res) => void res.send(`APP ${req.method}`));
      },
      { callbacks: { authorized } },
    );
    const send = (method: string, path = "/admin") =>
      sendTarget(opened.port, path, "POST", [`X-HTTP-Method-Override: ${method}`]);
    expect(await opened.ask("/admin", "TRACE")).toMatch(/ 405 (?!.*APP)/s);
    for (const method of ["TRACE", "trace", "CONNECT", "TRACK", "a b", "Ö"])
      for (const path of ["/admin", "/auth/session", "/auth/signout"])
        expect(await send(method, path)).toMatch(/ 405 (?!.*APP)/s);
    expect(told).toEqual([]);
    for (const method of ["patch", "Options", "QUERY", "PURGE"]) await send(method);
    expect(told).toEqual(["PATCH", "OPTIONS", "QUERY", "PURGE"]);
    expect(await send("options")).toContain("APP options");
    await using alone = await open((app, { router }) => void override(app).use("/auth", router));
    const lone = ["X-HTTP-Method-Override: CONNECT"];
    expect(await sendTarget(alone.port, "/auth/session", "GET", lone)).toContain(" 405 ");
  });

  it("lets the library answer at its own routes", async () => {
    await using opened = await open(all);
    for (const target of ["/auth/session", "/auth/session/", "/auth/session?x=/../", "http://localhost/auth/session"])
      expect(await opened.ask(target)).toMatch(/ 200 .*null$/s);
    await using atRoot = await open(
      (app, { auth, router }) => {
        app.use(auth, router);
        app.use((_req, res) => void res.send("APP"));
      },
      { basePath: "/" },
    );
    expect(await atRoot.ask("/session")).toMatch(/ 200 .*null$/s);
    for (const target of ["/admin", "/other", "/", "/session/x", "/signin/op/x"])
      expect(await atRoot.ask(target)).not.toContain("APP");
  });

  it("keeps what an action does not answer from the application at the same path", async () => {
    await using opened = await open(
      (app, { auth, router }) => {
        app.use(auth, router);
        app.use((_req, res) => void res.send("APP"));
      },
      { basePath: "/", skipCSRFCheck },
    );
    expect(await opened.ask("/csrf")).toMatch(/ 404 (?!.*APP)/s);
  });

  it("tells `authorized` the path that the routers match", async () => {
    const told: string[] = [];
    const authorized = ({ request }: { request: Request }) => told.push(new URL(request.url).pathname) > 0;
    await using opened = await open(
      (app, { auth, router }) => {
        app.use((req, _res, next) => {
          req.url = req.url.replace(/^\/de(?=\/)/, "").replace(/^\/old$/, "/new");
          next();
        });
        app.use(auth);
        app.use("/auth", router);
        app.use((req, res) => void res.send(`APP ${req.path}`));
      },
      { callbacks: { authorized } },
    );
    for (const target of ["/a%20b/%7bx}", "//x//y/", "/de/admin", "/old", "/de/auth/session"])
      expect(await opened.ask(target)).toContain(" 200 ");
    expect(told).toEqual(["/a%20b/%7Bx%7D", "/x/y", "/admin", "/new", "/auth/session"]);
  });

  it.each([["/api//members/ann"], ["http://localhost/api//members/ann"], ["http://localhost/api/%6dembers/ann?x#y"]])(
    "lets a router behind a mount match the path that `authorized` was told: %s",
    async (target) => {
      const told: string[] = [];
      const authorized = ({ request }: { request: Request }) => told.push(new URL(request.url).pathname) > 0;
      await using opened = await open(
        (app, { auth }) => {
          app.use(auth);
          app.use("/api", (req, res) => void res.send(`APP ${req.baseUrl} ${req.path}`));
        },
        { callbacks: { authorized } },
      );
      expect(await opened.ask(target)).toContain("APP /api /members/ann");
      expect(told).toEqual(["/api/members/ann"]);
    },
  );

  it("leaves routes alone that change when they are parsed, and %2F where no `authorized` decides", async () => {
    await using opened = await open(
      (app, { auth }) => {
        app.use(auth);
        app.get("/projects/:name", (req, res) => void res.send(`APP ${req.params.name}`));
      },
      { callbacks: { authorized: undefined } as never },
    );
    expect(await opened.ask("/projects/group%2Fname")).toContain("APP group/name");
    expect(await opened.ask("/projects/a%20b%7B%7D")).toContain("APP a b{}");
    expect(await opened.ask("/projects/%E6%97%A5")).toContain("APP 日");
    expect(await opened.ask("/projects/{x}")).toContain("APP {x}");
    expect(await opened.ask("/projects/100%25")).toContain("APP 100%");
  });

  it("refuses %2F where `authorized` decides, unless `encodedSlashes` allows it", async () => {
    const build = (app: Express, { auth }: ExpressAuth) => {
      app.use(auth);
      app.get("/projects/:name", (req, res) => void res.send(`APP ${req.params.name}`));
    };
    const callbacks = { authorized: () => true };
    await using refusing = await open(build, { callbacks });
    expect(await refusing.ask("/projects/group%2Fname")).toContain(" 400 ");
    await using allowing = await open(build, { callbacks, encodedSlashes: "allow" });
    expect(await allowing.ask("/projects/group%2fname")).toContain("APP group/name");
  });

  it("leaves paths alone that are not the router's where nothing guards", async () => {
    await using opened = await open((app, { router }) => {
      app.use(router);
      app.use((req, res) => void res.send(`APP ${req.url}`));
    });
    expect(await opened.ask("/files/../x")).toContain("APP /files/../x");
    expect(await opened.ask("/x/../auth/session")).toContain("APP");
    expect(await opened.ask("/auth/../x")).toContain(" 400 ");
    expect(await opened.ask("/auth/session%00")).toContain(" 400 ");
  });

  it("says that visitors are redirected to a router that was never mounted", async () => {
    await using opened = await open((app, { auth }) => void app.get("/members", auth));
    expect(await opened.ask("/members")).toContain("/auth/signin?");
    expect(await opened.ask("/auth/signin")).toContain(" 404 ");
    expect(opened.warn.mock.calls).toEqual([]);
    for (let n = 0; n < 2; n++) await opened.ask("/members");
    expect(opened.warn.mock.calls).toEqual([[expect.stringMatching(/^router-mount: .*no request.*router at \/auth/)]]);
    await using right = await open((app, { auth, router }) => void app.use("/auth", router).get("/members", auth));
    await right.ask("/auth/session");
    for (let n = 0; n < 3; n++) await right.ask("/members");
    expect(right.warn.mock.calls).toEqual([]);
  });

  it("says once that the guard takes the router to be elsewhere", async () => {
    const lost: (app: Express, auth: ExpressAuth) => void = (app, { auth, router }) => {
      app.use(auth);
      app.use("/api/auth", router);
    };
    await using opened = await open(lost);
    expect(await opened.ask("/")).toContain("/auth/signin?");
    for (const target of ["/auth/signin", "/auth/session"]) expect(await opened.ask(target)).toContain(" 404 ");
    expect(opened.warn.mock.calls).toEqual([
      [expect.stringMatching(/^router-mount: .*at \/auth, but it is not mounted there/)],
    ]);
    await using reached = await open((app, { auth, router }) => {
      app.use("/api/auth", router);
      app.use("/account", auth);
    });
    await reached.ask("/account");
    for (const target of ["/api/auth/session", "/api/auth/session"]) await reached.ask(target);
    expect(reached.warn.mock.calls).toEqual([[expect.stringMatching(/^router-mount: /)]]);
    await using right = await open(all);
    for (const target of ["/auth/session", "/auth/nothing", "/x"]) await right.ask(target);
    await using said = await open(lost, { basePath: "/api/auth" });
    for (const target of ["/api/auth/session", "/x"]) await said.ask(target);
    expect([right.warn.mock.calls, said.warn.mock.calls]).toEqual([[], []]);
  });

  it("says once that no request reaches a router whose mount path and `basePath` exclude each other", async () => {
    await using never = await open((app, { router }) => void app.use("/auth", router), { basePath: "/api/auth" });
    for (const target of ["/auth/signin", "/auth/session", "/api/auth/session", "/x"]) {
      expect(await never.ask(target)).toContain(" 404 ");
    }
    const expected =
      /^router-mount: the router is mounted at \/auth, but `basePath` .* is \/api\/auth, so it handles no request\. .*or set `basePath` to \/auth\.$/;
    expect(never.warn.mock.calls).toEqual([[expect.stringMatching(expected)]]);
    await using above = await open((app, { router }) => void app.use("/API", router), { basePath: "/api/auth" });
    await above.ask("/api/other");
    expect(above.warn.mock.calls).toEqual([]);
  });

  it.each([["/auth"], ["/api/auth"]])('shows the mount that works in place of "%s/*"', async (mount) => {
    await using opened = await open((app, { router }) => {
      app.use(version === 4 ? `${mount}/*` : `${mount}/*splat`, router);
    });
    for (const path of ["/signin", "/session", "/signin/op"])
      expect(await opened.ask(`${mount}${path}`)).toContain(" 404 ");
    expect(opened.warn.mock.calls).toEqual([[expect.stringContaining(`app.use("${mount}", router)`)]]);
  });
});
