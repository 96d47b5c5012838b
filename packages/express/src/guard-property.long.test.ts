import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RequestHandler } from "express";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";
import type { AuthConfig } from "./index.ts";
import { frameworks, type RunningApp, runApp } from "./run-app.ts";
import { sendTarget } from "./send-target.ts";
import { target } from "./some-target.ts";

type Rule = (path: string) => boolean;

const secret = "a secret of more than thirty-two bytes for tests";
const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };

/** What `authorized` lets visitors do, by the path that it is told. */
const RULES: Readonly<Record<string, Rule>> = {
  nothing: () => false,
  startsWith: (path) => !path.startsWith("/admin") && !path.startsWith("/files/admin"),
  equality: (path) => path !== "/admin" && path !== "/api/admin" && path !== "/admin/secret.txt",
  expression: (path) => !/(?:^|\/)admin(?:\/|$)/i.test(path),
};
const BASE_PATHS = [
  {},
  { basePath: "/" },
  { basePath: "/a/b" },
  { basePath: "/auth/" },
  { url: "http://localhost/app" },
];
const PAGES = [
  undefined,
  "/login",
  "/login/",
  "/login?x=1",
  "/x/../login",
  "http://localhost/login",
  "https://o.example/",
  "/",
];
const FILES = ["index.html", "admin/index.html", "admin/secret.txt", "auth/secret.txt", "secret.txt", "session.txt"];

/** `npm run test:all` asks more. */
const RUNS = isLong ? 700 : 100;

/** One application: where the actions are, which pages are its own, who decides, and how deep the guard stands. */
interface Setting {
  readonly base: (typeof BASE_PATHS)[number];
  readonly page: string | undefined;
  readonly rule: string;
  readonly isNested: boolean;
  readonly encodedSlashes: "allow" | "refuse";
}

/** What happened to one request: what the guard was told, and what answered. */
interface Outcome {
  readonly told: readonly string[];
  readonly status: number;
  /** `library`, `page`, `file /path`, `named /path` (a route of that name) or `any /path` (whatever came). */
  readonly answered: string;
}

