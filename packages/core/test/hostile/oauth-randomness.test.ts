import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isLong } from "../../../testing/src/long-form.ts";
import { BASE, setUp } from "../harness/harness.ts";
import { comeBack } from "../harness/oauth-journeys.ts";

/** 32 bytes in base64url: 256 bits, URL-safe, at least and at most 43 characters. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

describe("pkce/state/nonce: what the secrets of a sign-in are made of", () => {
  it("H159 sends them so: state, nonce and the SHA-256 of the verifier, ever new", async () => {
    const c = setUp();
    const csrfToken = await c.csrfToken();
    const seen = new Set<string | null>();
    const starts = isLong ? 200 : 40;
    for (let n = 0; n < starts; n++) {
      const visit = await c.browser.navigate(`${BASE}/signin/op`, { form: { csrfToken } });
      const query = new URL(visit.redirectsTo ?? "").searchParams;
      for (const name of ["state", "nonce", "code_challenge"]) {
        expect(query.get(name)).toMatch(TOKEN);
        seen.add(query.get(name));
      }
    }
    expect(seen.size).toBe(3 * starts);
  });

  it("H159 proves the challenge with the verifier (RFC 7636 §4.6)", async () => {
    const c = setUp({ op: { pkce: "required" } });
    const url = new URL((await c.post(`${BASE}/signin/op`)).redirectsTo ?? "");
    await comeBack(c, url);
    const verifier = c.op.calls.token[0]?.params.get("code_verifier") ?? "";
    expect(verifier).toMatch(TOKEN);
    expect(url.searchParams.get("code_challenge")).toBe(createHash("sha256").update(verifier).digest("base64url"));
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
  });
});
