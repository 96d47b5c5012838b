import { describe, expect, it, vi } from "vitest";
import { loggersOf } from "./late-logger.ts";
import type { NamedValues } from "./redactor.ts";

/** As in a process that has written no line yet. */
function freshLogger(redacted: readonly string[] = [], sources: NamedValues[] = []) {
  const lines: string[] = [];
  const { createLateLogger } = loggersOf(() => import("./logger.ts"));
  const sink = {
    error: (error: Error) => void lines.push(`error ${error.message}`),
    warn: (code: string) => void lines.push(`warn ${code}`),
    debug: (message: string) => void lines.push(`debug ${message}`),
  };
  return { lines, createLateLogger, sink, late: createLateLogger(sink, false, redacted, sources) };
}

describe("createLateLogger()", () => {
  it("writes the first lines in their order once it is loaded, and says when", async () => {
    const { late, lines } = freshLogger();
    late.logger.error(new Error("first"));
    late.logger.warn("second");
    late.logger.debug("third");
    expect(lines).toEqual([]);
    await late.written();
    expect(lines).toEqual(["error first", "warn second", "debug third"]);
    expect(late.written()).toBeUndefined();
  });

  it("writes later lines of the process at once, by any logger", async () => {
    const { late, lines, createLateLogger, sink } = freshLogger();
    late.logger.warn("first");
    await late.written();
    late.logger.warn("second");
    createLateLogger(sink, false, []).logger.warn("third");
    expect(lines).toEqual(["warn first", "warn second", "warn third"]);
  });

  it("waits for nothing where nothing was written", async () => {
    expect(freshLogger().late.written()).toBeUndefined();
  });

  it("removes the secrets of the configuration and of the request from lines that waited", async () => {
    const sources: NamedValues[] = [];
    const { late, lines } = freshLogger(["configured-secret-0123456789"], sources);
    late.logger.error(new Error("saw configured-secret-0123456789 and requested-secret-0123456789"));
    sources.push([["token", "requested-secret-0123456789"]]);
    await late.written();
    expect(lines).toEqual(["error saw [redacted] and [redacted]"]);
  });

  it("loses the lines, and says so, where it cannot be loaded; the next line tries again", async () => {
    const complain = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const loads = [() => Promise.reject(new Error("no such file")), () => import("./logger.ts")];
    const { createLateLogger } = loggersOf(() => (loads.shift() ?? (() => import("./logger.ts")))());
    const lines: string[] = [];
    const sink = { warn: (code: string) => void lines.push(code) };
    const first = createLateLogger(sink, false, []);
    first.logger.warn("lost");
    await first.written();
    expect(complain.mock.calls).toEqual([[expect.stringContaining("no such file")]]);
    complain.mockRestore();
    const second = createLateLogger(sink, false, []);
    second.logger.warn("written");
    await second.written();
    expect(lines).toEqual(["written"]);
  });
});
