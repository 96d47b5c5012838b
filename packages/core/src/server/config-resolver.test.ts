import { requireServer } from "@cardea/core/operations";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("createConfigResolver(): warnings on the console", () => {
  const lines: string[] = [];
  beforeEach(() => {
    // A new process has not loaded the logger yet.
    vi.resetModules();
    vi.spyOn(console, "warn").mockImplementation((line: string) => void lines.push(line));
  });
  afterEach(() => {
    lines.length = 0;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  const create = async (config: object) => {
    const { createConfigResolver } = await import("@cardea/core/operations");
    createConfigResolver({ providers: [], ...config }, "/auth");
  };

  it("are written before createAuth() returns, so that a process that exits at once does not lose them", async () => {
    vi.stubEnv("AUTH_SECRET", "");
    vi.stubEnv("NEXTAUTH_SECRET", "");
    await create({ trustHosts: true, cookies: { nonce: { name: "n" } } });
    expect(lines).toEqual([
      expect.stringMatching(/^\[cardea\]\[warn\] missing-secret: /),
      expect.stringMatching(/^\[cardea\]\[warn\] unknown-option: `trustHosts` .*`trustHost`/),
      expect.stringMatching(/^\[cardea\]\[warn\] unused-cookie-name: /),
    ]);
  });

  it("pass the logger if they may contain a secret or break the line", async () => {
    const secret = "correct horse battery staple in a secret";
    const options = [secret, "password=hunter2", "postgres://app:hunter2@db"];
    await create({ secret, ...Object.fromEntries(options.map((name) => [name, 1])) });
    expect(lines).toEqual([]);
    await expect.poll(() => lines).toHaveLength(3);
    for (const hidden of [secret, "hunter2"]) expect(lines.join("\n")).not.toContain(hidden);
  });

  it("says once for a process that passkeys are experimental, however many copies of this module a framework loads", async () => {
    Reflect.deleteProperty(globalThis, Symbol.for("cardea.printed-warnings"));
    for (let copy = 0; copy < 3; copy++) {
      vi.resetModules();
      await create({ secret: "s".repeat(40), experimental: { enableWebAuthn: true } });
    }
    expect(lines).toEqual([expect.stringMatching(/experimental-webauthn: /)]);
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("requireServer()", () => {
  it.each([
    ["a page", { document: {}, process: undefined }],
    ["a page whose bundler added `process`", { document: {}, process: { env: {}, versions: {} } }],
  ])("fails in %s, and says what to use there", (_, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(() => requireServer("Use useSession().")).toThrow(
      expect.objectContaining({ type: "InvalidConfiguration", message: expect.stringContaining("Use useSession().") }),
    );
  });

  it.each([
    ["Node", {}],
    ["Node, in tests with a document", { document: {} }],
    ["a worker without `process`", { process: undefined }],
  ])("allows %s", (_, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(() => requireServer("Use useSession().")).not.toThrow();
  });
});
