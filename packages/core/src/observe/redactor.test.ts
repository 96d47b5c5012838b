import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { CallbackRouteError, InvalidCheck } from "../model/errors.ts";
import { createLogger } from "./logger.ts";
import { createRedactor } from "./redactor.ts";
import { isSecretShaped } from "./secret-shape.ts";

function knowing(...values: readonly (string | null | undefined)[]) {
  const redactor = createRedactor();
  for (const value of values) redactor.redact(value);
  return redactor;
}

describe("conceal()", () => {
  it("takes a value out of text wherever it stands, the longer of two first", () => {
    const { text } = knowing("hunter2", "hunter2-and-more");
    expect(text("hunter2 xhunter2x hunter2-and-more")).toBe("[redacted] x[redacted]x [redacted]");
  });

  it("takes values literally, not as patterns", () => {
    expect(knowing("a.c$&").text("abc$& a.c$&")).toBe("abc$& [redacted]");
  });

  it("takes a value out as it is spelled in a form, in a URL and in JSON", () => {
    const secret = 'a "b"\n& ü!(~*';
    const { text } = knowing(secret);
    const form = new URLSearchParams({ p: secret }).toString().slice(2);
    expect(text(`${form} ${encodeURIComponent(secret)} ${JSON.stringify({ p: secret })}`)).toBe(
      '[redacted] [redacted] {"p":"[redacted]"}',
    );
  });

  it("does not mind lone surrogates", () => {
    expect(knowing("\ud800abc").text("x \ud800abc")).toBe("x [redacted]");
  });

  it("leaves values of three characters, which would garble everything, and takes those of four", () => {
    expect(knowing("abc", "abcd").text("abc abcd")).toBe("abc [redacted]");
  });

  it("does not mind what is absent", () => {
    expect(knowing(undefined, null, "").text("nothing")).toBe("nothing");
  });

  it("counts for what was made before it as well", () => {
    const redactor = createRedactor();
    const { text } = redactor;
    redactor.redact("late-secret");
    expect(text("late-secret")).toBe("[redacted]");
  });
});

describe("words and secrets", () => {
  const OWN = "The form was sent from another site. See OAuthAccountNotLinked and InvalidCheck";
  const word = fc.constantFrom(
    ...OWN.split(" "),
    "site",
    "OAuthAccountNotLinked",
    OWN,
    "form was sent by a page",
    "404",
  );

  it("no word that a client sends takes anything out of the library's own lines", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        expect(knowing(...words).line(OWN)).toBe(OWN);
        expect(knowing(...words).error(new InvalidCheck(OWN)).message).toContain(OWN);
      }),
    );
  });

  const secret = fc.oneof(
    fc.stringMatching(/^[0-9a-f]{32,80}$/),
    fc.stringMatching(/^[A-Za-z0-9_-]{32,120}$/),
    fc.stringMatching(/^eyJ[A-Za-z0-9_-]{20,40}\.[A-Za-z0-9_-]{20,80}\.[A-Za-z0-9_-]{20,60}$/),
  );

  it("no secret is left in a line, nor a part of one that is worth something", () => {
    const cut = fc.tuple(
      secret,
      fc.nat(),
      fc.integer({ min: 24, max: 120 }),
      fc.constantFrom("", "of ", 'token: "', "x="),
    );
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 6 }), (cuts) => {
        const parts = cuts.map(([value, from, length, before]) => {
          const at = from % Math.max(1, value.length - 24);
          return { part: value.slice(at, at + length), before };
        });
        const { text, line } = knowing(...cuts.map(([value]) => value));
        const given = parts.map(({ part, before }) => `${before}${part}`).join(" and ");
        for (const shown of [text(given), line(given)]) {
          // A part that reads like words as a whole is kept, whatever a piece of it looks like.
          for (const { part } of parts.filter((one) => isSecretShaped(one.part, 16))) {
            for (let at = 0; at + 16 <= part.length; at += 1) {
              const piece = part.slice(at, at + 16);
              if (isSecretShaped(piece, 16)) expect(shown).not.toContain(piece);
            }
          }
        }
      }),
    );
  });

  it.each([
    ["the header of a JWT", "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ"],
    ["the payload of a JWT", "eyJzdWIiOiIxMjM0NTY3ODkwIn0"],
    ["the signature of a JWT", "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"],
    ["a token of the database", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  ])("takes %s out, though nothing announced it", (_, token) => {
    expect(createRedactor().text(`refused: ${token}!`)).toBe("refused: [redacted]!");
  });

  it("costs nothing for lines that are not written", () => {
    let asked = 0;
    const { logger, redactLater } = createLogger({ error: () => undefined }, false, []);
    redactLater(() => {
      asked += 1;
      return ["a-secret-0123456789"];
    });
    logger.debug("not written", {
      get value() {
        asked += 1;
        return 1;
      },
    });
    expect(asked).toBe(0);
    logger.error(new Error("written"));
    logger.error(new Error("written"));
    expect(asked).toBe(1);
  });
});

