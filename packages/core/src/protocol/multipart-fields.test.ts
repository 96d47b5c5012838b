import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMultipartFields } from "./multipart-fields.ts";

const TYPE = "multipart/form-data; boundary=x";
const part = (head: string, value: string) => `--x\r\n${head}\r\n\r\n${value}\r\n`;
const NAMED = 'Content-Disposition: form-data; name="a"';

async function written(form: FormData) {
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";
  return [await response.text(), type] as const;
}

describe("parseMultipartFields()", () => {
  it("reads what a FormData is written as, whatever is in it", async () => {
    const unit = fc.string({ unit: fc.constantFrom(...'a"%é日😀;=&-\\ \t', "%22", "\r\n", "--", "x") });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(unit, unit)), async (fields) => {
        const form = new FormData();
        for (const [name, value] of fields) form.append(name, value);
        const [text, type] = await written(form);
        const same = await new Response(text, { headers: { "content-type": type } }).formData();
        expect(parseMultipartFields(text, type)).toEqual([...same]);
      }),
    );
  });

  it("knows a file by its filename, even an empty one", async () => {
    const form = new FormData();
    form.append("a", "1");
    form.append("b", new Blob(["x"]), "b.txt");
    const files = [
      ["a", "1"],
      ["b", null],
    ];
    expect(parseMultipartFields(...(await written(form)))).toEqual(files);
    const empty = `${part(`${NAMED}; filename=""`, "")}${part(`${NAMED}; filename*=UTF-8''b`, "")}--x--`;
    expect(parseMultipartFields(empty, TYPE)).toEqual([
      ["a", null],
      ["a", null],
    ]);
  });

  it("reads other headers of a part over, in any order and spelling", () => {
    const head = `content-type: text/plain\r\n${NAMED.toUpperCase().replace('"A"', '"a"')}\r\nX-Y: z`;
    expect(parseMultipartFields(`${part(head, "\r\n1\r\n")}--x--\r\nepilogue`, TYPE)).toEqual([["a", "\r\n1\r\n"]]);
    expect(parseMultipartFields(`${part(NAMED, "1")}--x--`, 'multipart/form-data; boundary="x"')).toEqual([["a", "1"]]);
    expect(parseMultipartFields("--x--", TYPE)).toEqual([]);
  });

  it.each([
    ["", TYPE],
    [part(NAMED, "1"), TYPE],
    [`${part(NAMED, "1")}--x`, TYPE],
    [`${part(NAMED, "1")}--x--`, "multipart/form-data"],
    [`${part(NAMED, "1")}--undefined--`, "multipart/form-data; boundary="],
    [`text\r\n${part(NAMED, "1")}--x--`, TYPE],
    [`--x\r\n${NAMED}\r\n1\r\n--x--`, TYPE],
    [`--x${NAMED}\r\n\r\n1\r\n--x--`, TYPE],
    [`${part("", "1")}--x--`, TYPE],
    [`${part("Content-Type: text/plain", "1")}--x--`, TYPE],
    [`${part("Content-Disposition: form-data", "1")}--x--`, TYPE],
    [`${part("Content-Disposition: attachment", NAMED)}--x--`, TYPE],
    [`${part(NAMED, "1\r\n--xy")}--x--`, TYPE],
  ])("refuses %j (%s)", (text, type) => {
    expect(parseMultipartFields(text, type)).toBeNull();
  });
});
