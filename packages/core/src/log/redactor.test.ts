import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallbackRouteError, InvalidCheck } from "../model/errors.ts";
import { createRedactor } from "./redactor.ts";

/** A redactor of a request that holds these values. */
const knowing = (...values: readonly (string | undefined)[]) =>
  createRedactor(
    [],
    values.map((value) => [["token", value]]),
  );

const createPlain = () => createRedactor([]);

describe("known values", () => {
  it("are removed wherever they stand, the longer of two first", () => {
    const { text } = knowing("hunter22", "hunter22-and-more");
    expect(text("hunter22 xhunter22x hunter22-and-more")).toBe("[redacted] x[redacted]x [redacted]");
  });

  it("are taken literally, not as patterns", () => {
    expect(knowing("a.c$&...").text("abc$&... a.c$&...")).toBe("abc$&... [redacted]");
  });

  const secret = fc
    .string({ unit: "grapheme", minLength: 8, maxLength: 60 })
    .filter((text) => !/\s/.test(text) && !"[redacted]".includes(text));
  const ENCODINGS = {
    plain: (value: string) => value,
    percent: encodeURIComponent,
    "percent, lower case": (value: string) => encodeURIComponent(value).replace(/%../g, (one) => one.toLowerCase()),
    form: (value: string) => new URLSearchParams({ value }).toString().slice("value=".length),
    JSON: (value: string) => JSON.stringify(value).slice(1, -1),
    base64: (value: string) => Buffer.from(value).toString("base64"),
    base64url: (value: string) => Buffer.from(value).toString("base64url"),
    HTML: (value: string) =>
      value.replace(/[&<>"']/g, (one) => `&${{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" }[one]};`),
    SQL: (value: string) => value.replaceAll("'", "''"),
    "SQL with backslashes": (value: string) => value.replace(/[\\'"]/g, "\\$&"),
  } as const;

  it.each(Object.entries(ENCODINGS))("are removed as they are spelled in %s, at either end", (_, encode) => {
    const value = fc.tuple(secret, fc.constantFrom("", "'", '"', "&<>", "\\", "/+ä~"));
    fc.assert(
      fc.property(value, ([begin, end]) => {
        const whole = `${begin}${end}`;
        for (const redactor of [knowing(whole), createRedactor([whole])])
          expect(redactor.text(`x ${encode(whole)} y`)).toMatch(/^x \[redacted\]=* y$/);
      }),
    );
  });

  it("do not mind lone surrogates", () => {
    expect(knowing("\ud800abcdefg").text("x \ud800abcdefg")).toBe("x [redacted]");
  });

  it("of seven characters stay, which would garble everything, those of eight do not", () => {
    expect(knowing("abcdefg", "hijklmno").text("abcdefg hijklmno")).toBe("abcdefg [redacted]");
  });

  it("are found by their names, at any depth of a body, and no others are", () => {
    const sources = [
      new URLSearchParams({ code: "the-code-in-a-query", note: "a note of the visitor" }),
      new Map<string, unknown>([
        ["client_secret", ["in-a-list-1"]],
        ["more", { refreshToken: { deep: "far-below-it" }, text: "ordinary text" }],
      ]),
    ];
    const all = "the-code-in-a-query a note of the visitor in-a-list-1 far-below-it ordinary text";
    expect(createRedactor([], sources).text(all)).toBe(
      "[redacted] a note of the visitor [redacted] [redacted] ordinary text",
    );
  });

  it("are looked for in bounded time, whatever a request contains", () => {
    const fields = Array.from({ length: 3000 }, (_, n) => [`token${n}`, `${n}-'"<&`.repeat(5)] as const);
    const start = performance.now();
    for (let n = 0; n < 10; n += 1) createRedactor([], [fields]).text(`a line ${"x-y ".repeat(2500)}`);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("cut at the end of a long text leave no part of themselves", () => {
    const value = "s3cret-value-".repeat(40);
    for (let shift = 0; shift < 520; shift += 40)
      expect(knowing(value).text(`${"x".repeat(shift)} ${value.repeat(30)}`)).not.toContain("s3cret");
    expect(knowing("s3cret-value").text(`${"x".repeat(1018)} s3cret-value`)).not.toContain("s3cre");
  });
});

describe("words of the library", () => {
  const OWN = "The form was sent from another site. See OAuthAccountNotLinked and InvalidCheck";
  const word = fc.constantFrom(...OWN.split(" "), "OAuthAccountNotLinked", OWN, "sent from another site", "404");

  it("stay in its own lines, whatever words a client sends as its secrets", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        expect(knowing(...words).line(OWN)).toBe(OWN);
        expect(knowing(...words).error(new InvalidCheck(OWN)).message).toContain(OWN);
      }),
    );
  });

  it.each(["eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])(
    "and unknown text are not guessed at by their shape: %s",
    (token) => {
      expect(createPlain().text(`refused: ${token}!`)).toBe(`refused: ${token}!`);
    },
  );
});

