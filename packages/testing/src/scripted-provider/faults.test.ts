import { describe, expect, it } from "vitest";
import { createScriptedProvider } from "../scripted-provider.ts";
import type { EndpointScript } from "./script.ts";

const DISCOVERY = "https://op.example.com/.well-known/openid-configuration";

function ask(script: EndpointScript, init?: RequestInit) {
  const op = createScriptedProvider();
  op.script = { discovery: script };
  return { op, answer: op.fetch(DISCOVERY, init) };
}

describe("endpoint script", () => {
  it.each([
    ["reset", "ECONNRESET"],
    ["refused", "ECONNREFUSED"],
    ["dns", "ENOTFOUND"],
    ["tls", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ] as const)("fails with %s as node's fetch does", async (network, code) => {
    const { answer } = ask({ network });
    await expect(answer).rejects.toBeInstanceOf(TypeError);
    await expect(answer).rejects.toMatchObject({ message: "fetch failed", cause: { code } });
  });

  it("never answers, until the request is aborted", async () => {
    const { answer, op } = ask({ network: "never" }, { signal: AbortSignal.timeout(20) });
    await expect(answer).rejects.toMatchObject({ name: "TimeoutError" });
    expect(op.calls.discovery).toHaveLength(1);
    await expect(op.fetch(DISCOVERY, { signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
  });

  it("stalls in the body, until the request is aborted", async () => {
    const response = await ask({ network: "stall" }, { signal: AbortSignal.timeout(20) }).answer;
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("breaks off midway", async () => {
    const response = await ask({ network: "reset-midway" }).answer;
    await expect(response.text()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  });

  it("is late, but not for an aborted request", async () => {
    expect((await ask({ delayMs: 5 }).answer).status).toBe(200);
    await expect(ask({ delayMs: 60_000 }, { signal: AbortSignal.timeout(5) }).answer).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  it("streams without end, and counts what was read", async () => {
    const { answer, op } = ask({ endless: true });
    const reader = (await answer).body?.getReader();
    for (let i = 0; i < 3; i++) await reader?.read();
    await reader?.cancel();
    expect(op.calls.discovery[0]?.bytesSent).toBe(3 * 16 * 1024);
  });

  it("breaks an endless body off before the memory is full", async () => {
    await expect((await ask({ endless: true }).answer).text()).rejects.toThrow("64 MiB");
  });

  it("sends what it is told", async () => {
    const raw = await ask({ status: 500, raw: "<h1>Oops", headers: { "content-type": "text/html" } }).answer;
    expect([raw.status, raw.headers.get("content-type"), await raw.text()]).toEqual([500, "text/html", "<h1>Oops"]);
    expect(await (await ask({ body: null }).answer).json()).toBeNull();
    expect((await ask({ status: 204 }).answer).body).toBeNull();
    expect(await (await ask({ truncate: 5 }).answer).text()).toBe('{"iss');
    const padded = await (await ask({ padTo: 2_000_000 }).answer).text();
    expect([padded.length, JSON.parse(padded).issuer]).toEqual([2_000_000, "https://op.example.com"]);
    const patched = await ask({ patch: { set: { a: 1 }, remove: ["issuer"] } }).answer;
    expect(await patched.json()).toMatchObject({ a: 1 });
    expect((await ask({}).answer).url).toBe(DISCOVERY);
  });

  it("redirects as far as the client lets it", async () => {
    const redirect = "http://169.254.169.254/latest";
    const manual = ask({ redirect }, { redirect: "manual" });
    expect((await manual.answer).headers.get("location")).toBe(redirect);
    expect(manual.op.calls.other).toHaveLength(0);
    const error = ask({ redirect }, { redirect: "error" });
    await expect(error.answer).rejects.toThrow("fetch failed");
    expect(error.op.calls.other).toHaveLength(0);
    const follow = ask({ redirect });
    await expect(follow.answer).rejects.toThrow("fetch failed");
    expect(follow.op.calls.other[0]?.url).toBe(redirect);
  });

  it("applies so many times", async () => {
    const { op, answer } = ask({ status: 500, times: 2 });
    const statuses = [await answer, await op.fetch(DISCOVERY), await op.fetch(DISCOVERY)].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
  });
});
