import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.doUnmock("next/server.js");
  vi.resetModules();
});

describe("@cardea/next", () => {
  it("loads where a test of the application replaces next/server", async () => {
    vi.resetModules();
    vi.doMock("next/server.js", () => ({ NextRequest: class {}, NextResponse: { next: vi.fn(), redirect: vi.fn() } }));
    const { createAuth } = await import("./index.ts");
    expect(Object.keys(createAuth({ secret: "a secret of more than thirty-two bytes", providers: [] }))).toContain(
      "auth",
    );
  });
});
