import { describe, expect, it } from "vitest";
import { readFacts, signFacts } from "./signed-facts.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const FORMER = "a former secret of more than thirty-two bytes";
const iat = 1_800_000_000;
const facts = { sid: "s", at: iat - 10, e: 2, f: [["otp", iat - 5]] };
const claims = { sub: "7", iat, cardea: facts, unproven: { id: "7", email: "ann@example.com" } };

const signed = () => signFacts(claims, SECRET);

describe("readFacts()", () => {
  it("gives back what signFacts() signed, under the same secret", async () => {
    expect(await readFacts(await signed(), [FORMER, SECRET])).toEqual(claims);
    expect(await readFacts(await signed(), [FORMER])).toEqual({ sub: "7", iat });
  });

  it("has no facts where the text is of another user", async () => {
    expect(await readFacts({ ...(await signed()), sub: "8" }, [SECRET])).toEqual({ sub: "8", iat });
    const { sub: _sub, ...withoutUser } = await signed();
    expect(await readFacts(withoutUser, [SECRET])).toEqual({ iat });
  });

  it.each([
    ["facts as they are", facts],
    ["a text without HMAC", `v1.${btoa(JSON.stringify({ facts, exp: iat + 100 }))}.`],
    ["nothing", undefined],
    ["a number", 1],
    ["a list", ["v1.a.b"]],
  ])("has no facts where a client planted %s", async (_what, cardea) => {
    expect(await readFacts({ sub: "7", iat, cardea, unproven: { id: "8" } }, [SECRET])).toEqual({ sub: "7", iat });
  });

  it("has no facts where a character of the text was changed, or the end is missing", async () => {
    const { cardea } = await signed();
    const text = String(cardea);
    for (let at = 0; at < text.length; at += 3) {
      const changed = `${text.slice(0, at)}${text[at] === "A" ? "z" : "A"}${text.slice(at + 1)}`;
      expect(await readFacts({ sub: "7", iat, cardea: changed }, [SECRET])).toEqual({ sub: "7", iat });
      expect(await readFacts({ sub: "7", iat, cardea: text.slice(0, at) }, [SECRET])).toEqual({ sub: "7", iat });
    }
  });

  it("has no facts of a session that began after the token was made", async () => {
    const older = { ...(await signed()), iat: iat - 71 };
    expect(await readFacts(older, [SECRET])).toEqual({ sub: "7", iat: iat - 71 });
    expect(await readFacts({ ...older, iat: iat - 70 }, [SECRET])).toHaveProperty("cardea", facts);
  });

  it("has no facts after the text has ended", async () => {
    const end = iat + 400 * 24 * 60 * 60;
    expect(await readFacts({ ...(await signed()), iat: end - 1 }, [SECRET])).toHaveProperty("cardea", facts);
    expect(await readFacts({ ...(await signed()), iat: end }, [SECRET])).toEqual({ sub: "7", iat: end });
  });
});
