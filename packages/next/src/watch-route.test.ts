import { NextRequest } from "next/server.js";
import { describe, expect, it, vi } from "vitest";
import { createAuth } from "./index.ts";

function start(basePath?: string) {
  const warn = vi.fn<(line: string) => void>();
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    logger: { error: () => undefined, warn, debug: () => undefined },
    providers: [],
    ...(basePath === undefined ? {} : { basePath }),
  });
  const ask = async (path: string) => (await handlers.GET(new NextRequest(`http://localhost:3000${path}`))).status;
  return { warn, ask };
}

describe("the path of the route handler", () => {
  it("is named once, with its folder, if it does not match `basePath`", async () => {
    const { warn, ask } = start();
    expect([await ask("/auth/signin"), await ask("/auth/session")]).toEqual([404, 404]);
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^route-path: .* app\/api\/auth\/\[\.\.\.auth\]\/route\.ts/)],
    ]);
  });

  it("is not named if it matches, or a wider catch-all served a request before", async () => {
    for (const basePath of ["/auth", "/api/auth"]) {
      const { warn, ask } = start(basePath);
      expect([await ask(`${basePath}/session`), await ask("/elsewhere")]).toEqual([200, 404]);
      expect(warn.mock.calls).toEqual([]);
    }
  });
});
