/** For every request that a visitor gets through, the page that responds is one that visitors may open. */
import type { Server } from "node:http";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { sendRaw } from "../../../packages/testing/src/binding-contract/send-raw.ts";
import { isLong } from "../../../packages/testing/src/long-form.ts";
import { applications, type Former, OPEN, removeFiles, serve } from "./applications.ts";

const escapeOf = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** An open path in another spelling, and what frameworks, proxies and their clients add. */
const target = fc
  .record({
    path: fc.constantFrom(...OPEN, "/auth/session", "/auth/signin"),
    before: fc.constantFrom("", "", "", "", "/", "//", "/en", "/_next/data/x", "/%2e", "/members/..", "/legacy"),
    escaped: fc.constantFrom(-1, -1, 0, 1, 2, 3, 6),
    isUpper: fc.boolean(),
    after: fc.constantFrom(
      ...[
        "",
        "",
        "",
        "/",
        "//",
        ".rsc",
        ".txt",
        ".json",
        "/__data.json",
        ".segments/_tree.segment.rsc",
        ";x",
        "%2e",
        "%20",
      ],
      ...["/.", "/..", "%2f", "%00", "%3f", "%23", "#", "/members/7", "%2Fmembers%2F7", "@x", "%40x"],
    ),
    query: fc.constantFrom("", "", "?_rsc=1", "?x-sveltekit-invalidated=1", "?nxtPslug=a", "?path=/members/7", "??"),
  })
  .map(({ path, before, escaped, isUpper, after, query }) => {
    const spelled = path.replace(/[^/]/g, (character: string, at: number) =>
      at === escaped ? escapeOf(character)[isUpper ? "toUpperCase" : "toLowerCase"]() : character,
    );
    return `${before}${before !== "" && spelled === "/" ? "" : spelled}${after}${query}`;
  })
  .filter((text) => text.startsWith("/"));

const header = fc.constantFrom(
  ...["x-original-url", "x-rewrite-url", "x-forwarded-uri", "x-forwarded-prefix", "x-invoke-path", "x-matched-path"],
  ...["x-sveltekit-pathname", "next-url", "x-middleware-rewrite", "x-http-method-override", "x-nextjs-data", "rsc"],
);

const request = fc.record({
  target,
  method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS"),
  headers: fc.dictionary(header, fc.constantFrom("/members/7", "1", "GET"), { maxKeys: 2 }),
});

let running: Server | undefined;
afterEach(() => {
  running?.closeAllConnections();
  running?.close();
});
afterAll(removeFiles);

async function property(name: string, former?: Former) {
  const { origin, server } = await serve(await (applications[name] ?? missing)(former));
  running = server;
  return fc.asyncProperty(request, async (sent) => {
    let at = sent.target;
    for (let hops = 0; hops < 4; hops += 1) {
      const { status, headers, body } = await sendRaw(origin, { ...sent, target: at });
      expect([at, body.includes("GUARDED")]).toEqual([at, false]);
      const location = headers.get("location");
      if (location === null || status < 307) return;
      const next = new URL(location, origin);
      expect([at, next.hostname]).toEqual([at, "127.0.0.1"]);
      at = `${next.pathname}${next.search}`;
    }
    expect(`${sent.target} is redirected for ever`).toBe("");
  });
}

const missing = (): never => {
  throw new Error("There is no such application.");
};

/** The rule before: the canonical path is compared, and the router gets the path as it was sent. */
const comparesCanonical: Former = (path) => {
  const canonical = decode(path).replace(/\/{2,}/g, "/");
  return OPEN.some((open) => open === canonical || `${open}/` === canonical);
};

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "/members";
  }
}

describe.each(Object.keys(applications))("open paths of %s", (name) => {
  it.each(OPEN)("opens %s to visitors", async (path) => {
    const { origin, server } = await serve(await (applications[name] ?? missing)());
    running = server;
    const { status, body } = await sendRaw(origin, { target: path });
    expect([status, body]).toEqual([200, `OPEN:${path}`]);
    expect((await sendRaw(origin, { target: "/members/7" })).status).toBe(302);
    expect((await sendRaw(origin, { target: "/anything" })).status).toBe(302);
  });

  it("shows visitors nothing else, whatever surrounds an open path", async () => {
    await fc.assert(await property(name), { numRuns: isLong ? 3000 : 50 });
  });

  it("shows more behind a guard that compares the canonical path only, and the same property finds it", async () => {
    const { failed } = await fc.check(await property(name, comparesCanonical), { numRuns: 3000, endOnFailure: true });
    expect(failed).toBe(true);
  });
});
