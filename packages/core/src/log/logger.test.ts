import { afterEach, describe, expect, it, vi } from "vitest";
import { CallbackRouteError, SessionUnavailable } from "../model/errors.ts";
import { createLogger } from "./logger.ts";

function spyOnConsole() {
  const lines: string[] = [];
  for (const level of ["error", "warn", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((line: unknown) => {
      lines.push(`${level}: ${String(line)}`);
    });
  }
  return lines;
}

describe("createLogger()", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("writes line breaks in messages of others as everyone knows them, in causes as well", () => {
    const lines = spyOnConsole();
    const err = new TypeError("Invalid call\n\tat main.js\r\nforged");
    createLogger({}, false, []).error(new CallbackRouteError("broken", { cause: { err } }));
    expect(lines).toEqual([expect.stringContaining(String.raw`TypeError: Invalid call\n\tat main.js\r\nforged`)]);
  });

  it("writes one line a record to the console, debug only when it is on", () => {
    const lines = spyOnConsole();
    for (const debug of [false, true]) {
      const logger = createLogger({}, debug, []);
      logger.error(new CallbackRouteError("broken", { cause: { err: new TypeError("below"), provider: "op" } }));
      logger.warn("careful");
      logger.debug("detail", { step: 1, port: 10n });
      logger.debug("alone");
    }
    expect(lines.map((line) => line.replace(/\| (?!cause).*/, "| <frames>"))).toEqual([
      'error: [cardea][error] CallbackRouteError: broken (https://github.com/cardea-auth/cardea/blob/main/docs/errors.md#callbackrouteerror) | cause: {"err":"TypeError: below","provider":"op"}',
      "warn: [cardea][warn] careful",
      expect.stringMatching(/^error: \[cardea\]\[error\] CallbackRouteError: broken .* \| <frames>$/),
      "warn: [cardea][warn] careful",
      'debug: [cardea][debug] detail {"step":1,"port":"10"}',
      "debug: [cardea][debug] alone",
    ]);
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  });

  it("names the causes of a cause, because `fetch failed` says nothing", () => {
    const lines = spyOnConsole();
    const refused = Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" });
    const err = new TypeError("fetch failed", { cause: refused });
    const logger = createLogger({}, false, []);
    logger.error(new CallbackRouteError("broken", { cause: { err } }));
    expect(lines.pop()).toContain('{"err":"TypeError: fetch failed (AggregateError: ECONNREFUSED)"}');
    logger.error(
      new SessionUnavailable("away", { cause: { err: new CallbackRouteError("threw", { cause: { err } }) } }),
    );
    expect(lines.pop()).toMatch(
      /CallbackRouteError: threw .*\(TypeError: fetch failed \(AggregateError: ECONNREFUSED\)\)/,
    );
  });

  it("reads no value of the request for lines that are not written, and those of the moment for each that is", () => {
    const lines = spyOnConsole();
    let asked = 0;
    const source = {
      *[Symbol.iterator]() {
        asked += 1;
        yield ["token", `s3cret-${asked}`] as const;
      },
    };
    const logger = createLogger({}, false, [], [source]);
    logger.debug("not written");
    expect(asked).toBe(0);
    for (let n = 1; n < 3; n += 1) {
      logger.warn(`s3cret-${n}`);
      expect(lines.pop()).toBe("warn: [cardea][warn] [redacted]");
    }
  });

  it("survives an error that is its own cause", () => {
    const lines = spyOnConsole();
    const err = new TypeError("round");
    err.cause = err;
    createLogger({}, false, []).error(new CallbackRouteError("broken", { cause: { err } }));
    expect(lines).toEqual([expect.stringContaining("TypeError: round")]);
  });

  it("falls back to the console for each level that the application's logger lacks, whatever `debug` says", () => {
    const lines = spyOnConsole();
    const own: string[] = [];
    const logger = createLogger({ warn: (code) => own.push(code) }, false, []);
    logger.warn("mine");
    logger.error(new Error("yours"));
    logger.debug("unread");
    expect(own).toEqual(["mine"]);
    expect(lines).toEqual(["error: [cardea][error] Error: yours"]);
  });

  it("calls the application's logger as its method", () => {
    const own = {
      lines: [] as string[],
      warn(code: string) {
        this.lines.push(code);
      },
    };
    createLogger(own, false, []).warn("x");
    expect(own.lines).toEqual(["x"]);
  });

  it("redacts on every level, what is known before and after", () => {
    const seen: unknown[] = [];
    const own = {
      error: (error: Error) => seen.push(error.message),
      warn: (code: string) => seen.push(code),
      debug: (message: string, metadata: unknown) => seen.push([message, metadata]),
    };
    const sources: [string, unknown][][] = [];
    const logger = createLogger(own, false, ["early-secret"], sources);
    sources.push([["token", "late-s3cret"]], [["token", undefined]]);
    const both = "early-secret late-s3cret";
    logger.error(new Error(both));
    logger.warn(both);
    logger.debug(both, { reason: both, password: "x" });
    const hidden = "[redacted] [redacted]";
    expect(seen).toEqual([hidden, hidden, [hidden, { reason: hidden }]]);
  });

  it("H285 keeps the code of a warning, though a client sent that word as a cookie", () => {
    const seen: string[] = [];
    const own = { warn: (code: string) => seen.push(code), debug: (message: string) => seen.push(message) };
    const logger = createLogger(own, false, ["InvalidCheck", "short-secret"]);
    logger.warn("InvalidCheck: InvalidCheck again");
    logger.warn("short-secret: x");
    logger.debug("InvalidCheck: x");
    logger.debug("no code, InvalidCheck: x");
    expect(seen).toEqual([
      "InvalidCheck: [redacted] again",
      "short-secret: x",
      "InvalidCheck: x",
      "no code, [redacted]: x",
    ]);
  });

  it("keeps its own words in a warning, and no secret in what others add", () => {
    const lines = spyOnConsole();
    const logger = createLogger({}, false, [], [[["password", "correct horse"]]]);
    const toJSON = () => ({ config: "correct horse" });
    class ForeignError extends Error {
      toJSON = toJSON;
    }
    const err = new ForeignError("no correct horse");
    logger.warn("code: correct horse", "said correct horse", err, { err, port: 1n, code: { toJSON } }, {});
    expect(lines).toEqual([
      'warn: [cardea][warn] code: correct horse said [redacted] Error: no [redacted] {"err":"Error: no [redacted]","port":"1","code":"[redacted]"}',
    ]);
    logger.warn("code: x", "y".repeat(5000), "z".repeat(5000));
    expect(lines[1]?.length).toBeLessThan(1100);
  });

  it("passes over a logger that throws, and says so without its words", () => {
    const lines = spyOnConsole();
    const fail = () => {
      throw new RangeError("hunter2");
    };
    const logger = createLogger({ error: fail, warn: fail, debug: fail }, false, []);
    expect(() => {
      logger.error(new Error("x"));
      logger.warn("x");
      logger.debug("x");
    }).not.toThrow();
    expect(lines).toEqual(Array(3).fill("error: [cardea][error] The configured logger threw: RangeError"));
  });

  it("R59 passes over a logger that rejects, without an unhandled rejection", async () => {
    const lines = spyOnConsole();
    const fail = async () => {
      throw new RangeError("hunter2");
    };
    const logger = createLogger({ error: fail, warn: fail, debug: fail }, false, []);
    logger.error(new Error("x"));
    logger.warn("x");
    logger.debug("x");
    await vi.waitFor(() => expect(lines).toHaveLength(3), { timeout: 20_000 });
    expect(new Set(lines)).toEqual(new Set(["error: [cardea][error] The configured logger threw: RangeError"]));
  });
});
