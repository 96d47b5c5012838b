import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSecureUrl } from "./parse-url.ts";
import { checkReach, insecureOriginsOf } from "./provider-reach.ts";

/** Spellings of the local machine, as a URL parser accepts them. */
const LOCAL = [
  ...["localhost", "LOCALHOST", "localhost.", "app.localhost", "a.b.localhost.", "127.0.0.1", "127.1", "127.8.9.10"],
  ...["0x7f000001", "2130706433", "0177.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f63:1]"],
  ...["0.0.0.0", "0", "[::]"],
];
/** Hosts that only look like it, and hosts of a private network. */
const OTHER = [
  ...["op.example.com", "localhost.example", "127.0.0.1.example", "xlocalhost", "1270.example", "keycloak", "10.0.0.7"],
  ...["[::ffff:10.0.0.7]", "[::2]", "128.0.0.1"],
];
const AFTER = ["", ":8080", "/x", ":9/?a=b", "/localhost"];

const url = (hosts: readonly string[]) =>
  fc
    .tuple(fc.constantFrom("http", "https"), fc.constantFrom(...hosts), fc.constantFrom(...AFTER))
    .map(([scheme, host, after]) => `${scheme}://${host}${after}`);
const origins = fc.subarray(["http://keycloak:8080", "http://keycloak", "http://op.example.com", "http://10.0.0.7"]);

describe("checkReach()", () => {
  it("rule 2: metadata of another issuer never lead to the local machine; the configuration may", () => {
    fc.assert(
      fc.property(fc.option(url(OTHER), { nil: undefined }), url(LOCAL), origins, (issuer, target, insecureOrigins) => {
        expect(checkReach({ issuer, insecureOrigins }, target, "metadata")).toContain("local machine");
        expect(checkReach({ issuer, insecureOrigins }, target, "configuration")).toBeNull();
      }),
    );
  });

  it("rule 2: an issuer on the local machine leads anywhere on it", () => {
    fc.assert(
      fc.property(url(LOCAL), url(LOCAL), (issuer, target) => {
        expect(checkReach({ issuer, insecureOrigins: [] }, target, "metadata")).toBeNull();
      }),
    );
  });

  it("rule 3: http to another host takes an origin of the configuration, in metadata as in the configuration", () => {
    fc.assert(
      fc.property(url([...LOCAL, ...OTHER]), url(OTHER), origins, (issuer, target, insecureOrigins) => {
        const isFine = target.startsWith("https:") || insecureOrigins.includes(new URL(target).origin);
        for (const source of ["configuration", "metadata"] as const)
          expect(checkReach({ issuer, insecureOrigins }, target, source) === null).toBe(isFine);
      }),
    );
  });

  it("control: the former rule, which knew only the URL, let metadata of any issuer lead to the local machine", () => {
    expect(isSecureUrl("http://localhost:8080/admin")).toBe(true);
    const provider = { issuer: "https://op.example.com", insecureOrigins: [] };
    expect(checkReach(provider, "http://localhost:8080/admin", "metadata")).not.toBeNull();
  });

  it.each([
    "",
    "//op.example.com",
    "op.example.com",
    "data:,{}",
    "file:///etc/passwd",
    "javascript:1",
    42,
    null,
    undefined,
  ])("rule 1: refuses %o", (target) => {
    for (const source of ["configuration", "metadata"] as const)
      expect(checkReach({ issuer: "http://localhost", insecureOrigins: [] }, target, source)).toContain("https");
  });
});

describe("insecureOriginsOf()", () => {
  it("finds each http origin on another host once", () => {
    const urls = [
      "http://keycloak:8080/realms/a",
      "http://keycloak:8080/b",
      "https://op.example.com",
      "http://localhost:1",
    ];
    expect(insecureOriginsOf([...urls, undefined, "x"])).toEqual(["http://keycloak:8080"]);
  });
});
