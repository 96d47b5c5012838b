import { describe, expect, it } from "vitest";
import { healthy, planted, type Setup, sound } from "../../test/doctor/set-ups.ts";
import { factsOf } from "./collect-facts.ts";
import { CHECKS, diagnose, explainOrigin } from "./diagnose.ts";

const faultsOf = (setup: Setup): readonly string[] => [
  ...new Set(diagnose(factsOf(healthy(setup))).map(({ id }) => id)),
];

describe("diagnose()", () => {
  it.each(Object.entries(planted))("names the planted fault %s and no other", (id, setup) => {
    expect(faultsOf(setup)).toEqual([id]);
  });

  it("has a planted fault for each check, forty at least", () => {
    expect(Object.keys(planted).sort()).toEqual(Object.keys(CHECKS).sort());
    expect(Object.keys(planted).length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(sound))("finds no fault in %s", (_name, setup) => {
    expect(diagnose(factsOf(healthy(setup)))).toEqual([]);
  });

  it("finds no fault in a dozen set-ups", () => {
    expect(Object.keys(sound).length).toBeGreaterThanOrEqual(12);
  });
});

describe("diagnose(), of tables of passkeys", () => {
  it.each([
    ["sqliteTables()", true],
    ["sqliteTables({ passkeyNames: true })", false],
    ["KyselyAdapter(db)", true],
    ["KyselyAdapter(db, { passkeyNames: true })", false],
  ])("finds in %s whether the columns for names are missing: %s", (call, isFound) => {
    const auth = `import { createAuth } from "@cardea/next";
import { Passkey } from "@cardea/providers-webauthn";
export const { auth } = createAuth({ adapter: db, providers: [Passkey()] });
`;
    const files = { "/auth.ts": auth, "/tables.ts": `export const made = ${call};\n` };
    expect(diagnose(factsOf(healthy({ files }))).some(({ id }) => id === "passkey-columns")).toBe(isFound);
  });
});

describe("diagnose(), of readers", () => {
  const sessions = 'import { createAuth } from "@cardea/next";\nimport { sessions } from "@cardea/sessions";\n';
  const found = (files: Record<string, string>) =>
    diagnose(factsOf(healthy({ files })))
      .filter(({ id }) => id === "session-reader")
      .map(({ where }) => where);

  it("names configurations that lack an extension which checks sessions, and what reads a token alone", () => {
    const whole = `${sessions}export const { auth } = createAuth({ providers: [], extensions: [sessions(), secondFactor()] });\n`;
    const split = `${sessions}export const { auth } = createAuth({ providers: [], extensions: [sessions()] });\n`;
    const bridge = 'import { withAuth as guard } from "@cardea/bridge-authjs/middleware";\nexport default guard();\n';
    expect(found({ "/auth.ts": whole, "/proxy.ts": split })).toEqual(["proxy.ts:3"]);
    expect(found({ "/auth.ts": split, "/middleware.ts": bridge })).toEqual(["middleware.ts:2"]);
    expect(found({ "/auth.ts": split })).toEqual([]);
    expect(found({ "/middleware.ts": bridge })).toEqual([]);
  });
});

describe("diagnose(), of a page of another origin", () => {
  it("names both origins, and a method that does not reach the endpoints", () => {
    const at = (name: string) => planted[name]?.probe ?? expect.unreachable();
    const { page, ...probe } = at("page-origin");
    expect(diagnose(factsOf(healthy({ probe: { ...probe, page } })))).toMatchObject([
      { where: "https://www.example.com", what: expect.stringContaining("https://app.example.com") },
    ]);
    const read = { ...probe.session, headers: new Map([["access-control-allow-origin", "https://www.example.com"]]) };
    const half = { ...page, read } as NonNullable<typeof page>;
    expect(diagnose(factsOf(healthy({ probe: { ...probe, page: half } })))).toMatchObject([
      { what: expect.stringContaining("status 405"), remedy: expect.stringContaining("OPTIONS") },
    ]);
  });
});

describe("diagnose(), of secrets", () => {
  const found = (setup: Setup) => diagnose(factsOf(healthy(setup))).map(({ id, where }) => `${id} ${where}`);

  it.each(["AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"])(
    "names a weak one that is still accepted: %s",
    (name) => {
      expect(found({ env: { [name]: "kJ8sQ2mZpT" } })).toEqual([`secret-short ${name}`]);
      expect(found({ env: { [name]: "changeme" } })).toEqual([`secret-placeholder ${name}`]);
    },
  );

  it("looks at NEXTAUTH_SECRET where it counts", () => {
    const env = { AUTH_SECRET: undefined, NEXTAUTH_SECRET: "secret" };
    expect(found({ env })).toContain("secret-placeholder NEXTAUTH_SECRET");
    expect(found({ env: { NEXTAUTH_SECRET: "secret" } })).not.toContain("secret-placeholder NEXTAUTH_SECRET");
  });

  it("reads environment files as frameworks do", () => {
    const lines = [
      '\uFEFFAUTH_SECRET="your-secret" # to do',
      "  A = b",
      "export B='c # d'",
      'C="e',
      'f"',
      "D=`g`",
      "E=h # i",
    ];
    for (const eol of ["\n", "\r\n"]) {
      const { env } = factsOf({ files: new Map([["/.env", lines.join(eol)]]), env: {} });
      expect(env).toEqual({ AUTH_SECRET: "your-secret", A: "b", B: "c # d", C: "e\nf", D: "g", E: "h" });
    }
  });
});

describe("explainOrigin()", () => {
  it("says who decides, header by header", () => {
    const of = (setup: Setup) => explainOrigin(factsOf(healthy(setup))).join("\n");
    expect(of({})).toContain("The origin is AUTH_URL: https://app.example.com");
    expect(of({ env: { AUTH_URL: undefined, AUTH_TRUST_HOST: "true" } })).toContain("X-Forwarded-Host, otherwise Host");
    expect(of({ env: { AUTH_URL: undefined } })).toContain("every request is rejected");
  });
});
