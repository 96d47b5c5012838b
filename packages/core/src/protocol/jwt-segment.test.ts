import { describe, expect, it } from "vitest";
import { parseJwtSegment } from "./jwt-segment.ts";

const segment = (text: string) => Buffer.from(text).toString("base64url");

describe("parseJwtSegment()", () => {
  it("reads header and claims, ids with every digit", () => {
    const token = `${segment('{"alg":"RS256"}')}.${segment('{"sub":"1","n":9007199254740993}')}.x`;
    expect([parseJwtSegment(token, 0), parseJwtSegment(token, 1)]).toEqual([
      { alg: "RS256" },
      { sub: "1", n: "9007199254740993" },
    ]);
  });

  it.each(['{"sub":"victim","sub":"1"}', '{"alg":"none","alg":"RS256"}', '{"address":{"a":1,"a":2}}'])(
    "refuses %s, which names a member twice",
    (text) => {
      expect(() => parseJwtSegment(`${segment(text)}.${segment(text)}.x`, 0)).toThrow("duplicate");
      expect(() => parseJwtSegment(`${segment("{}")}.${segment(text)}.x`, 1)).toThrow("duplicate");
    },
  );
});
