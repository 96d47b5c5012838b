import type { Server } from "node:http";
import { createRequire } from "node:module";
import fc from "fast-check";
import { type Context, Hono } from "hono";
import { describe, expect, it } from "vitest";
import {
  applySteps,
  type Behaviour,
  behaviours,
  brokenRules,
  cookieHeaders,
  rulesConfig,
  rulesProperty,
  type Step,
  signOutElsewhere,
} from "../../testing/src/binding-contract/response-rules.ts";
import { isLong } from "../../testing/src/long-form.ts";
import { createAuth } from "./create-auth.ts";

/** A dependency of the applications of the journeys: Hono itself needs no server. */
const SERVER = "@hono/node-server";
const load = createRequire(new URL("../../../tests/bindings/package.json", import.meta.url));
const { serve }: { serve: (options: { fetch: Hono["fetch"]; port: number; hostname: string }) => Server } =
  load(SERVER);

const applyTo = (list: readonly Step[], c: Context): void =>
  applySteps(list, {
    set: (name, value) => {
      c.header(name);
      for (const one of [value].flat()) c.header(name, one, { append: true });
    },
    append: (name, value) => {
      for (const one of [value].flat()) c.header(name, one, { append: true });
    },
    remove: (name) => c.header(name),
  });

function endContext({ end, head }: Behaviour, c: Context): Response {
  if (end === "throw") throw new Error("the handler failed");
  if (end === "redirect") return c.redirect("/");
  if (end === "not-modified") return c.body(null, 304);
  if (end === "stream" || end === "flush") return c.newResponse(new Response("last").body);
  if (end === "send") return c.text("last");
  const headers = new Headers();
  for (const { name, value } of head) for (const one of [value].flat()) headers.append(name, one);
  return new Response("last", { headers });
}

/** How an application uses the package, besides its handler. */
interface Layout {
  /** Whether middleware outside of the guard has the last word about headers. */
  readonly isLast?: boolean;
  /** Whether there is a guard; otherwise the handler reads the session. */
  readonly isGuarded?: boolean;
  /** Whether there is no middleware, so that Hono sends what the handler returned. */
  readonly isAlone?: boolean;
}

function createApp(current: () => Behaviour, { isLast = false, isGuarded = true, isAlone = false }: Layout) {
  const { guard, auth, signOut } = createAuth(rulesConfig);
  const app = new Hono();
  app.onError((_error, c) => c.text("failed", 500));
  if (!isAlone)
    app.use(async (c, next) => {
      applyTo(current().before, c);
      await next();
      if (isLast) applyTo(current().after, c);
    });
  if (isGuarded) app.use(guard);
  app.get("/", async (c) => {
    const behaviour = current();
    if (isAlone) applyTo(behaviour.before, c);
    if (behaviour.session === "leaving") await signOut(c, { redirect: false });
    else if (!isGuarded) await auth(c);
    if (behaviour.session === "gone") await signOutElsewhere(c.req.header("cookie"));
    if (!isLast) applyTo(behaviour.after, c);
    return endContext(behaviour, c);
  });
  return app;
}

/** What Hono itself does with the headers of its context and of a complete response depends on whether it has a response already. */
const inOnePlace: fc.Arbitrary<Behaviour> = behaviours.map((one) =>
  one.end.startsWith("head-") ? { ...one, after: [] } : { ...one, head: [] },
);

describe("responses of Hono", () => {
  it.each([false, true])("on Node.js break no rule, with outer middleware that comes last: %s", async (isLast) => {
    let current: Behaviour | undefined;
    const app = createApp(() => current as Behaviour, { isLast });
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    if (!server.listening) await new Promise<void>((resolve) => server.once("listening", resolve));
    const setBehaviour = (behaviour: Behaviour) => {
      current = behaviour;
    };
    const rules = { origin: `http://127.0.0.1:${Object(server.address()).port}`, setBehaviour };
    await fc.assert(rulesProperty(rules, inOnePlace), { numRuns: isLong ? 3000 : 50 });
    await new Promise((resolve) => server.close(resolve));
  });

  const elsewhere = (layout: Layout, given = inOnePlace) =>
    fc.asyncProperty(given, async (behaviour) => {
      const app = createApp(() => behaviour, layout);
      const headers = await cookieHeaders(behaviour.session);
      const answer = await app.request("http://localhost/", { headers });
      expect(brokenRules(behaviour, answer)).toEqual([]);
    });

  /** Only a guard admits users. */
  const unguarded = inOnePlace.filter(({ session }) => session !== "read");
  const isComplete = ({ end }: Behaviour): boolean => end.startsWith("head-");

  it.each<[string, Layout, fc.Arbitrary<Behaviour>]>([
    ["with a guard", {}, inOnePlace],
    ["with middleware outside of the guard that comes last", { isLast: true }, inOnePlace],
    ["without a guard", { isGuarded: false }, unguarded],
    ["without a guard, with middleware that comes last", { isGuarded: false, isLast: true }, unguarded],
    ["without middleware", { isGuarded: false, isAlone: true }, unguarded.filter((one) => !isComplete(one))],
  ])("on other runtimes break no rule, %s", async (_name, layout, given) => {
    await fc.assert(elsewhere(layout, given), { numRuns: isLong ? 3000 : 50 });
  });

  it("on other runtimes have nothing of another request, whatever the bindings of a worker are called", async () => {
    const env = { outgoing: {}, incoming: {} };
    const renewed: Behaviour = { session: "renewed", before: [], after: [], end: "send", head: [] };
    const app = createApp(() => renewed, {});
    await app.request("http://localhost/", { headers: await cookieHeaders("renewed") }, env);
    const visitor = await app.request("http://localhost/", {}, env);
    const user = await app.request("http://localhost/", { headers: await cookieHeaders("renewed") }, env);
    expect([visitor.headers.getSetCookie(), brokenRules(renewed, user)]).toEqual([[], []]);
  });

  it("on other runtimes have the cookies of middleware that comes last", async () => {
    const { unstable_update } = createAuth(rulesConfig);
    const app = new Hono()
      .use(async (c, next) => {
        await next();
        await unstable_update(c, {});
      })
      .get("/", () => new Response("last", { headers: { "cache-control": "public", "set-cookie": "theirs=1" } }));
    const answer = await app.request("http://localhost/", { headers: await cookieHeaders("renewed") });
    expect([answer.headers.get("cache-control"), await answer.text()]).toEqual(["private, no-cache, no-store", "last"]);
    const names = answer.headers.getSetCookie().map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["cardea.session-token", "theirs"]));
  });

  it("on other runtimes leave a response that requests share as it is", async () => {
    const { auth } = createAuth(rulesConfig);
    const shared = new Response(null, { status: 204 });
    const app = new Hono()
      .use((_c, next) => next())
      .get("/", async (c) => {
        await auth(c);
        return shared;
      });
    const { headers } = await app.request("http://localhost/", { headers: await cookieHeaders("renewed") });
    expect([headers.getSetCookie().length, [...shared.headers]]).toEqual([1, []]);
  });

  it("on other runtimes are sent by Hono as they are, where no middleware runs and the handler created them itself", async () => {
    const given = unguarded.filter(isComplete);
    const { failed } = await fc.check(elsewhere({ isGuarded: false, isAlone: true }, given), { numRuns: 1000 });
    expect(failed).toBe(true);
  });
});
