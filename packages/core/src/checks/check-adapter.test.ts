import { describe, expect, it } from "vitest";
import { resolveConfig } from "../config/resolve-config.ts";
import { resolveStrategy } from "../config/resolve-session.ts";
import type { Adapter } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import type { Provider } from "../model/provider.ts";
import { standardParts } from "../standard.ts";

const OP: Provider = {
  id: "op",
  name: "OP",
  type: "oidc",
  issuer: "https://op.example",
  clientId: "c",
  clientSecret: "s",
};
const MAIL: Provider = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => {} };
const PASSWORD: Provider = { id: "pw", name: "PW", type: "credentials", credentials: {}, authorize: () => null };

/** An adapter that has exactly these methods. */
function parseAdapter(...names: string[]): Adapter {
  return Object.fromEntries(names.map((name) => [name, () => null])) as Adapter;
}

function resolve(given: Partial<AuthConfig>) {
  return resolveConfig(
    { secret: "a secret of more than thirty-two bytes", providers: [], ...given },
    {},
    standardParts,
    { defaultBasePath: "/auth" },
  );
}

const SESSIONS = ["createSession", "getSessionAndUser", "updateSession", "deleteSession"];
const ACCOUNTS = ["getUser", "getUserByAccount", "getUserByEmail", "createUser", "linkAccount"];
const LINKS = ["getUserByEmail", "createUser", "updateUser", "createVerificationToken", "useVerificationToken"];

describe("requireAdapterMethods()", () => {
  it.each([
    [{ session: { strategy: "database" } }, "MissingAdapter"],
    [{ providers: [MAIL] }, "MissingAdapter"],
    [{ adapter: {} }, "MissingAdapterMethods"],
  ] as const)("refuses %o at the start", (given, type) => {
    expect(() => resolve(given)).toThrow(expect.objectContaining({ type }));
  });

  it.each([
    ["sessions in the database", {}, SESSIONS],
    ["a provider", { providers: [OP], session: { strategy: "jwt" } }, ACCOUNTS],
    ["e-mail", { providers: [MAIL], session: { strategy: "jwt" } }, LINKS],
    ["passwords and database sessions", { providers: [PASSWORD] }, [...SESSIONS, "getUser"]],
    ["passwords and tokens", { providers: [PASSWORD], session: { strategy: "jwt" } }, []],
  ] as const)("for %s it needs exactly the methods of contract 13", (_, given, needed) => {
    expect(() => resolve({ ...given, adapter: parseAdapter(...needed) })).not.toThrow();
    for (const missing of needed) {
      const others = needed.filter((name) => name !== missing);
      expect(() => resolve({ ...given, adapter: parseAdapter(...others) })).toThrow(`needs: ${missing}.`);
    }
  });
});

describe("resolveStrategy()", () => {
  it.each([
    [{}, "jwt"],
    [{ adapter: {} }, "database"],
    [{ adapter: {}, session: { strategy: "jwt" } }, "jwt"],
    [{ session: {} }, "jwt"],
  ] as const)("of %j it is %s (spec 5.4)", (given, expected) => {
    expect(resolveStrategy({ providers: [], ...given })).toBe(expected);
  });
});
