import { describe, expect, it } from "vitest";
import { BASE, type Case, expectRefused, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";
import { pageScriptSource, SCRIPTING, withoutScripts } from "../harness/invariants.ts";

const SCRIPT = '"><script>alert(1)</script>';
const PAYLOADS = [
  SCRIPT,
  "'><img src=x onerror=alert(1)>",
  "</style><script>x</script>",
  "{host}",
  "javascript:alert(1)",
  "&lt;script&gt;",
];

/** Values with a title that is short enough for a list of tests. */
function titled(values: readonly string[]) {
  return values.map((value) => ({ value, title: value.slice(0, 40) }));
}

/** A page without what differs from one answer to the next. */
async function pageAt(c: Case, path: string): Promise<string> {
  const html = await (await c.browser.navigate(`${BASE}/${path}`)).text();
  return html.replaceAll(/nonce="[^"]*"/g, "nonce");
}

describe("HTML injection", () => {
  it.each(
    titled([
      "providers=x&theme=x&csrfToken=attacker&url=x&__proto__=x&options=x&nonce=x&host=x&title=x&action=x&texts=x",
      `email=${encodeURIComponent(SCRIPT)}`,
      `email=${"x".repeat(10_000)}`,
      `${encodeURIComponent(SCRIPT)}=x`,
      "providers[]=x&__proto__[csrfToken]=x&constructor.prototype.x=1",
    ]),
  )("H292 the query $title replaces nothing of a page", async ({ value: query }) => {
    const c = setUp();
    await c.csrfToken();
    for (const page of ["signin", "signout", "error"]) {
      expect(await pageAt(c, `${page}?${query}`)).toBe(await pageAt(c, page));
    }
  });

  it.each(titled([...PAYLOADS, "x".repeat(10_000), "__proto__", "constructor", "toString", ""]))(
    "H293 no page repeats the error $title",
    async ({ value: payload }) => {
      const c = setUp();
      await c.csrfToken();
      for (const page of ["signin", "error"]) {
        const shown = await pageAt(
          c,
          `${page}?error=${encodeURIComponent(payload)}&code=${encodeURIComponent(payload)}`,
        );
        expect(shown).toBe(await pageAt(c, `${page}?error=unheard-of`));
      }
    },
  );

  it.each(titled(PAYLOADS))(
    "H293 a callbackUrl that holds $title stays inside of its attribute",
    async ({ value: payload }) => {
      const c = setUp();
      const page = await pageAt(c, `signin?callbackUrl=${encodeURIComponent(`/?x=${payload}`)}`);
      expect(page).not.toContain(payload.includes("<") ? payload : "<script>alert");
      const answer = await c.browser.submit(page, {
        action: `${BASE}/callback/credentials`,
        fields: { username: "ann", password: PASSWORD },
      });
      expect(answer.redirectsTo).toBe(new URL(`/?x=${payload}`, ORIGIN).href);
    },
  );

  it.each(titled(PAYLOADS))("H294 a theme of $title is no style and no image", async ({ value: payload }) => {
    const theme = { brandColor: `red;${payload}`, buttonText: payload, logo: payload };
    const style = { brandColor: payload, bg: payload, text: payload, logo: payload };
    const c = setUp({ config: { theme }, provider: { style, name: payload } });
    for (const page of ["signin", "signout", "error"]) {
      const html = await pageAt(c, page);
      expect(withoutScripts(html)).not.toMatch(SCRIPTING);
      expect(html).not.toContain("<img");
      expect(html.match(/<\/style>/g)).toHaveLength(1);
    }
  });

  it("H294 a colour that loads something is no colour", async () => {
    const c = setUp({
      config: { theme: { brandColor: "red;background:url(//evil.example)", logo: "https://evil.example/x.png" } },
    });
    for (const page of ["signin", "signout", "error"]) expect(await pageAt(c, page)).not.toContain("evil");
  });

  it.each(["signin", "signin/op", "signin?error=CredentialsSignin", "signout", "error", "error?error=AccessDenied"])(
    "H296 the page %s may load nothing, run nothing of others and be framed by no one",
    async (path) => {
      const c = setUp();
      const answer = await c.browser.navigate(`${BASE}/${path}`);
      const { headers } = answer;
      const script = pageScriptSource(await answer.text());
      expect((headers.get("content-security-policy") ?? "").split("; ")).toEqual([
        "default-src 'none'",
        // Only of the page with a password field, by the hash of what the page contains.
        ...(path.startsWith("signin") ? [`script-src${script}`] : []),
        expect.stringMatching(/^style-src 'nonce-[0-9a-f]{32}'$/),
        "img-src 'self' data:",
        "form-action 'self' https:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
      ]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe(path.startsWith("error") ? "no-referrer" : "same-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toContain("no-store");
    },
  );

  it("H296 the nonce of the style is another one in every answer", async () => {
    const c = setUp();
    const policies = await Promise.all(
      Array.from({ length: 20 }, async () => (await c.send(`${BASE}/error`)).headers.get("content-security-policy")),
    );
    expect(new Set(policies).size).toBe(20);
  });

  it("H296 the page that refuses a foreign form is guarded like the others", async () => {
    const c = setUp();
    const headers = { origin: "https://evil.example", accept: "text/html" };
    const answer = await c.send(`${BASE}/signout`, { method: "POST", headers });
    expectRefused(answer);
    expect([answer.status, answer.headers.get("x-frame-options")]).toEqual([403, "DENY"]);
    const page = await answer.text();
    expect(page).toContain("<h1>Request blocked</h1>");
    expect(page).toContain("so we ignored it");
  });
});
