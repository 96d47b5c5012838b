/** Levels at npm `oidc-provider`, over HTTP: what it checked elevates, and nothing else does. */
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stepUp } from "../src/index.ts";
import { CLASS, type Proof, type RealProvider, startRealProvider } from "./real-provider.ts";

const ORIGIN = "http://localhost:3999";

let op: RealProvider;
beforeAll(async () => {
  op = await startRealProvider(`${ORIGIN}/auth/callback/op`);
});
afterAll(() => op.close());

const level = stepUp({
  fresh: { within: "5m", factors: ["oidc"] },
  audit: { within: "5m", factors: ["oidc"], acr: [CLASS] },
});

/** Ann is signed in; her sign-in at the provider was an hour ago. */
async function start(strategy: "jwt" | "database") {
  const memory = createMemoryAdapter();
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy },
    extensions: [level],
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    providers: [{ id: "op", name: "OP", type: "oidc", issuer: op.issuer, clientId: "app", clientSecret: "app-secret" }],
  });
  const guarded = {
    "/fresh": level.guard(auth, "fresh", () => new Response("done")),
    "/audit": level.guard(auth, "audit", () => new Response("done")),
  };
  const handle = (request: Request) => {
    const guard = Object.entries(guarded).find(([path]) => path === new URL(request.url).pathname)?.[1];
    return guard?.(request) ?? auth.handlers[request.method === "POST" ? "POST" : "GET"](request);
  };
  const routes = { [op.issuer]: (request: Request) => fetch(request, { redirect: "manual" }) };
  const browser = createBrowser(handle, { origin: ORIGIN, routes, follow: "all" });
  op.script = { sub: "ann", ago: 3600 };
  await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
  /** Proves at the provider what a level wants; ends where the browser ends. */
  const prove = async (name: "fresh" | "audit", proof: Proof) => {
    op.script = proof;
    const page = await browser.navigate(`/auth/step-up?level=${name}&callbackUrl=/${name}`);
    const end = await browser.submit(page, { action: "/auth/step-up/oidc" });
    // A provider that has another visitor now ends the session of the former one first.
    return end.url.startsWith(op.issuer) ? browser.submit(end) : end;
  };
  const isMet = async (name: "fresh" | "audit") => (await browser.fetch(`/${name}`)).status === 200;
  return { browser, memory, prove, isMet };
}

describe.each(["jwt", "database"] as const)("oidc-provider, %s sessions", (strategy) => {
  it("proves what it was asked for: a time by max_age, and a class by acr_values", async () => {
    const { browser, prove, isMet } = await start(strategy);
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { email: "ann@example.com" } });
    expect([await isMet("fresh"), await isMet("audit")]).toEqual([false, false]);
    const fresh = await prove("fresh", { sub: "ann" });
    expect([fresh.url, await fresh.text()]).toEqual([`${ORIGIN}/fresh`, "done"]);
    expect(op.asked.at(-1)).toMatchObject({ max_age: expect.toSatisfy((age) => Number(age) === 300) });
    expect([await isMet("fresh"), await isMet("audit")]).toEqual([true, false]);
    const audit = await prove("audit", { sub: "ann", acr: CLASS });
    expect(audit.url).toBe(`${ORIGIN}/audit`);
    expect(op.asked.at(-1)).toMatchObject({ acr_values: CLASS });
    expect([await isMet("fresh"), await isMet("audit")]).toEqual([true, true]);
  });

  it.each<[string, "fresh" | "audit", Proof]>([
    ["says that its visitor proved themselves an hour ago", "fresh", { sub: "ann", ago: 3600 }],
    ["says so with the class", "audit", { sub: "ann", ago: 3600, acr: CLASS }],
    ["names no class", "audit", { sub: "ann" }],
    ["names a lower class", "audit", { sub: "ann", acr: "urn:example:loa1" }],
    ["has another visitor", "audit", { sub: "eve", acr: CLASS }],
  ])("elevates nothing where it %s", async (_name, name, proof) => {
    const { browser, memory, prove, isMet } = await start(strategy);
    const before = JSON.stringify(memory.snapshot());
    const end = await prove(name, proof);
    expect(end.url).toContain("/auth/step-up?");
    expect(end.url).toContain("error=provider");
    expect(await isMet(name)).toBe(false);
    expect(JSON.stringify(memory.snapshot()), "no user, account or session comes of it").toBe(before);
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it("an answer that is sent again, or in another session, elevates nothing", async () => {
    const { prove, browser } = await start(strategy);
    const end = await prove("audit", { sub: "ann", acr: CLASS });
    const answer = end.hops.map(({ url }) => url).find((url) => url.includes("/auth/callback/op")) ?? "";
    expect(answer).toContain("code=");
    const other = await start(strategy);
    for (const one of [browser, other.browser]) {
      const again = await one.navigate(answer, { initiator: op.issuer });
      expect(again.url).not.toBe(`${ORIGIN}/audit`);
    }
    expect(await other.isMet("audit")).toBe(false);
  });
});
