import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { guardFetch } from "./guarded-fetch.ts";

const URL_OF_PROVIDER = "https://op.example.com/token";
const MIB = 1024 * 1024;

/** A body that is made as it is read, in pieces of so many bytes. */
function streamOf(bytes: number, piece: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull: (controller) => {
      const size = Math.min(piece, left);
      left -= size;
      if (size > 0) controller.enqueue(new Uint8Array(size).fill(32));
      else controller.close();
    },
  });
}

describe("guardFetch()", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("passes method, headers and body on, and gives the answer back", async () => {
    const seen: unknown[] = [];
    const fetchFunction: typeof fetch = async (url, init) => {
      seen.push(url, init?.method, init?.headers, init?.body);
      return Response.json({ a: 1 }, { status: 201, headers: { "x-a": "b", "content-encoding": "gzip" } });
    };
    const request = { method: "POST", headers: { accept: "x" }, body: "a=1" };
    const answer = await guardFetch(fetchFunction)(URL_OF_PROVIDER, request);
    expect(seen).toEqual([URL_OF_PROVIDER, "POST", { accept: "x" }, "a=1"]);
    expect([answer.status, answer.headers.get("x-a"), await answer.json()]).toEqual([201, "b", { a: 1 }]);
    // The bytes are decoded already.
    expect(answer.headers.has("content-encoding")).toBe(false);
  });

  it("rule 2: asks for redirects not to be followed, and takes a runtime's opaque one for an error", async () => {
    const modes: unknown[] = [];
    const fetchFunction: typeof fetch = async (_, init) => {
      modes.push(init?.redirect);
      return Response.error();
    };
    await expect(guardFetch(fetchFunction)(URL_OF_PROVIDER, {})).rejects.toThrow("redirect");
    expect(modes).toEqual(["manual"]);
  });

  it("rule 3: tells the fetch to stop after ten seconds, and leaves no timer behind", async () => {
    const timers = useOwnTimers();
    let signal: AbortSignal | null | undefined;
    const fetchFunction: typeof fetch = (_, init) => {
      signal = init?.signal;
      return new Promise(() => {});
    };
    const refused = expect(guardFetch(fetchFunction)(URL_OF_PROVIDER, {})).rejects.toThrow("10 seconds");
    await vi.advanceTimersByTimeAsync(9_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    expect([signal?.aborted, timers.count()]).toEqual([true, 0]);
  });

  it("rule 3: counts the body in", async () => {
    vi.useFakeTimers();
    const slow = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(1)) });
    const refused = expect(guardFetch(async () => new Response(slow))(URL_OF_PROVIDER, {})).rejects.toThrow(
      "10 seconds",
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
  });

  it.each([[new TypeError("fetch failed")], ["a string"], [null]])(
    "leaves no timer behind when fetch throws %o",
    async (thrown) => {
      const timers = useOwnTimers();
      await expect(guardFetch(() => Promise.reject(thrown))(URL_OF_PROVIDER, {})).rejects.toBe(thrown);
      expect(timers.count()).toBe(0);
    },
  );

  it.each([MIB - 1, MIB])("rule 4: reads %i bytes", async (bytes) => {
    const answer = await guardFetch(async () => new Response(streamOf(bytes, 60_000)))(URL_OF_PROVIDER, {});
    expect((await answer.arrayBuffer()).byteLength).toBe(bytes);
  });

  it("rule 4: stops at one byte more, whatever content-length says", async () => {
    let isCancelled = false;
    const big = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(MIB + 1)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const answer = async () => new Response(big, { headers: { "content-length": "1" } });
    await expect(guardFetch(answer)(URL_OF_PROVIDER, {})).rejects.toThrow("larger than");
    expect(isCancelled).toBe(true);
  });

  it.each([
    ["application/json", false],
    ["application/json; charset=utf-8", false],
    ["application/jwk-set+json", false],
    ["text/xml", true],
    [null, true],
  ])("rule 4: with content type %o a byte order mark is allowed: %o", async (type, isAllowed) => {
    const mark = new TextEncoder().encode("\ufeff{}");
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of mark) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const answer = guardFetch(
      async () => new Response(body, type === null ? {} : { headers: { "content-type": type } }),
    )(URL_OF_PROVIDER, {});
    if (isAllowed) expect((await answer).status).toBe(200);
    else await expect(answer).rejects.toThrow("byte order mark");
  });

  it.each([204, 205, 304])("gives back a %i, which has no body", async (status) => {
    expect((await guardFetch(async () => new Response(null, { status }))(URL_OF_PROVIDER, {})).status).toBe(status);
  });
});
