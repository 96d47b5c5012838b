/** Around the App Router: intercepting and parallel routes, pages for all paths, an application below a path. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { describeOpenPaths, propertyOf, startOpen, visit } from "./open-paths.ts";

const OPEN = ["/", "/login", "/about", "/feed", "/photo/1", "/shop", "/classic-open"];

describeOpenPaths("open-app", "/base", OPEN, (running) => {
  const get = (path: string, headers = {}) => visit(running(), { path: `/base${path}`, headers });

  it("renders the path that was decided about, without the suffix of the request", async () => {
    const { status, text } = await get("/login.rsc");
    expect([status, text.includes("OPEN:login"), text.includes("GUARDED")]).toEqual([200, true, false]);
  });

  it("lets a page intercept another one if visitors may open both", async () => {
    expect((await get("/photo/1", { "next-url": "/feed" })).text).toContain("OPEN:photo-of-feed");
    for (const shown of ["/members", "/team/7"]) {
      const { text } = await get("/photo/1", { "next-url": shown });
      expect([text.includes("OPEN:photo"), text.includes("-of-")]).toEqual([true, false]);
    }
  });

  it("does not find what is not a file of the build", async () => {
    expect((await get("/_next/static/x")).status).toBe(404);
  });

  it("shows visitors nothing else behind a custom server, which listens elsewhere than Next.js assumes", async () => {
    const custom = await startOpen("open-app", "/base", OPEN, { isCustom: true });
    try {
      for (const path of ["/login", "/login.rsc", "/about.rsc", "/shop"]) {
        const { status, text } = await visit(custom, { path: `/base${path}`, headers: {} });
        expect([path, status, text.includes("OPEN:"), text.includes("GUARDED")]).toEqual([path, 200, true, false]);
      }
      await fc.assert(propertyOf(custom), { numRuns: isLong ? 1000 : 50 });
    } finally {
      await custom.running.end();
    }
  });

  it("shows more behind a guard that lets a request continue as it was sent, and the same property finds it", async () => {
    const former = await startOpen("open-app", "/base", OPEN, { env: { FORMER_GUARD: "1" } });
    try {
      const { failed } = await fc.check(propertyOf(former), { numRuns: 1000, endOnFailure: true });
      expect(failed).toBe(true);
    } finally {
      await former.running.end();
    }
  });
});
