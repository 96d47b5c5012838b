import { type AuthConfig, createAuth } from "@cardea/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestSession } from "./test-session.ts";

const config = {
  secret: "a secret of more than thirty-two bytes for tests",
  trustHost: true,
  providers: [],
  callbacks: {
    jwt: ({ token, trigger }) => (trigger === undefined ? token : { ...token, trigger }),
    session: ({ session, token }) => ({ ...session, id: token.sub, trigger: token.trigger }),
  },
} satisfies AuthConfig<unknown>;

function requestWith(header: string, url = "http://localhost:3000/"): Request {
  return new Request(url, { headers: { cookie: header, host: new URL(url).host } });
}

describe("createTestSession()", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("makes a session that the application takes for its own, callbacks included", async () => {
    const { header } = await createTestSession(config, { user: { id: "7", name: "Ann" } });
    const session = await createAuth(config).auth(requestWith(header));
    expect(session).toMatchObject({ user: { name: "Ann" }, id: "7", trigger: "signIn" });
  });

  it("gives cookies for a browser, with the prefix of secure sites", async () => {
    const { cookies } = await createTestSession(config, { url: "https://app.example.com" });
    expect(cookies).toEqual([
      {
        name: "__Host-cardea.session-token",
        value: expect.stringMatching(/^eyJ/),
        url: "https://app.example.com",
        httpOnly: true,
        secure: true,
        sameSite: "Lax",
      },
    ]);
  });

  it("makes no session for another application", async () => {
    const { header } = await createTestSession(config);
    const other = createAuth({ ...config, secret: "another secret of more than thirty-two bytes!" });
    expect(await other.auth(requestWith(header))).toBeNull();
  });

  it("refuses to run in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await expect(createTestSession(config)).rejects.toThrow(/NODE_ENV=production/);
  });
});
