import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAuth } from "../index.ts";
import { skipCSRFCheck } from "../model/config.ts";
import { createRedactor } from "./redactor.ts";

/** Text of words, signs and characters of any kind, up to the length of a body. */
const long = fc
  .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), fc.constantFrom(1, 100, 2000, 15_000))
  .map(([unit, times]) => unit.repeat(times).slice(0, 60_000));

describe("values of any length", () => {
  it("are removed from foreign text, and lose no line", () => {
    fc.assert(
      fc.property(fc.array(long, { minLength: 1, maxLength: 8 }), (values) => {
        const redactor = createRedactor();
        for (const value of values) redactor.redact(value);
        for (const value of values.slice(0, 3)) {
          const line = redactor.text(`before ${value} after`);
          expect(line.length).toBeLessThanOrEqual(1025);
          if (value.length > 1024 && !/[A-Za-z0-9]/.test(value)) expect(line).not.toContain(value.slice(0, 512));
        }
        expect(redactor.line("InvalidRequest")).toBe("InvalidRequest");
      }),
      { numRuns: 40 },
    );
  });

  it("keep a line with as many as are searched for", () => {
    const redactor = createRedactor();
    for (let n = 0; n < 64; n++) redactor.redact(`${String.fromCodePoint(0x1f600 + n)}\\.*+?()| `.repeat(50));
    expect(redactor.text("a line of the provider")).toBe("a line of the provider");
  });

  it("show nothing that follows the beginning of a long phrase", () => {
    const redactor = createRedactor();
    const phrase = "correct horse battery ".repeat(3000);
    redactor.redact(phrase);
    expect(redactor.text(`the provider says: ${phrase}`)).toBe("the provider says: [redacted]");
  });

  it("hide no refused sign-in from the log", async () => {
    const lines: string[] = [];
    const { handlers } = createAuth({
      secret: "a secret of more than thirty-two bytes for tests",
      trustHost: true,
      skipCSRFCheck,
      logger: { warn: (line) => void lines.push(line), error: () => undefined, debug: () => undefined },
      providers: [{ id: "form", name: "Form", type: "credentials", credentials: { name: {} }, authorize: () => null }],
    });
    const body = new URLSearchParams({ name: "ann", note: "some words ".repeat(5000) });
    await handlers.POST(new Request("http://localhost/auth/callback/form", { method: "POST", body }));
    expect(lines.join()).toContain("CredentialsSignin");
  });
});
