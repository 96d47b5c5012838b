/** Links must not point to whatever host a request names (safety H181, H255). */
import { afterEach, describe, expect, it, vi } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, ORIGIN } from "../harness/harness.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const ask = { method: "POST", body: new URLSearchParams({ email: "bob@example.com" }) };

describe("the host of a link", () => {
  it("H181 sends no mail when the host may not be trusted", async () => {
    const app = setUpDatabase({ mayFail: true, config: { trustHost: false } });
    const answer = await app.send(`${BASE}/signin/email`, { ...ask, headers: { host: "evil.example" } });
    expect(answer.status).toBe(500);
    expect(app.mails).toEqual([]);
  });

  it("H181 H255 links to AUTH_URL whatever host a request names", async () => {
    vi.stubEnv("AUTH_URL", ORIGIN);
    const app = setUpDatabase();
    await app.post(
      `${BASE}/signin/email`,
      { email: "bob@example.com" },
      { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
    );
    expect(app.mails.map((link) => new URL(link).origin)).toEqual([ORIGIN]);
  });
});
