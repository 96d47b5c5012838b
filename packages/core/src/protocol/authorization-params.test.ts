import { array, assert, constantFrom, oneof, property, record, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { decideParams, parseMaxAge } from "./authorization-params.ts";

const CONFIGURED = {
  scope: "openid email",
  prompt: "login",
  max_age: "300",
  acr_values: "mfa",
  hd: "corp.example",
  claims: '{"id_token":{"auth_time":{"essential":true}}}',
};

const FLOW = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "state",
  "nonce",
  "code_challenge",
  "code_challenge_method",
  "request",
  "request_uri",
];

type Pairs = readonly (readonly [string, string])[];

/** What is sent: the configuration with the decided parameters laid over it. */
function sent(configured: Readonly<Record<string, string>>, by: "visitor" | "server", params: Pairs): URLSearchParams {
  const query = new URLSearchParams(configured);
  for (const [name, value] of decideParams(query, { by, params })) query.set(name, value);
  return query;
}

const visit = (params: Pairs, configured = {}) => Object.fromEntries(sent(configured, "visitor", params));
const serve = (params: Pairs, configured = {}) => Object.fromEntries(sent(configured, "server", params));

describe("decideParams()", () => {
  it("lets no visitor ask for the configured demand in another way", () => {
    const claims = '{"id_token":{"acr":{"essential":true,"values":["pwd"]}}}';
    for (const name of ["claims", "Claims", "claims[]"])
      expect(visit([[name, claims]], { acr_values: "mfa" })).toEqual({ acr_values: "mfa" });
    expect(visit([["acr_values", "pwd"]], { claims })).toEqual({ claims });
    expect(visit([["claims", claims]])).toEqual({ claims });
    expect(serve([["claims", claims]], { acr_values: "mfa" })).toEqual({ acr_values: "mfa", claims });
  });

  const spellings = (name: string) => [
    name,
    name.toUpperCase(),
    name.replace(/^./, (first) => first.toUpperCase()),
    `${name}[]`,
    `${name}[0]`,
    `[${name}]`,
    ` ${name}`,
    `${name}\0`,
    name.replaceAll("_", "."),
    name.replaceAll("_", " "),
    name.replace("i", "\u0131"),
    name.replace("s", "\u017f"),
  ];

  it.each(FLOW.flatMap(spellings))("1. never takes %j", (name) => {
    for (const by of ["visitor", "server"] as const) {
      expect([...decideParams(new URLSearchParams(), { by, params: [[name, "evil"]] })]).toEqual([]);
    }
  });

  it("2. sends the smallest max_age, anyone who asks", () => {
    for (const ask of [visit, serve]) {
      expect(ask([["max_age", "999999999"]], CONFIGURED)).toEqual(CONFIGURED);
      expect(ask([["max_age", "60"]], CONFIGURED)).toEqual({ ...CONFIGURED, max_age: "60" });
      expect(ask([["max_age", "0"]])).toEqual({ max_age: "0" });
      for (const value of ["", "-1", "1e9", "0x1", " 60", "60.5", "NaN"]) {
        expect(ask([["max_age", value]], CONFIGURED)).toEqual(CONFIGURED);
        expect(ask([["max_age", value]])).toEqual({});
      }
    }
  });

  it.each(["MAX_AGE", "max_age[]", "max-age", "maxAge", "Scope", "scope[0]", "PROMPT", "prompt[]"])(
    "2. drops %s, which some servers take for a parameter with a rule of its own",
    (name) => {
      expect(visit([[name, "999999999"]])).toEqual({});
      expect(serve([[name, "999999999"]])).toEqual({});
    },
  );

  it.each([
    ["openid", ["openid email"], "openid email"],
    ["openid", ["email", "openid  profile"], "openid email profile"],
    ["user.info.basic,video.list", ["video.upload user.info.basic"], "user.info.basic,video.list,video.upload"],
    ["a,b", ["c,d"], "a,b,c,d"],
    ["", ["email"], "email"],
    ["openid", [""], "openid"],
    ["openid", ['"', "é", "a\nb"], "openid a b"],
  ])("3. adds to the scope %j what the visitor asks for in %j", (scope, asked, expected) => {
    expect(
      visit(
        asked.map((value) => ["scope", value] as const),
        { scope },
      ),
    ).toEqual({ scope: expected });
  });

  it.each([
    ["login", "none", "login"],
    ["login", "consent", "login consent"],
    ["none", "login", "login"],
    ["none", "none", "none"],
    ["consent", "consent login", "consent login"],
    ["login", "Login create x", "login"],
  ])("3. makes of the prompt %j and %j %j", (prompt, asked, expected) => {
    expect(visit([["prompt", asked]], { prompt })).toEqual({ prompt: expected });
  });

  it("3. asks for no prompt of `none` on behalf of a visitor", () => {
    expect(visit([["prompt", "none"]])).toEqual({});
    expect(visit([["prompt", "none login"]])).toEqual({ prompt: "login" });
  });

  it("3. sends the first of a parameter that a visitor repeats", () => {
    const params = [
      ["login_hint", "ada"],
      ["login_hint", "eve"],
    ] as const;
    expect(visit(params)).toEqual({ login_hint: "ada" });
  });

  it("4. lets the server replace what is configured, `max_age` excepted", () => {
    const params = Object.entries({
      hd: "other.example",
      prompt: "none",
      scope: "openid",
      acr_values: "pwd",
      max_age: "900",
    });
    expect(serve(params, CONFIGURED)).toEqual({ ...CONFIGURED, ...Object.fromEntries(params), max_age: "300" });
  });

  const names = [...FLOW, ...Object.keys(CONFIGURED), "login_hint", "ui_locales"];
  const disguise = constantFrom(
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => `${name}[]`,
    (name: string) => `${name}[1]`,
    (name: string) => name.replaceAll("_", "-"),
    (name: string) => `${name}\u0000x`,
    (name: string) => ` ${name}\tx[]`,
    (name: string) => `${name};login_hint`,
    (name: string) => `x;${name}`,
    (name: string) => `x=1&${name}[0]`,
  );
  const name = oneof(
    tuple(constantFrom(...names), disguise).map(([plain, change]) => change(plain)),
    string(),
  );
  const value = oneof(constantFrom("none", "login", "0", "999999999", "openid", "evil", "login none"), string());

  it("keeps the operator's policy whatever a visitor sends", () => {
    const sets = record({ by: constantFrom("visitor" as const), params: array(tuple(name, value), { maxLength: 12 }) });
    assert(
      property(sets, ({ by, params }) => {
        const query = sent(CONFIGURED, by, params);
        for (const kept of ["acr_values", "hd", "claims"] as const)
          expect(query.getAll(kept)).toEqual([CONFIGURED[kept]]);
        for (const scope of CONFIGURED.scope.split(" ")) expect(query.get("scope")?.split(" ")).toContain(scope);
        expect(query.get("prompt")?.split(" ")).toContain("login");
        expect(query.get("prompt")?.split(" ")).not.toContain("none");
        expect(Number(query.get("max_age"))).toBeLessThanOrEqual(300);
        const policy = [...FLOW, ...Object.keys(CONFIGURED)].map(fold);
        for (const key of query.keys()) {
          const parts = key.split(/[\s\0;&=]/).map((part) => fold(part.replace(/\[.*$/s, "")));
          expect(key in CONFIGURED || !parts.some((part) => policy.includes(part)), key).toBe(true);
        }
      }),
    );
  });

  it("lets no server code replace what the flow sets", () => {
    assert(
      property(array(tuple(name, value), { maxLength: 12 }), (params) => {
        for (const key of sent(CONFIGURED, "server", params).keys()) {
          expect(FLOW.map(fold)).not.toContain(fold(key.replace(/\[.*$/s, "")));
        }
      }),
    );
  });
});

describe("parseMaxAge()", () => {
  it("reads whole numbers of seconds, and takes very long ones for the longest", () => {
    expect([parseMaxAge("0"), parseMaxAge("300"), parseMaxAge("9".repeat(400))]).toEqual([0, 300, 999_999_999]);
    for (const value of [null, "", "-1", "5m", "1.5"]) expect(parseMaxAge(value)).toBe(undefined);
  });
});

function fold(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
