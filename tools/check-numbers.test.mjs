import { describe, expect, it } from "vitest";
import { compareNumbers } from "./check-numbers.mjs";

const TEXT = `{
  "files": { "limit": 10, "aim": 5, "counts": "in src" },
  "lines": { "limit": 200, "counts": "of code" }
}
`;
const FILE = "tools/numbers.json";
const compare = (today, isFast = false) => compareNumbers(TEXT, today, { isFast });

describe("compareNumbers()", () => {
  it("accepts the numbers of the file, and leaves it as it is", () => {
    expect(compare({ files: 10, lines: 200 })).toMatchObject({ problems: [], texts: { [FILE]: TEXT } });
  });

  it("names a number that rose, its limit, its value, and what to do", () => {
    const { problems, texts } = compare({ files: 11, lines: 200 });
    expect(problems).toEqual([
      expect.stringMatching(/"files" \(in src\) rose to 11; its limit is 10\. Lower it, or .*decisions\//),
    ]);
    expect(texts[FILE]).toBe(TEXT);
  });

  it("lowers the limit of a number that fell, and no other", () => {
    const { problems, texts } = compare({ files: 9, lines: 201 });
    expect(problems).toHaveLength(1);
    expect(texts[FILE]).toBe(TEXT.replace('"limit": 10', '"limit": 9'));
  });

  it("accepts a number that is below its limit by the tolerance, and lowers one that is further below to the middle", () => {
    const text = '{ "bytes": { "limit": 1000, "tolerance": 200, "counts": "compressed" } }';
    expect(compareNumbers(text, { bytes: 800 }, { isFast: false }).texts[FILE]).toBe(text);
    expect(compareNumbers(text, { bytes: 799 }, { isFast: false }).texts[FILE]).toBe(text.replace("1000", "899"));
    expect(compareNumbers(text, { bytes: 1001 }, { isFast: false }).problems).toHaveLength(1);
  });

  it("lowers a limit in a file that is formatted in another way", () => {
    const text = JSON.stringify(JSON.parse(TEXT), null, 2);
    const { texts } = compareNumbers(text, { files: 10, lines: 7 }, { isFast: false });
    expect(JSON.parse(texts[FILE])).toMatchObject({ files: { limit: 10 }, lines: { limit: 7 } });
  });

  it("refuses a number without a row, and a row that nothing counts", () => {
    expect(compare({ files: 10, names: 3 }).problems).toEqual([
      expect.stringContaining('no row "names", which is 3'),
      expect.stringContaining('the row "lines", which nothing counts'),
    ]);
  });

  it("does without the rows that need a build in the fast form, not without others", () => {
    expect(compare({ files: 10 }, true).problems).toEqual([]);
    expect(compare({ files: 11 }, true).problems).toHaveLength(1);
  });
});
