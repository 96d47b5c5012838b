import { CredentialsSignin } from "@cardea/core/errors";
import { describe, expect, it } from "vitest";
import { BASE, type Case, ORIGIN, recordOf, setUp } from "../harness/harness.ts";

const INJECTIONS = [
  "a\r\nSet-Cookie: x=1",
  "a\nLocation: https://evil.example",
  "a\r\n\r\n<script>",
  "a\u0000b",
  "a\u2028b",
  "é\u0130",
];

/** No header was added, and none holds what was sent raw. */
function expectClean(response: Response): void {
  const { status, headers } = recordOf(response);
  expect(status).toBeLessThan(500);
  for (const [name, value] of headers) {
    expect(["set-cookie", "location", "refresh"].includes(name) ? value : "").not.toMatch(/x=1|evil\.example|<script>/);
    expect(value).toMatch(/^[ -~]*$/);
  }
}

function withPages(): Case {
  return setUp({ config: { pages: { error: "/err", signIn: "/login", signOut: "/bye" } } });
}

describe("header injection", () => {
  it.each(INJECTIONS)("H300 the error %j adds no header", async (error) => {
    const c = withPages();
    const query = `error=${encodeURIComponent(error)}`;
    const answer = await c.browser.navigate(`${BASE}/error?${query}`);
    expectClean(answer);
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/err?error=Configuration`);
    expectClean(await setUp().browser.navigate(`${BASE}/error?${query}`));
  });

  it.each(INJECTIONS)("H300 the sign-in page's %j goes on encoded", async (value) => {
    const c = withPages();
    const encoded = encodeURIComponent(value);
    const query = `error=Signin&code=${encoded}&callbackUrl=/${encoded}`;
    const answer = await c.browser.navigate(`${BASE}/signin?${query}`);
    const { headers } = recordOf(answer);
    expect(headers.get("location")).toMatch(/^https:\/\/app\.example\.com\/login\?[!-~]+$/);
    expect(headers.getSetCookie()).toEqual([]);
    expectClean(await c.browser.navigate(`${BASE}/signout?callbackUrl=/${encoded}`));
  });

  it.each(INJECTIONS)("H300 the code %j of a CredentialsSignin goes on encoded", async (code) => {
    class Refusal extends CredentialsSignin {
      override code = code;
    }
    const authorize = () => {
      throw new Refusal();
    };
    const c = setUp({ providers: [{ id: "pin", name: "Pin", type: "credentials", credentials: {}, authorize }] });
    const answer = await c.post(`${BASE}/callback/pin`);
    const location = new URL(recordOf(answer).headers.get("location") ?? "");
    expect(recordOf(answer).headers.get("location")).toMatch(/^[!-~]+$/);
    expect([location.pathname, location.searchParams.get("code")]).toEqual([`${BASE}/signin`, code]);
    expect(recordOf(answer).headers.getSetCookie()).toEqual([]);
  });

  it.each(INJECTIONS)("H300 callbacks.redirect that returns %j leads home", async (target) => {
    const c = setUp({ config: { callbacks: { redirect: () => `${ORIGIN}/${target}` } } });
    const answer = await c.signIn({ callbackUrl: "/x" });
    expectClean(answer);
    expect(new URL(answer.headers.get("location") ?? "").origin).toBe(ORIGIN);
  });

  it.each(INJECTIONS)("H300 callbacks.signIn that returns %j leads home", async (target) => {
    const c = setUp({ config: { callbacks: { signIn: () => `/${target}` } } });
    const answer = await c.signIn();
    expectClean(answer);
    expect(new URL(answer.headers.get("location") ?? "").origin).toBe(ORIGIN);
  });

  it.each(INJECTIONS)("H300 an authorization parameter %j goes on encoded", async (value) => {
    const c = setUp();
    const answer = await c.post(`${BASE}/signin/op?login_hint=${encodeURIComponent(value)}`);
    const location = recordOf(answer).headers.get("location") ?? "";
    expect(location).toMatch(/^https:\/\/op\.example\.com\/authorize\?[!-~]+$/);
    expect(new URL(location).searchParams.get("login_hint")).toBe(value);
  });
});
