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

/** @param isLast whether middleware outside of the guard has the last word about headers. */
function createApp(current: () => Behaviour, isLast: boolean) {
  const { guard, signOut } = createAuth(rulesConfig);
  const app = new Hono();
  app.onError((_error, c) => c.text("failed", 500));
  app.use(async (c, next) => {
    applyTo(current().before, c);
    await next();
    if (isLast) applyTo(current().after, c);
  });
  app.use(guard);
  app.get("/", async (c) => {
    const behaviour = current();
    if (behaviour.session === "leaving") await signOut(c, { redirect: false });
    if (!isLast) applyTo(behaviour.after, c);
    return endContext(behaviour, c);
  });
  return app;
}

/** What Hono itself does with the headers of its context and of a complete response depends on whether it has a response already. */
const inOnePlace = behaviours
  .map((one) => (one.end.startsWith("head-") ? { ...one, after: [] } : { ...one, head: [] }))
  .filter(({ session, end }) => session !== "leaving" || !end.startsWith("head-"));

describe("responses of Hono", () => {
  it.each([false, true])("on Node.js break no rule, with outer middleware that comes last: %s", async (isLast) => {
    let current: Behaviour | undefined;
    const app = createApp(() => current as Behaviour, isLast);
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    if (!server.listening) await new Promise<void>((resolve) => server.once("listening", resolve));
    const setBehaviour = (behaviour: Behaviour) => {
      current = behaviour;
    };
    const rules = { origin: `http://127.0.0.1:${Object(server.address()).port}`, setBehaviour };
    await fc.assert(rulesProperty(rules, inOnePlace), { numRuns: isLong ? 3000 : 50 });
    await new Promise((resolve) => server.close(resolve));
  });

  const elsewhere = (isLast: boolean) =>
    fc.asyncProperty(inOnePlace, async (behaviour) => {
      const app = createApp(() => behaviour, isLast);
      const headers = await cookieHeaders(behaviour.session);
      const answer = await app.request("http://localhost/", { headers });
      expect(brokenRules(behaviour, answer)).toEqual([]);
    });

  it("on other runtimes break no rule, if the guard is the outermost middleware", async () => {
    await fc.assert(elsewhere(false), { numRuns: isLong ? 3000 : 50 });
  });

  it("on other runtimes have nothing of another request, whatever the bindings of a worker are called", async () => {
    const env = { outgoing: {}, incoming: {} };
    const renewed: Behaviour = { session: "renewed", before: [], after: [], end: "send", head: [] };
    const app = createApp(() => renewed, false);
    await app.request("http://localhost/", { headers: await cookieHeaders("renewed") }, env);
    const visitor = await app.request("http://localhost/", {}, env);
    const user = await app.request("http://localhost/", { headers: await cookieHeaders("renewed") }, env);
    expect([visitor.headers.getSetCookie(), brokenRules(renewed, user)]).toEqual([[], []]);
  });

  it("on other runtimes are left to middleware outside of the guard", async () => {
    expect((await fc.check(elsewhere(true), { numRuns: 1000, endOnFailure: true })).failed).toBe(true);
  });
});
