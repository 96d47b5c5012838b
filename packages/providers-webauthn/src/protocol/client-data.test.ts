import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkClientData, parseClientData } from "./client-data.ts";

const data = { type: "webauthn.get", challenge: "abc", origin: "https://app.example.com", crossOrigin: false };

describe("parseClientData()", () => {
  it("reads what it needs and nothing else", () => {
    expect(parseClientData(JSON.stringify({ ...data, topOrigin: "x", other: 1 }))).toEqual({ ...data, topOrigin: "x" });
    expect(parseClientData(JSON.stringify({ ...data, tokenBinding: { status: "not-supported" } }))).toEqual(data);
    const { crossOrigin: _absent, ...rest } = data;
    expect(parseClientData(JSON.stringify(rest))).toEqual(data);
  });

  it.each(["", "null", "7", "[]", "{}", '{"type":"a","challenge":"b"}', '{"type":1,"challenge":"b","origin":"c"}'])(
    "refuses %s",
    (json) => {
      expect(parseClientData(json)).toBeNull();
    },
  );

  it.each([
    { crossOrigin: "true" },
    { crossOrigin: 1 },
    { topOrigin: 7 },
    { topOrigin: null },
    { tokenBinding: "present" },
    { tokenBinding: null },
    { tokenBinding: {} },
    { tokenBinding: { status: "other" } },
  ])("refuses %j", (odd) => {
    expect(parseClientData(JSON.stringify({ ...data, ...odd }))).toBeNull();
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseClientData(text)));
    fc.assert(fc.property(fc.json(), (text) => void parseClientData(text)));
  });
});

describe("checkClientData()", () => {
  it("takes a page without a frame", () => {
    expect(checkClientData(data, null)).toBeNull();
  });

  const TOP = "https://top.example";
  it.each([
    [{ crossOrigin: true }, null, "cross-origin"],
    [{ crossOrigin: true, topOrigin: TOP }, null, "cross-origin"],
    [{ crossOrigin: false, topOrigin: TOP }, null, "cross-origin"],
    [{ crossOrigin: false, topOrigin: TOP }, [TOP], "cross-origin"],
    [{ crossOrigin: true, topOrigin: TOP }, [TOP], null],
    [{ crossOrigin: true, topOrigin: `${TOP}.evil` }, [TOP], "cross-origin"],
    [{ crossOrigin: true }, [TOP], null],
    [{ tokenBinding: "supported" as const }, null, null],
    [{ tokenBinding: "present" as const }, null, "token-binding"],
  ])("checks %j where %j may frame it: %s", (given, topOrigins, verdict) => {
    expect(checkClientData({ ...data, ...given }, topOrigins)).toBe(verdict);
  });
});
