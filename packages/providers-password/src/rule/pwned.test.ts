import { createHash } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pwned } from "./pwned.ts";

const PASSWORD = "purple monkey sings";
const SHA1 = createHash("sha1").update(PASSWORD).digest("hex").toUpperCase();
const open: (() => Promise<void>)[] = [];

/** The time limit of the last call, which ends when a test says so. */
let limit = new AbortController();

beforeEach(() => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    limit = new AbortController();
    return limit.signal;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of open.splice(0)) await close();
});

/** A list on a server of this machine. */
async function startList(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

function setUp(url: string, options = {}) {
  const notes: unknown[] = [];
  const check = pwned({ url, ...options });
  return { notes, check: () => check(PASSWORD, { note: (fact) => void notes.push(fact) }) };
}

describe("pwned()", () => {
  it("sends five characters of the hash and asks for padding", async () => {
    const seen: unknown[] = [];
    const url = await startList((request, response) => {
      seen.push([request.url, request.headers["add-padding"]]);
      response.end(`${"0".repeat(35)}:3\r\n${SHA1.slice(5)}:17\r\n`);
    });
    expect(await setUp(url).check()).toBe("breached");
    expect(seen).toEqual([[`/range/${SHA1.slice(0, 5)}`, "true"]]);
  });

  it("takes padding, which has the count 0, for nothing", async () => {
    const url = await startList((_, response) => response.end(`${SHA1.slice(5)}:0\r\n${"F".repeat(35)}:9`));
    expect(await setUp(url).check()).toBe("unseen");
  });

  it.each<[string, RequestListener]>([
    ["an error", (_, response) => response.writeHead(503).end()],
    ["a redirect", (_, response) => response.writeHead(302, { location: "/" }).end()],
    ["too long an answer", (_, response) => response.end("x".repeat(600 * 1024))],
    ["no answer", () => limit.abort(new DOMException("The time is over.", "TimeoutError"))],
  ])("accepts after %s, and says so; or refuses as configured", async (_, listener) => {
    const url = await startList(listener);
    const { check, notes } = setUp(url, { timeout: 0.2 });
    expect(await check()).toBe("unseen");
    expect(AbortSignal.timeout).toHaveBeenLastCalledWith(200);
    expect(notes).toMatchObject([{ kind: "password.unchecked" }]);
    expect(JSON.stringify(notes)).not.toContain(SHA1.slice(5));
    expect(await setUp(url, { timeout: 0.2, onError: "refuse" }).check()).toBe("unknown");
  });

  it.each([0, -1, 60, Number.NaN])("refuses the timeout %s", (timeout) => {
    expect(() => pwned({ timeout })).toThrow("timeout");
  });
});