describe("text()", () => {
  it.each([
    ["a Bearer token", "Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]"],
    ["Basic credentials", "authorization: basic Y2lkOmNzZWNyZXQ=", "authorization: basic [redacted]"],
    ["a code in a URL", "https://a.example/cb?code=SplxlO&x=1", "https://a.example/cb?code=[redacted]&x=1"],
    [
      "form parameters",
      "client_secret=a&code_verifier=b&access_token=c&refresh_token=d&id_token=e&password=f",
      "client_secret=[redacted]&code_verifier=[redacted]&access_token=[redacted]&refresh_token=[redacted]&id_token=[redacted]&password=[redacted]",
    ],
    ["state and nonce", "?state=abc&nonce=def#", "?state=[redacted]&nonce=[redacted]"],
    ["members of JSON", '{"password": "a\'b","id":"7"}', '{"password": "[redacted]","id":"7"}'],
    ["members of JSON in JSON", '"{\\"token\\":\\"a b\\",\\"x\\":1}"', '"{\\"token\\":\\"[redacted]\\",\\"x\\":1}"'],
    ["members of an object", "{ accessToken: 'a', 'id_token': 'b' }", "{ accessToken: 'a', 'id_token': '[redacted]' }"],
    ["the user of a web address", "https://ann:pw@a.example/@scope", "https://[redacted]@a.example/@scope"],
    [
      "the password of a database",
      "at postgres://app:p/w@x#@db:5432/app?a=1",
      "at postgres://[redacted]@db:5432/app?a=1",
    ],
    ["a token as the user of a URL", "redis://:s3cr3t@cache:6379", "redis://[redacted]@cache:6379"],
  ])("takes %s out by its name", (_, given, expected) => {
    expect(createPlain().text(given)).toBe(expected);
  });

  const WRAPPED = {
    plain: (url: string) => url,
    "JSON, whose slashes are escaped": (url: string) => JSON.stringify(url).replaceAll("/", "\\/"),
    "JSON in JSON": (url: string) => JSON.stringify(JSON.stringify({ url })),
    percent: encodeURIComponent,
    "percent, lower case": (url: string) => encodeURIComponent(url).replace(/%../g, (one) => one.toLowerCase()),
    "a message": (url: string) => `Failed to parse URL from ${url}`,
    "the name of a variable": (url: string) => `MY_${url}`,
  } as const;
  const marked = (unit: fc.Arbitrary<string>) =>
    fc.tuple(fc.string({ unit, maxLength: 8 }), fc.string({ unit, maxLength: 8 })).map(([a, b]) => `${a}PWPW${b}`);
  const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const OF_URLS = [
    ["https", printable.filter((one) => !"/?#<>\\".includes(one))],
    ["postgres", printable.filter((one) => !"<>".includes(one))],
  ] as const;

  it.each(Object.entries(WRAPPED))("takes user and password out of any URL, in %s", (_, wrap) => {
    for (const [scheme, unit] of OF_URLS)
      fc.assert(
        fc.property(marked(unit), marked(unit), (user, password) => {
          const line = createPlain().text(`x ${wrap(`${scheme}://${user}:${password}@db.example.com/a`)} y`);
          expect(line).not.toContain("PWPW");
          expect(line).toContain("db.example.com");
        }),
      );
  });

  it.each([
    "a://",
    "https://",
    "a%3A%2F%2F",
    "https%3A%2F%2F",
    "https:\\/\\/",
    '"token":"',
    "a=",
    "://@",
    "https://a@",
  ])("takes a time that is linear in its length: %s", (part) => {
    const text = part.repeat(8192 / part.length);
    const start = performance.now();
    for (let n = 0; n < 20; n += 1) createPlain().text(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("leaves words that only look alike", () => {
    const given =
      "the barcode is fine; status_code=404; Bearer of bad news; mail to ann@example.com; https://a.example/@x";
    expect(createPlain().text(given)).toBe(given);
  });

  it("H285 makes one line of whatever breaks lines or talks to a terminal", () => {
    const hostile = "a\r\nb\tc\u001b[31md\u0000e\u0085f\u2028g\u2029h\u007f";
    expect(createPlain().text(hostile)).toBe("a\\r\\nb\\tc\\u001b[31md\\u0000e\\u0085f\\u2028g\\u2029h\\u007f");
  });

  it("H095 ends after 1024 characters, and not before", () => {
    const { text } = createPlain();
    expect(text("x".repeat(1024))).toBe("x".repeat(1024));
    expect(text("x".repeat(1025))).toBe(`${"x".repeat(1024)}…`);
    expect(text("x".repeat(1_000_000))).toBe(`${"x".repeat(1024)}…`);
  });
});

describe("error()", () => {
  it("keeps class, name and type, and the error that was given as it was", () => {
    const given = new CallbackRouteError("db pw=hunter22", {
      cause: { err: new TypeError("hunter22"), provider: "op" },
    });
    const copy = knowing("hunter22").error(given);
    expect(copy).toBeInstanceOf(CallbackRouteError);
    expect(copy).toMatchObject({ name: "CallbackRouteError", type: "CallbackRouteError" });
    expect(copy.message).not.toContain("hunter22");
    expect(copy.stack).not.toContain("hunter22");
    expect(copy.cause).toMatchObject({ provider: "op", err: { name: "TypeError", message: "[redacted]" } });
    expect(given.message).toContain("hunter22");
  });

  it("H285 keeps type and kind of our errors, though a client sent those words as its cookies", () => {
    const copy = knowing("InvalidCheck", "signIn", "stale").error(new InvalidCheck("stale"));
    expect(copy).toMatchObject({ name: "InvalidCheck", type: "InvalidCheck", kind: "signIn" });
    expect(copy.message).toContain("stale");
    expect(knowing("hunter22").error(Object.assign(new Error("x"), { type: "hunter22" }))).toMatchObject({
      type: "[redacted]",
    });
  });

  it("reaches the causes of causes", () => {
    const deep = new Error("a", { cause: new Error("b", { cause: new Error("hunter22") }) });
    const copy = knowing("hunter22").error(deep);
    expect(copy).toMatchObject({ cause: { message: "b", cause: { message: "[redacted]" } } });
  });

  it("does not run in circles", () => {
    const circle = new Error("hunter22");
    circle.cause = circle;
    expect(JSON.stringify(knowing("hunter22").error(circle).message)).toBe('"[redacted]"');
  });

  it("copies a frozen error", () => {
    const copy = knowing("hunter22").error(Object.freeze(new Error("hunter22")));
    expect(copy.message).toBe("[redacted]");
  });

  it("keeps no word of a secret in the causes of an error, whatever their class: the application may have thrown them", () => {
    const { error, value } = knowing("correct horse");
    const thrown = new InvalidCheck("no correct horse");
    for (const copy of [
      error(new CallbackRouteError("x", { cause: { err: thrown } })).cause?.valueOf(),
      value({ err: thrown }),
    ])
      expect(Object(copy).err.message).toMatch(/^no \[redacted\] /);
  });

  it("keeps a `code` that names a kind of error, and no other", () => {
    const { error } = createPlain();
    expect(error(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))).toMatchObject({ code: "ECONNREFUSED" });
    expect(error(Object.assign(new Error("x"), { code: "Splx-lOBe.ZQQ" }))).toMatchObject({ code: "[redacted]" });
    expect(knowing("SplxlOBeZQQ").value({ code: "SplxlOBeZQQ" })).toEqual({ code: "[redacted]" });
  });
});

describe("value()", () => {
  it("shows facts of the allow-list, and no other member", () => {
    const facts = { provider: "op", status: 404, reason: null, method: undefined, port: 10n, members: ["a", "b"] };
    const others = { clientSecret: "x", user: { name: "ann" }, given: ["x"], response: new URLSearchParams("code=x") };
    expect(createPlain().value({ ...facts, ...others })).toEqual(facts);
    expect(createPlain().error(Object.assign(new Error("x"), facts, others))).toMatchObject(facts);
    expect(Object.keys(createPlain().error(Object.assign(new Error("x"), others)))).toEqual([]);
  });

  it("redacts the values of facts", () => {
    expect(knowing("hunter22").value({ error: ["hunter22", { reason: "hunter22" }] })).toEqual({
      error: ["[redacted]", { reason: "[redacted]" }],
    });
  });

  it("names functions and symbols without looking into them", () => {
    const given = { err: () => "x", reason: Symbol("x"), url: new URLSearchParams("code=x") };
    expect(createPlain().value(given)).toEqual({ err: "[function]", reason: "[symbol]", url: {} });
  });

  it("bounds depth, lists and members", () => {
    const nested = JSON.parse(`${'{"err":'.repeat(50)}1${"}".repeat(50)}`);
    expect(JSON.stringify(createPlain().value(nested)).length).toBeLessThan(100);
    expect(createPlain().value(Array.from({ length: 100 }, (_, n) => n))).toHaveLength(20);
  });

  it("gives no prototype away", () => {
    const copy = createPlain().value(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.prototype).not.toHaveProperty("polluted");
    expect(copy).not.toHaveProperty("polluted");
  });
});

describe("values that are made to mislead", () => {
  const SECRET = "Qk8xZ2pLw93mVt5Yc7Rf1Nd4Hs6Jb0Ae";
  const redactor = () => {
    return knowing(SECRET);
  };

  it("the name of an error is one line without secrets", () => {
    const error = Object.assign(new Error("x"), { name: `N ${SECRET}\nforged` });
    const copy = redactor().error(error);
    expect([copy.name, copy.stack?.split("\n")[0]]).toEqual(["N [redacted]\\nforged", "N [redacted]\\nforged: x"]);
  });

  it.each([42, undefined, { a: 1 }])("an error whose message is %s keeps its line", (message) => {
    const error = Object.defineProperty(new Error("x"), "message", { value: message });
    expect(redactor().error(error).message).toBe(String(message));
  });

  it("a getter that throws loses its member only", () => {
    const value = {
      id: 1,
      get error() {
        throw new Error("b");
      },
    };
    expect(redactor().value(value)).toEqual({ id: 1, error: "[unreadable]" });
  });

  it("an object is copied once, however often it occurs", () => {
    const shared: Record<string, unknown> = { id: 1 };
    Object.assign(shared, { err: shared, error: shared });
    expect(redactor().value(shared)).toEqual({ id: 1, err: "[…]", error: "[…]" });
  });
});
