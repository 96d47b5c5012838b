import { createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, recordOf } from "../harness/harness.ts";

describe("an answer to a request whose URL holds a secret", () => {
  it.each([
    "callback/op?code=a-code-0123456789&state=a-state-0123456789",
    "callback/op?error=access_denied&state=a-state-0123456789",
    "callback/op?error=server_error&error_description=x",
    "callback/op?code=1&code=2",
    "callback/nothing?code=a-code-0123456789",
    "callback/credentials?token=a-token-0123456789",
    "session?token=a-token-0123456789",
    "error?token=a-token-0123456789",
    "nothing?token=a-token-0123456789",
    "callback/email?token=a-token-0123456789",
  ])("tells no other page where it came from: GET %s", async (path) => {
    const app = setUpDatabase();
    const { headers } = recordOf(await app.send(`${BASE}/${path}`));
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("location") ?? "").not.toContain("0123456789");
  });

  it("redirects included, when the sign-in succeeds", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    const callbacks = app.visits.filter(({ url }) => url.pathname.endsWith("/callback/op"));
    expect(callbacks.map(({ headers }) => headers.get("referrer-policy"))).toEqual(["no-referrer"]);
    await app.ask("bob@example.com");
    await app.open();
    const links = app.visits.filter(({ url }) => url.searchParams.has("token"));
    expect(links.map(({ headers }) => headers.get("referrer-policy"))).toEqual(["no-referrer"]);
  });

  it("our own confirmation page moves the secret into its form, and hides it from other sites", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const link = app.mails.at(-1) ?? "";
    const { headers, body } = recordOf(await app.send(link));
    expect(headers.get("referrer-policy")).toBe("same-origin");
    const token = new URL(link).searchParams.get("token") ?? "";
    expect(body).toContain(`name="token" value="${token}"`);
    expect(body.match(/<form[^>]*>/g)?.join()).not.toContain(token);
  });

  it("the guard's, the server's own and the script's as well", async () => {
    const config = { ...setUpDatabase().config, callbacks: { authorized: () => false } };
    const { auth, signIn, signOut } = createAuth(config);
    const at = (path: string, init?: RequestInit) => new Request(`https://app.example.com${path}`, init);
    const guarded = auth(() => new Response("open"));
    const answers = [
      await guarded(at("/invoice?token=a-token-0123456789")),
      await guarded(at("/invoice?token=a-token-0123456789", { method: "POST" })),
      await guarded(at("/a/../invoice/%2e%2e/b?token=a-token-0123456789")),
      await signIn(at("/login?token=a-token-0123456789"), "op"),
      await signOut(at("/logout?token=a-token-0123456789")),
    ];
    expect(answers.map(({ headers }) => headers.get("referrer-policy"))).toEqual(answers.map(() => "no-referrer"));
  });
});
