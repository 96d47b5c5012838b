import { describe, expect, it } from "vitest";
import { parseSettings } from "./settings.ts";

describe("parseSettings()", () => {
  it("needs nothing", () => {
    const { databaseUrl, ...rest } = parseSettings({ PORT: "", DATABASE_URL: "" });
    expect(databaseUrl).toMatch(/^file:.*green-room\.db$/);
    const absent = { provider: undefined, mailServer: undefined, hasSecret: false };
    expect(rest).toEqual({ port: 3000, strategy: "database", ...absent });
  });

  it("takes a database, a provider and a mail server that are there", () => {
    const provider = { OIDC_ISSUER: "https://op.example.com", OIDC_CLIENT_ID: "id", OIDC_CLIENT_SECRET: "secret" };
    const env = { ...provider, DATABASE_URL: "postgres://db", SMTP_URL: "smtp://mail", SESSION_STRATEGY: "jwt" };
    expect(parseSettings({ ...env, PORT: "80", AUTH_SECRET: "s" })).toEqual({
      port: 80,
      databaseUrl: "postgres://db",
      strategy: "jwt",
      hasSecret: true,
      provider: { issuer: "https://op.example.com", clientId: "id", clientSecret: "secret" },
      mailServer: "smtp://mail",
    });
  });

  it.each([
    [{ PORT: "many" }, 'PORT is "many"'],
    [{ PORT: "65536" }, 'PORT is "65536"'],
    [{ SESSION_STRATEGY: "memory" }, 'SESSION_STRATEGY is "memory"'],
    [{ OIDC_ISSUER: "https://op.example.com" }, "OIDC_CLIENT_ID"],
  ])("names what is wrong in %o", (env, message) => {
    expect(() => parseSettings(env)).toThrow(message);
  });
});
