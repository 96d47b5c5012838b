import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFormFields } from "./form-fields.ts";
import { readableEscapes } from "./request-target.ts";

const piece = fc.constantFrom(
  ..."&=+?%a ;#é日",
  "%41",
  "%26",
  "%3D",
  "%2b",
  "%25",
  "%c3%a9",
  "%00",
  "%ff",
  "%EF%BB%BF",
);
const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(""));

describe("parseFormFields()", () => {
  it("reads a form as URLSearchParams does, and refuses one with an escape that is malformed or not UTF-8", () => {
    fc.assert(
      fc.property(text, (form) => {
        const isReadable = readableEscapes(form) === form;
        expect(parseFormFields(form)).toEqual(isReadable ? [...new URLSearchParams(form)] : null);
      }),
    );
  });

  it("is the inverse of URLSearchParams for any fields", () => {
    const unit = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(fc.array(fc.tuple(unit, unit)), (fields) => {
        expect(parseFormFields(new URLSearchParams(fields).toString())).toEqual(fields);
      }),
    );
  });

  it.each([100, 101])("reads a value of %i characters as any other", (length) => {
    const value = "%c3%a9+".padEnd(length, "+");
    expect(parseFormFields(`a=${value}`)).toEqual([...new URLSearchParams(`a=${value}`)]);
  });

  it.each(["a=%ff", "a=%", "%zz=1", "a=1&b=%c3", `a=%ff${"+".repeat(101)}`, "a=%ff+"])("refuses %s", (form) => {
    expect(parseFormFields(form)).toBeNull();
  });
});
