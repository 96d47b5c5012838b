import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveConfig } from "../config/resolve-config.ts";
import { standardParts } from "../standard.ts";
import { resolvePublicOrigin } from "./create-context.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";

function config(trustHost: boolean, authUrl?: string) {
  return resolveConfig({ providers: [], secret: SECRET, trustHost }, { AUTH_URL: authUrl }, standardParts, {
    defaultBasePath: "/auth",
  }).config;
}

function originOf(headers: HeadersInit, url = "http://10.0.0.1:3000/auth/session"): string {
  return resolvePublicOrigin(config(true), new Headers(headers), url);
}

describe("resolvePublicOrigin()", () => {
  it.each([true, false])(
    "rule 1: AUTH_URL counts, whatever the request says and whether it is trusted: %s",
    (trustHost) => {
      const headers = new Headers({ host: "a.example", "x-forwarded-host": "b.example", "x-forwarded-proto": "x" });
      const fixed = config(trustHost, "https://app.example.com/base/auth?x");
      expect(resolvePublicOrigin(fixed, headers, "http://c.example/")).toBe("https://app.example.com");
    },
  );

  it.each([
    [{ "x-forwarded-host": "a.example", host: "b.example" }, "http://a.example"],
    [{ "x-forwarded-host": "a.example,b.example", "x-forwarded-proto": "https,http" }, "https://a.example"],
    [{ "x-forwarded-proto": "https" }, "https://10.0.0.1:3000"],
    [{ "x-forwarded-proto": "wss", upgrade: "websocket" }, "https://10.0.0.1:3000"],
    [{ "x-forwarded-proto": "WS, https", upgrade: "WebSocket" }, "http://10.0.0.1:3000"],
    [{ host: "b.example" }, "http://b.example"],
    [{ host: "B.EXAMPLE:80" }, "http://b.example"],
    [{ host: "b.example:65535" }, "http://b.example:65535"],
    [{ host: "[::1]:8080" }, "http://[::1]:8080"],
    [{ host: "b.example." }, "http://b.example."],
    [{}, "http://10.0.0.1:3000"],
  ])("rule 2: %j leads to %s", (headers, expected) => {
    expect(originOf(headers)).toBe(expected);
  });

  it("rule 2: a host that comes under both protocols in turns has an origin for each", () => {
    const origins = ["https", "http", "https", "http"].map((proto) =>
      originOf({ host: "turns.example", "x-forwarded-proto": proto }),
    );
    expect(origins).toEqual([
      "https://turns.example",
      "http://turns.example",
      "https://turns.example",
      "http://turns.example",
    ]);
  });

  it("rule 3: a host that may not be trusted is an error that names the remedy", () => {
    const attempt = () => resolvePublicOrigin(config(false), new Headers({ host: "a.example" }), "http://x/");
    expect(attempt).toThrow(expect.objectContaining({ type: "UntrustedHost" }));
    expect(attempt).toThrow("AUTH_URL");
  });

  it.each([
    [253, true],
    [258, true],
    [259, true],
    [260, false],
  ])("takes a host of %i characters: %s", (length, taken) => {
    const host = "a".repeat(length);
    if (taken) expect(originOf({ host })).toBe(`http://${host}`);
    else expect(() => originOf({ host })).toThrow(expect.objectContaining({ type: "InvalidHost" }));
  });

  it.each(["b.example:65536", "b.example:x", "b.example:", "a@b", "a/b", "a b", "", "[::1", "::1", "-a", "_", "a-"])(
    "refuses the host %j",
    (host) => {
      expect(() => originOf({ host })).toThrow(expect.objectContaining({ type: "InvalidHost" }));
    },
  );

  it.each(["ftp", "javascript", "https:", " ", ""])("refuses the protocol %j", (protocol) => {
    expect(() => originOf({ "x-forwarded-proto": protocol })).toThrow(expect.objectContaining({ type: "InvalidHost" }));
  });

  it("whatever the headers, the result is a bare http(s) origin or an error of ours", () => {
    const visible = fc.string({ unit: fc.constantFrom(..."abc0189.-_:/@?#[]%\\ ,;<>\"'&é"), maxLength: 20 });
    const header = fc.option(fc.oneof(visible, fc.domain(), fc.ipV4(), fc.ipV6()), { nil: undefined });
    fc.assert(
      fc.property(header, header, header, (host, forwarded, proto) => {
        const given = { host, "x-forwarded-host": forwarded, "x-forwarded-proto": proto };
        const headers = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
        let origin: string;
        try {
          origin = originOf(headers);
        } catch (error) {
          expect(error).toMatchObject({ type: "InvalidHost" });
          return;
        }
        expect(new URL(origin).origin).toBe(origin);
        expect(origin).toMatch(/^https?:\/\/[a-z0-9._:[\]-]+$/);
      }),
      { numRuns: 500 },
    );
  });
});
