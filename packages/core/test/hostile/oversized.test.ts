import { describe, expect, it } from "vitest";
import { AT_ONCE, BASE, expectRefused, fastest, recordOf, setUp } from "../harness/harness.ts";

const FORM = "application/x-www-form-urlencoded";
const MEGABYTE = 1024 * 1024;

/** 50 MB that are made only as far as a user reads them. */
function flood(announced?: number) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += MEGABYTE / 16;
      if (taken > 50 * MEGABYTE) controller.close();
      else controller.enqueue(new Uint8Array(MEGABYTE / 16).fill(97));
    },
  });
  const headers = { "content-type": FORM, ...(announced === undefined ? {} : { "content-length": String(announced) }) };
  return { init: { method: "POST", body, duplex: "half", headers }, taken: () => taken };
}

describe("oversized input", () => {
  it.each([undefined, 50 * MEGABYTE, 10])("H303 stops reading a body of 50 MB, announced as %j", async (announced) => {
    const c = setUp();
    const { init, taken } = flood(announced);
    const answer = await c.send(`${BASE}/callback/credentials`, init);
    expect(answer.status).toBe(413);
    expectRefused(answer);
    expect(taken()).toBeLessThanOrEqual(MEGABYTE / 4);
  });

  it.each([
    ["100 000 deep", "[".repeat(100_000), 413],
    ["as deep as fits", `{"a":${"[".repeat(32_000)}${"]".repeat(32_000)}}`, 400],
    ["objects as deep as fit", `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`, 400],
    ["deep and broken", "[".repeat(60_000), 400],
    ["100 000 keys", `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":1`).join()}}`, 413],
    ["as many keys as fit", `{${Array.from({ length: 6_000 }, (_, n) => `"${n}":1`).join()}}`, 413],
    ["the same key again and again", `{${Array.from({ length: 12_000 }, () => '"":1').join()}}`, 413],
    ["one long string", `{"a":"${"\\\\".repeat(30_000)}"}`, 403],
  ])("H304 answers JSON %s at once", async (_, body, status) => {
    const c = setUp();
    const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
    const ask = () => c.send(`${BASE}/session`, { method: "POST", headers, body });
    const answer = await ask();
    expect(answer.status).toBe(status);
    expectRefused(answer);
    expect(await fastest(ask)).toBeLessThan(AT_ONCE);
  });

  it("H304 answers a form of many fields at once", async () => {
    const c = setUp();
    const body = Array.from({ length: 15_000 }, (_, n) => `${n % 10}=&`)
      .join("")
      .slice(0, 65_000);
    const ask = () => c.send(`${BASE}/session`, { method: "POST", headers: { "content-type": FORM }, body });
    expect((await ask()).status).toBe(413);
    expect(await fastest(ask)).toBeLessThan(AT_ONCE);
  });

  it.each([
    ["path", `${BASE}/signin/${"x".repeat(100_000)}`, {}],
    ["query", `${BASE}/signin?error=${"x".repeat(100_000)}&callbackUrl=/${"y".repeat(100_000)}`, {}],
    ["many parameters", `${BASE}/signin?${"a=b&".repeat(20_000)}`, {}],
    ["cookie", `${BASE}/session`, { cookie: `__Host-cardea.session-token=${"x".repeat(100_000)}` }],
    ["many cookies", `${BASE}/signin`, { cookie: Array.from({ length: 10_000 }, (_, n) => `c${n}=x`).join("; ") }],
    ["user agent", `${BASE}/signin`, { "user-agent": "x".repeat(100_000) }],
    ["host", `${BASE}/signin`, { host: `${"x".repeat(100_000)}.example` }],
    ["origin", `${BASE}/signin`, { origin: `https://${"x".repeat(100_000)}.example` }],
  ])("H304 answers a long %s at once", async (_, path, headers) => {
    const c = setUp({ alsoTo: [] });
    const ask = () => c.send(path, { headers });
    const answer = await ask();
    expect(answer.status).toBeLessThan(500);
    expect(await fastest(ask)).toBeLessThan(AT_ONCE);
    expect(recordOf(answer).body.length).toBeLessThan(20_000);
  });
});
