/** A browser that sends no cookie back is told so. Status and `error` stay as they are, and cookies of others change nothing. */

import { createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const WORDS = "Your browser didn’t send back the cookies";

const provider = (id: string, response_mode: string) => ({
  ...{ id, name: id, type: "oauth" as const, clientId: "id", clientSecret: "secret" },
  authorization: { url: "https://id.example/a", params: { response_mode } },
  ...{ token: "https://id.example/t", userinfo: "https://id.example/u" },
  profile: () => ({ id: "1" }),
});

const { handlers } = createAuth({
  ...{ secret: "a secret of more than thirty-two bytes for tests", trustHost: true },
  logger: { error: () => {}, warn: () => {}, debug: () => {} },
  providers: [
    { id: "staff", name: "Staff", type: "credentials", credentials: { password: {} }, authorize: () => null },
    provider("op", "query"),
    provider("form", "form_post"),
  ],
});

const send = (path: string, init: RequestInit = {}) =>
  handlers[init.method === "POST" ? "POST" : "GET"](new Request(`${ORIGIN}/auth/${path}`, init));
const post = (path: string, headers: Record<string, string>) =>
  send(path, { method: "POST", body: new URLSearchParams({ csrfToken: "0".repeat(64), password: "x" }), headers });
const other = { cookie: "_ga=GA1.2; __Host-other.csrf-token=x" };
const own = { cookie: "__Host-cardea.csrf-token=x" };

describe("a browser that sends no cookie back", () => {
  it.each([
    ["the form of a provider", "Signin", (headers: Record<string, string>) => post("signin/op", headers)],
    ["the form for a password", "Signin", (headers: Record<string, string>) => post("callback/staff", headers)],
    [
      "the way back from a provider",
      "OAuthCallbackError",
      (headers: Record<string, string>) => send("callback/op?code=c&state=s", { headers }),
    ],
  ])("is told so after %s", async (_, error, request) => {
    const [none, others, ours] = await Promise.all([request({}), request(other), request(own)]);
    const to = `${ORIGIN}/auth/signin?error=${error}`;
    for (const answer of [none, others]) {
      const url = answer.headers.get("location") ?? "";
      expect([answer.status, url]).toEqual([302, `${to}&code=cookies`]);
      const page = await (await handlers.GET(new Request(url))).text();
      expect(page).toContain(WORDS);
      expect(page).not.toContain("Try again or use another sign-in method.");
    }
    expect([ours.status, ours.headers.get("location")]).toEqual([302, to]);
  });

  it("is not told so after the form of a provider, with which browsers send no such cookie", async () => {
    const body = new URLSearchParams({ code: "c", state: "s" });
    const answer = await send("callback/form", { method: "POST", body, headers: { origin: "https://id.example" } });
    expect(answer.headers.get("location")).toBe(`${ORIGIN}/auth/signin?error=OAuthCallbackError`);
  });

  it("is told only by these errors, and nothing that it sends is shown", async () => {
    for (const query of ["error=CredentialsSignin&code=cookies", "error=Callback&code=cookies", "code=cookies"])
      expect(await (await send(`signin?${query}`)).text()).not.toContain(WORDS);
    expect(await (await send("signin?error=Signin&code=__proto__")).text()).toContain("We couldn’t sign you in.");
  });
});