describe("text()", () => {
  it.each([
    ["a compact JWS", "got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl!", "got [redacted]!"],
    ["a compact JWE", "eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn", "[redacted]"],
    ["a Bearer token", "Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]"],
    ["Basic credentials", "authorization: basic Y2lkOmNzZWNyZXQ=", "authorization: basic [redacted]"],
    ["a code in a URL", "https://a.example/cb?code=SplxlO&x=1", "https://a.example/cb?code=[redacted]&x=1"],
    [
      "form parameters",
      "client_secret=a&code_verifier=b&access_token=c&refresh_token=d&id_token=e&password=f",
      "client_secret=[redacted]&code_verifier=[redacted]&access_token=[redacted]&refresh_token=[redacted]&id_token=[redacted]&password=[redacted]",
    ],
    ["state and nonce", "?state=abc&nonce=def#", "?state=[redacted]&nonce=[redacted]"],
  ])("takes %s out by its shape", (_, given, expected) => {
    expect(createRedactor().text(given)).toBe(expected);
  });

  it("leaves words that only look alike", () => {
    const given = "the barcode is fine; status_code=404; Bearer of bad news; eye.j";
    expect(createRedactor().text(given)).toBe(given);
  });

  it("H285 makes one line of whatever breaks lines or talks to a terminal", () => {
    const hostile = "a\r\nb\tc\u001b[31md\u0000e\u0085f\u2028g\u2029h\u007f";
    expect(createRedactor().text(hostile)).toBe(
      "a\\u000d\\u000ab\\u0009c\\u001b[31md\\u0000e\\u0085f\\u2028g\\u2029h\\u007f",
    );
  });

  it("H095 ends after 1024 characters, and not before", () => {
    const { text } = createRedactor();
    expect(text("x".repeat(1024))).toBe("x".repeat(1024));
    expect(text("x".repeat(1025))).toBe(`${"x".repeat(1024)}…`);
    expect(text("x".repeat(1_000_000))).toBe(`${"x".repeat(1024)}…`);
  });

  it("takes a secret out before the line is cut, so that no half of it stays", () => {
    const line = knowing("s3cret-value").text(`${"x".repeat(1018)}s3cret-value`);
    expect(line).not.toContain("s3cre");
  });
});

describe("error()", () => {
  it("keeps class, name and type, and the error that was given as it was", () => {
    const given = new CallbackRouteError("db pw=hunter2", { cause: { err: new TypeError("hunter2"), provider: "op" } });
    const copy = knowing("hunter2").error(given);
    expect(copy).toBeInstanceOf(CallbackRouteError);
    expect(copy).toMatchObject({ name: "CallbackRouteError", type: "CallbackRouteError" });
    expect(copy.message).not.toContain("hunter2");
    expect(copy.stack).not.toContain("hunter2");
    expect(copy.cause).toMatchObject({ provider: "op", err: { name: "TypeError", message: "[redacted]" } });
    expect(given.message).toContain("hunter2");
  });

  it("H285 keeps type and kind of our errors, though a client sent those words as its cookies", () => {
    const copy = knowing("InvalidCheck", "signIn", "stale").error(new InvalidCheck("stale"));
    expect(copy).toMatchObject({ name: "InvalidCheck", type: "InvalidCheck", kind: "signIn" });
    expect(copy.message).toContain("stale");
    expect(knowing("hunter2").error(Object.assign(new Error("x"), { type: "hunter2" }))).toMatchObject({
      type: "[redacted]",
    });
  });

  it("reaches the causes of causes", () => {
    const deep = new Error("a", { cause: new Error("b", { cause: new Error("hunter2") }) });
    const copy = knowing("hunter2").error(deep);
    expect(copy).toMatchObject({ cause: { message: "b", cause: { message: "[redacted]" } } });
  });

  it("does not run in circles", () => {
    const circle = new Error("hunter2");
    circle.cause = circle;
    expect(JSON.stringify(knowing("hunter2").error(circle).message)).toBe('"[redacted]"');
  });

  it("copies a frozen error", () => {
    const copy = knowing("hunter2").error(Object.freeze(new Error("hunter2")));
    expect(copy.message).toBe("[redacted]");
  });

  it("keeps a `code` that names a kind of error, and no other", () => {
    const { error } = createRedactor();
    expect(error(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))).toMatchObject({ code: "ECONNREFUSED" });
    expect(error(Object.assign(new Error("x"), { code: "Splx-lOBe.ZQQ" }))).toMatchObject({ code: "[redacted]" });
  });
});

