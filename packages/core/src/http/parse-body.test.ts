import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBody } from "./parse-body.ts";

const URL_ = "https://app.example.com/auth/signout";
const LIMIT = 64 * 1024;
const FORM = "application/x-www-form-urlencoded";

function post(body: BodyInit | null, contentType?: string, headers: Record<string, string> = {}): Request {
  const all = { ...headers, ...(contentType === undefined ? {} : { "content-type": contentType }) };
  return new Request(URL_, { method: "POST", body, headers: all });
}

async function fieldsOf(body: BodyInit | null, contentType?: string): Promise<[string, unknown][]> {
  return [...(await parseBody(post(body, contentType))).body];
}

function refusal(body: BodyInit | null, contentType?: string, headers?: Record<string, string>): Promise<number> {
  return parseBody(post(body, contentType, headers)).then(
    () => 200,
    (error: { status: number }) => error.status,
  );
}

/** A body in pieces that counts how many of them were taken. */
function stream(pieces: number, size: number) {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      taken += 1;
      if (taken > pieces) controller.close();
      else controller.enqueue(new Uint8Array(size).fill(97));
    },
  });
  const init = { method: "POST", body, duplex: "half", headers: { "content-type": FORM } };
  return { request: new Request(URL_, init), taken: () => taken };
}