describe.each(frameworks)("the guard and the routers of Express $version", ({ express, wildcard }) => {
  let root = "";
  const opened = new Map<string, Promise<RunningApp>>();
  const toldOf = new Map<string, string[]>();

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "guard-"));
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), "");
    }
  });
  afterAll(async () => {
    for (const app of opened.values()) await (await app)[Symbol.asyncDispose]();
    rmSync(root, { recursive: true });
  });

  const answer =
    (what: string, pathOf?: (path: string) => string): RequestHandler =>
    (req, res) =>
      void res.set("x-answered", `${what} ${pathOf?.(`${req.baseUrl}${req.path}`) ?? ""}`.trim()).send("");

  /** The old rule of the guard, for the control: the resolved path judged by a prefix. */
  const oldGuard =
    (base: string, page: string | undefined, rule: Rule): RequestHandler =>
    (req, res, next) => {
      const { pathname } = new URL(req.originalUrl, "http://localhost");
      const own = page === undefined ? undefined : new URL(page, "http://localhost").pathname;
      if (pathname.startsWith(`${base}/`) || pathname === own) return next();
      toldOf.get(String(req.headers["x-id"]))?.push(pathname);
      return rule(pathname) ? next() : void res.status(401).end();
    };

  async function build({ base, page, rule, isNested, encodedSlashes }: Setting, isOld: boolean): Promise<RunningApp> {
    const decide = RULES[rule] ?? (() => false);
    const authorized: NonNullable<NonNullable<AuthConfig["callbacks"]>["authorized"]> = ({ request }) => {
      const { pathname } = new URL(request.url);
      toldOf.get(request.headers.get("x-id") ?? "")?.push(pathname);
      return decide(pathname);
    };
    const { url, ...options } = { url: undefined, ...base };
    if (url !== undefined) vi.stubEnv("AUTH_URL", url);
    const config = { secret, logger, providers: [], trustHost: true, callbacks: { authorized }, ...options };
    const { auth, router } = createAuth({ ...config, encodedSlashes, pages: { signIn: page, error: page } });
    vi.unstubAllEnvs();
    const actions = (url === undefined ? (options.basePath ?? "/auth") : "/app").replace(/\/$/, "");
    const guard = isOld ? oldGuard(actions, page, decide) : auth;
    const files = express.static(root, {
      setHeaders: (res, path) => void res.setHeader("x-answered", `file ${path.slice(root.length)}`),
    });
    const app = express();
    const inner = express.Router();
    const outer = express.Router();
    if (isNested) {
      // Every way to the application's own answers passes a guard that stands where they are mounted.
      inner.use(guard);
      outer.use("/api", guard);
      app.use("/files", guard);
    } else app.use(guard);
    app.use(actions === "" ? "/" : actions, (req, res, next) => {
      res.setHeader("x-answered", "library");
      router(req, res, (error) => {
        res.removeHeader("x-answered");
        next(error);
      });
    });
    inner.all("/admin", answer("named /api/admin"));
    inner.all(`/${wildcard}`, answer("any", String));
    outer.use("/api", inner);
    app.use(outer);
    app.use("/files", files);
    if (isNested) app.use(guard);
    app.get("/login", answer("named /login"));
    app.all("/admin", answer("named /admin"));
    app.use(files);
    app.all("/:a/:b", (req, res) => void res.set("x-answered", `param ${JSON.stringify(req.params)}`).send(""));
    app.use(answer("any", String));
    return runApp(app);
  }

  let count = 0;
  async function ask(setting: Setting, isOld: boolean, sent: string, method: string): Promise<Outcome> {
    const key = JSON.stringify([setting, isOld]);
    const app = opened.get(key) ?? build(setting, isOld);
    opened.set(key, app);
    const id = String(count++);
    const told: string[] = [];
    toldOf.set(id, told);
    const text = await sendTarget((await app).port, sent, method, [`X-Id: ${id}`]);
    toldOf.delete(id);
    const answered = /^x-answered: (.*)$/im.exec(text)?.[1] ?? "";
    return { told, status: Number(text.slice(9, 12)), answered: answered.trim() };
  }

  /** What is wrong with an outcome; undefined where the guard and what answered agree. */
  function faultOf({ page, rule }: Setting, { told, status, answered }: Outcome): string | undefined {
    if (status >= 500) return "5xx";
    if (answered === "" || answered === "library") return undefined;
    if (told.length === 0) {
      const own = page === undefined ? undefined : new URL(page, "http://localhost");
      // The page "/" is whatever the application has there.
      const names =
        own?.pathname === "/" ? ["file /index.html", "any /"] : [`named ${own?.pathname.replace(/\/$/, "")}`];
      return own?.host === "localhost" && names.includes(answered) ? undefined : "open";
    }
    const decide = RULES[rule] ?? (() => false);
    if (!told.every((path) => decide(path))) return "let through although `authorized` said no";
    // The last guard is the one before what answered. One at a mount may have passed the request on, and Express 4 puts
    // together again what a mount took off: `//a@b/files/x` is `/filesfiles/x` behind a mount at `/files`.
    return agrees(told.at(-1) ?? "", answered) ? undefined : "`authorized` was told another path";
  }

  const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");
  /** Segments, each character an octet. */
  const decoded = (path: string) => segmentsOf(path).map(octets);

  /** Whether a path that was told names what answered, judged by what that says itself. */
  function agrees(told: string, answered: string): boolean {
    const [kind = "", ...rest] = answered.split(" ");
    const what = rest.join(" ");
    const path = decoded(told);
    if (kind === "param") return path.join("|") === Object.values(parseParams(what)).map(utf8).join("|");
    // Files are found without their mount, a folder by the page in it, and `%2F` is a slash to the file system.
    const parts = segmentsOf(path.join("/"));
    const isFile = (start: number) =>
      [parts, [...parts, "index.html"]].some((one) => `/${one.slice(start).join("/")}` === what);
    if (kind === "file") return isFile(0) || (parts[0]?.toLowerCase() === "files" && isFile(1));
    if (kind === "named") return `/${segmentsOf(told).join("/")}`.toLowerCase() === what;
    return path.join("|") === decoded(what).join("|");
  }

  const setting: fc.Arbitrary<Setting> = fc.record({
    base: fc.constantFrom(...BASE_PATHS),
    page: fc.constantFrom(...PAGES),
    rule: fc.constantFrom(...Object.keys(RULES)),
    isNested: fc.boolean(),
    encodedSlashes: fc.constantFrom("allow", "refuse"),
  });
  const property = (isOld: boolean) =>
    fc.asyncProperty(
      setting,
      fc.array(target, { minLength: 4, maxLength: 8 }),
      fc.constantFrom("GET", "GET", "DELETE"),
      async (where, targets, method) => {
        const outcomes = await Promise.all(
          targets.map(async (sent) => {
            const outcome = await ask(where, isOld, sent, method);
            return { sent, ...outcome, fault: faultOf(where, outcome) };
          }),
        );
        expect(outcomes.filter(({ fault }) => fault !== undefined)).toEqual([]);
      },
    );

  it("agree on every target, and only the library or an own page answers without a session", async () => {
    await fc.assert(property(false), { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true });
  });

  it("would not with a guard that resolves the path and compares its beginning", async () => {
    const { failed } = await fc.check(property(true), { numRuns: RUNS, endOnFailure: true });
    expect(failed).toBe(true);
  });
});

const octets = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

function parseParams(text: string): Record<string, string> {
  return JSON.parse(text) as Record<string, string>;
}