describe("value()", () => {
  it.each([
    "clientSecret",
    "client_secret",
    "access_token",
    "refreshToken",
    "password",
    "pwd",
    "pin",
    "otp",
    "code",
    "code_verifier",
    "nonce",
    "state",
    "Cookie",
    "authorization",
    "client_assertion",
    "credentials",
  ])("conceals a member called %s, whatever it holds", (name) => {
    expect(createRedactor().value({ [name]: "x" })).toEqual({ [name]: "[redacted]" });
    expect(createRedactor().value({ [name]: { deep: ["x"] } })).toEqual({ [name]: "[redacted]" });
  });

  it("shows what is no secret: flags, numbers, names", () => {
    const facts = { hasToken: true, tokens: 3, provider: "op", status: 404, none: null, absent: undefined };
    expect(createRedactor().value(facts)).toEqual(facts);
  });

  it("redacts names as well as values", () => {
    expect(knowing("hunter2").value({ hunter2: ["hunter2", { a: "hunter2" }] })).toEqual({
      "[redacted]": ["[redacted]", { a: "[redacted]" }],
    });
  });

  it("names instances, functions and symbols without looking into them", () => {
    const given = { url: new URLSearchParams("code=x"), map: new Map([["a", "b"]]), f: () => "x", s: Symbol("x") };
    expect(createRedactor().value(given)).toEqual({
      url: "[URLSearchParams]",
      map: "[Map]",
      f: "[function]",
      s: "[symbol]",
    });
  });

  it("names an object without a prototype and one whose constructor lies", () => {
    expect(createRedactor().value(Object.create(null))).toBe("[object]");
    expect(() => createRedactor().value(Object.create({ constructor: undefined }))).not.toThrow();
  });

  it("bounds depth, lists and members", () => {
    const nested = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`);
    expect(JSON.stringify(createRedactor().value(nested)).length).toBeLessThan(100);
    expect(createRedactor().value(Array.from({ length: 100 }, (_, n) => n))).toHaveLength(20);
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${n}`, n]));
    expect(Object.keys(Object(createRedactor().value(wide)))).toHaveLength(50);
  });

  it("gives no prototype away", () => {
    const copy = createRedactor().value(JSON.parse('{"__proto__":{"polluted":true}}'));
    expect(Object.prototype).not.toHaveProperty("polluted");
    expect(copy).not.toHaveProperty("polluted");
  });
});

describe("values that are made to mislead", () => {
  const SECRET = "Qk8xZ2pLw93mVt5Yc7Rf1Nd4Hs6Jb0Ae";
  const redactor = () => {
    const made = createRedactor();
    made.redact(SECRET);
    return made;
  };

  it("the name of an error is one line without secrets", () => {
    const error = Object.assign(new Error("x"), { name: `N ${SECRET}\nforged` });
    const copy = redactor().error(error);
    expect([copy.name, copy.stack?.split("\n")[0]]).toEqual([
      "N [redacted]\\u000aforged",
      "N [redacted]\\u000aforged: x",
    ]);
  });

  it.each([42, undefined, { a: 1 }])("an error whose message is %s keeps its line", (message) => {
    const error = Object.defineProperty(new Error("x"), "message", { value: message });
    expect(redactor().error(error).message).toBe(String(message));
  });

  it("a getter that throws loses its member only", () => {
    const value = {
      a: 1,
      get b() {
        throw new Error("b");
      },
    };
    expect(redactor().value(value)).toEqual({ a: 1, b: "[unreadable]" });
  });

  it("an object without a class shows nothing of itself", () => {
    const value = Object.assign(Object.create(null), { constructor: { name: SECRET } });
    expect(redactor().value(value)).toBe("[object]");
  });

  it("an object is copied once, however often it occurs", () => {
    let reads = 0;
    const shared: Record<string, unknown> = {};
    for (let n = 0; n < 50; n += 1) {
      const get = () => {
        reads += 1;
        return shared;
      };
      Object.defineProperty(shared, `k${n}`, { enumerable: true, get });
    }
    redactor().value(shared);
    expect(reads).toBe(50);
  });
});

describe("the secrets of a configuration", () => {
  it("are spelled once for all of its requests, in every line of each", () => {
    const secrets = ["an operator's secret"];
    let spelled = 0;
    const Original = URLSearchParams;
    vi.stubGlobal(
      "URLSearchParams",
      class extends Original {
        constructor(...given: ConstructorParameters<typeof Original>) {
          super(...given);
          spelled++;
        }
      },
    );
    const lines = [1, 2, 3].flatMap(() => {
      const redactor = createRedactor();
      redactor.redactAlways(secrets);
      return [redactor.line("x=an+operator%27s+secret;"), redactor.line("an operator's secret.")];
    });
    vi.unstubAllGlobals();
    expect(new Set(lines)).toEqual(new Set(["x=[redacted];", "[redacted]."]));
    expect(spelled).toBe(1);
  });
});
