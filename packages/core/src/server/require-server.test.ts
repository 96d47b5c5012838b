import { afterEach, describe, expect, it, vi } from "vitest";
import { requireServer } from "./require-server.ts";

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
