import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { urlPath } from "../../../testing/src/arbitrary-text.ts";
import { matchAction, ROUTES } from "./routes.ts";

const BASE = "/api/auth";
const rows = Object.entries(ROUTES).map(([key, route]) => {
  const [method = "", name = ""] = key.split(" ");
  return { method, name, route };
});

describe("matchAction()", () => {
  it.each(rows)("finds $method $name, with a provider and without as its row says", ({ method, name, route }) => {
    const bare = matchAction(method, `${BASE}/${name}`, BASE);
    const named = matchAction(method, `${BASE}/${name}/op`, BASE);
    expect(bare).toEqual(
      route.provider === "required"
        ? { kind: "not-found" }
        : { kind: "route", route, providerId: undefined, head: false },
    );
    expect(named).toEqual(
      route.provider === "none" ? { kind: "not-found" } : { kind: "route", route, providerId: "op", head: false },
    );
  });

  it("takes HEAD for GET, and says so", () => {
    const route = ROUTES["GET session"];
    expect(matchAction("HEAD", `${BASE}/session`, BASE)).toEqual({
      kind: "route",
      route,
      providerId: undefined,
      head: true,
    });
  });

  it.each(["PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "__proto__"])("allows no %s (H264)", (method) => {
    expect(matchAction(method, `${BASE}/session`, BASE)).toEqual({
      kind: "method-not-allowed",
      allow: "GET, HEAD, POST",
    });
    expect(matchAction(method, `${BASE}/csrf`, BASE)).toEqual({ kind: "method-not-allowed", allow: "GET, HEAD" });
    expect(matchAction(method, `${BASE}/nothing`, BASE)).toEqual({ kind: "not-found" });
  });

  it.each([
    ["", "/session", "route"],
    ["", "//session", "not-found"],
    ["/auth", "/auth/session", "route"],
    ["/auth", "/auth/session/", "route"],
    ["/auth", "/auth/session//", "not-found"],
    ["/auth", "/authx/session", "not-found"],
    ["/auth", "/auth.session", "not-found"],
    ["/auth", "/auth", "not-found"],
    ["/auth", "/auth/", "not-found"],
    ["/auth", "/x/auth/session", "not-found"],
    ["/a.b", "/axb/session", "not-found"],
    ["/a", "/a/a/session", "not-found"],
  ])("below the base path %j, %j is a %s (H265, H266)", (basePath, pathname, kind) => {
    expect(matchAction("GET", pathname, basePath).kind).toBe(kind);
  });

  it("whatever the path, it finds an action under exactly one spelling, and the id as it stands there", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "session",
        "signin",
        "callback",
        "op",
        "",
        ".",
        "..",
        "%2f",
        "__proto__",
        "constructor",
        "SESSION",
      ),
      urlPath,
      fc.string({ unit: fc.constantFrom("/", "a", "%", "\\", ";", "\u0000", "é"), maxLength: 4 }),
    );
    const path = fc.array(piece, { maxLength: 5 }).map((pieces) => `${BASE}/${pieces.join("/")}`);
    fc.assert(
      fc.property(path, fc.constantFrom("GET", "POST", "HEAD"), (pathname, method) => {
        const match = matchAction(method, pathname, BASE);
        if (match.kind !== "route") return;
        const names = rows.filter(({ route }) => route === match.route).map(({ name }) => name);
        expect(names).toHaveLength(1);
        const canonical = [BASE, names[0], ...(match.providerId === undefined ? [] : [match.providerId])].join("/");
        expect([canonical, `${canonical}/`]).toContain(pathname);
        expect(match.providerId ?? "op").not.toMatch(/^$|\//);
      }),
      { numRuns: 1_000 },
    );
  });
});
