import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonMembers } from "./json-members.ts";

describe("parseJsonMembers()", () => {
  it("H271 keeps repeated names, however they are written, in their order", () => {
    expect(parseJsonMembers('{"a":1, "b":{"a":2},"\\u0061" : [3,{"a":4}] }')).toEqual([
      ["a", 1],
      ["b", { a: 2 }],
      ["a", [3, { a: 4 }]],
    ]);
  });

  it("is not misled by what stands in strings", () => {
    expect(parseJsonMembers('{"{\\",:":"}]\\\\","x":"\\"a\\":1,"}')).toEqual([
      ['{",:', "}]\\"],
      ["x", '"a":1,'],
    ]);
  });

  it("finds nothing in an empty object", () => {
    expect(parseJsonMembers(" { } ")).toEqual([]);
  });

  it("agrees with JSON.parse wherever no name is repeated", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
        fc.nat({ max: 3 }),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          expect(new Map(parseJsonMembers(text))).toEqual(new Map(Object.entries(JSON.parse(text))));
        },
      ),
    );
  });
});