describe("parseBody()", () => {
  it.each([
    [LIMIT - 1, 200],
    [LIMIT, 200],
    [LIMIT + 1, 413],
  ])("rule 1: of %i bytes answers %i", async (bytes, status) => {
    expect(await refusal("a".repeat(bytes), FORM)).toBe(status);
  });

  it("rule 1: reads little more than the limit, whatever comes", async () => {
    const { request, taken } = stream(100_000, 16 * 1024);
    await expect(parseBody(request)).rejects.toMatchObject({ status: 413 });
    expect(taken()).toBeLessThanOrEqual(7);
  });

  it("rule 1: reads nothing when the announced length is too large", async () => {
    expect(await refusal("a=1", FORM, { "content-length": String(LIMIT + 1) })).toBe(413);
  });

  it.each(["abc", "-1", "1e99x", ""])("rule 1: an announced length of %j proves nothing", async (length) => {
    expect(await refusal("a=1", FORM, { "content-length": length })).toBe(200);
  });

  it("rule 1: a body that breaks off is refused with 400", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
    const init = { method: "POST", body, duplex: "half", headers: { "content-type": FORM } };
    await expect(parseBody(new Request(URL_, init))).rejects.toMatchObject({ status: 400 });
  });

  it("rule 1: a body that something else holds or has read is refused with 400", async () => {
    const make = () => new Request(URL_, { method: "POST", body: "a=1", headers: { "content-type": FORM } });
    const [locked, used] = [make(), make()];
    locked.body?.getReader();
    await used.text();
    for (const request of [locked, used]) {
      await expect(parseBody(request)).rejects.toMatchObject({ status: 400 });
    }
  });

  it.each([FORM, `${FORM};charset=UTF-8`, `${FORM.toUpperCase()} ; x=y`])(
    "rule 2: reads a form of type %s",
    async (type) => {
      expect(await fieldsOf("a=1&b=%C3%BC+%26", type)).toEqual([
        ["a", "1"],
        ["b", "ü &"],
      ]);
    },
  );

  it("rule 2: reads multipart/form-data", async () => {
    const form = new FormData();
    form.append("a", "1");
    form.append("a", "2");
    form.append("b", "ü");
    const fields = [...(await parseBody(new Request(URL_, { method: "POST", body: form }))).body];
    expect(fields).toEqual([
      ["a", "1"],
      ["b", "ü"],
    ]);
  });

  it("rule 2: refuses files", async () => {
    const form = new FormData();
    form.append("a", new Blob(["x"]), "a.txt");
    await expect(parseBody(new Request(URL_, { method: "POST", body: form }))).rejects.toMatchObject({
      status: 415,
    });
  });

  it.each(["multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary="])(
    "rule 2: refuses a multipart body that is not valid: %s",
    async (type) => {
      expect(await refusal("nonsense", type)).toBe(400);
    },
  );

  describe("rule 3: refuses more values than any application sends, whatever their bytes", () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
    const part = (name: string) => `--x\r\nContent-DISPOSITION: form-data; name="${name}"\r\n\r\n1\r\n`;
    const forms: Readonly<Record<string, readonly [type: string, write: (count: number) => string]>> = {
      "a form": [FORM, (count) => names(count).join("=1&")],
      "a form that repeats a name": [FORM, (count) => names(count).fill("a").join("&")],
      JSON: ["application/json", (count) => `{${names(count).map((name) => `"${name}":1`)}}`],
      "JSON that repeats a name": ["application/json", (count) => `{${names(count).map(() => `"a":1`)}}`],
      multipart: ["multipart/form-data; boundary=x", (count) => `${names(count).map(part).join("")}--x--\r\n`],
    };

    it.each(Object.entries(forms))("fields: %s", async (_name, [type, write]) => {
      expect(await refusal(write(200), type)).toBe(200);
      expect(await refusal(write(201), type)).toBe(413);
      expect(await refusal(write(1100), type)).toBe(413);
    });

    it.each([
      ["numbers", (count: number) => Array.from({ length: count }, () => "1").join()],
      ["objects", (count: number) => Array.from({ length: count }, () => "{}").join()],
      ["lists in lists", (count: number) => Array.from({ length: count / 10 }, () => `[${"[],".repeat(8)}[]]`).join()],
    ])("values of JSON: %s", async (_name, write) => {
      expect(await refusal(`{"data":[${write(2_400)}]}`, "application/json")).toBe(200);
      expect(await refusal(`{"data":[${write(5_100)}]}`, "application/json")).toBe(413);
    });
  });

  it.each(["text/plain", "application/xml", "application/json5", "", "text/plain, application/json", "json"])(
    "rule 2: refuses a body of type %j",
    async (type) => {
      expect(await refusal(new TextEncoder().encode("{}"), type)).toBe(415);
    },
  );

  it("rule 2: an empty body needs no type", async () => {
    expect(await fieldsOf(null)).toEqual([]);
    expect(await fieldsOf("", "text/plain")).toEqual([]);
  });

  it.each(["", "null", "[]", '"x"', "1", "{", "{}}", "{'a':1}", "undefined", "\ufeff{}", "{} {}"])(
    "rule 4: refuses the JSON body %j (H272)",
    async (body) => {
      expect(await refusal(body, "application/json")).toBe(400);
    },
  );

  it.each([
    [[0xff, 0xfe], FORM],
    [[0x22, 0xc3, 0x28, 0x22], "application/json"],
    [[0xed, 0xa0, 0x80], FORM],
  ])("rule 4: refuses bytes that are not UTF-8: %j", async (bytes, type) => {
    expect(await refusal(new Uint8Array(bytes), type)).toBe(400);
  });

  it("rule 4: refuses lone surrogates (H272)", async () => {
    expect(await refusal('{"a":"\\ud800"}', "application/json")).toBe(400);
    expect(await refusal('{"a":"\\ud83d\\ude00"}', "application/json")).toBe(200);
  });

  it("rule 5: takes the first of repeated keys", async () => {
    expect(await fieldsOf("a=1&a=2&b=3", FORM)).toEqual([
      ["a", "1"],
      ["b", "3"],
    ]);
    expect(await fieldsOf('{"a":1,"a":2}', "application/json")).toEqual([["a", 1]]);
  });

  it("rule 5: a name of more than 256 characters is left out", async () => {
    const [longest, longer] = ["n".repeat(256), "n".repeat(257)];
    expect(await fieldsOf(`${longest}=1&${longer}=2`, FORM)).toEqual([[longest, "1"]]);
    expect(await fieldsOf(JSON.stringify({ [longest]: 1, [longer]: 2 }), "application/json")).toEqual([[longest, 1]]);
  });

  it("rule 5: only own keys count", async () => {
    const fields = new Map(await fieldsOf('{"__proto__":{"a":1},"constructor":2}', "application/json"));
    expect([fields.get("a"), fields.get("constructor"), fields.has("toString")]).toEqual([undefined, 2, false]);
    expect(Object.hasOwn(Object.prototype, "a")).toBe(false);
  });

  it.each([
    ["csrfToken=a&csrfToken=a", FORM],
    ['{"csrfToken":"a","csrfToken":"a"}', "application/json"],
    ['{"csrfToken":"a","csrf\\u0054oken":"b"}', "application/json"],
    ['{"csrfToken":["a"]}', "application/json"],
    ['{"csrfToken":null}', "application/json"],
  ])("rule 5: refuses an ambiguous token: %s (H016, H271)", async (body, type) => {
    expect(await refusal(body, type)).toBe(400);
  });

  it.each(["a=%ff", "a=50%", "%c3=1", "a=1&b=%zz"])("rule 4: refuses a form that is not UTF-8: %s", async (body) => {
    expect(await refusal(body, FORM)).toBe(400);
  });

  it("keeps the bytes for authorize()", async () => {
    const { rawBody } = await parseBody(post("a=%2b&b", FORM));
    expect(new TextDecoder().decode(rawBody)).toBe("a=%2b&b");
  });

  it("is the inverse of how forms and JSON are written, whatever the text", () => {
    const text = fc.string({ unit: "grapheme" });
    const entries = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 8 });
    return fc.assert(
      fc.asyncProperty(entries, async (fields) => {
        fc.pre(fields.every(([name]) => name !== "csrfToken" && name !== "__proto__"));
        expect(await fieldsOf(new URLSearchParams(fields).toString(), FORM)).toEqual(fields);
        const json = `{${fields.map((pair) => pair.map((part) => JSON.stringify(part)).join(":")).join(",")}}`;
        expect(await fieldsOf(json, "application/json")).toEqual(fields);
      }),
    );
  });

  it("answers any bytes with fields or a documented status", () => {
    const types = fc.constantFrom(FORM, "application/json", "multipart/form-data; boundary=x", "text/plain");
    return fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), types, async (bytes, type) => {
        expect([200, 400, 415]).toContain(await refusal(new Uint8Array(bytes), type));
      }),
    );
  });

  it("refuses JSON that is nested too deeply before it is parsed", async () => {
    const nested = (levels: number) => `{"data":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect(await refusal(nested(64), "application/json")).toBe(200);
    expect(await refusal(nested(65), "application/json")).toBe(400);
    expect(await refusal(nested(20_000), "application/json")).toBe(400);
  });
});
