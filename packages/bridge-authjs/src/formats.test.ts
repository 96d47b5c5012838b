// Tokens of the real libraries, in both directions.
import { encode as encodeOwn } from "@cardea/core/jwt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFormer, encodeFormer, FORMER_SECRET, NAMES, SECRET, versions } from "../test/former-tokens.ts";
import { bridge } from "./bridge.ts";
import type { FormerVersion } from "./formats.ts";

function formatOf(version: FormerVersion) {
  const [format] = bridge({ accept: [version] }).sessionFormats ?? [];
  if (format?.seal === undefined) throw new Error("there is no format that seals");
  return { open: format.open, seal: format.seal };
}

const claimsOfUsers = fc
  .record({
    sub: fc.string({ minLength: 1 }),
    name: fc.option(fc.string()),
    email: fc.option(fc.string()),
    more: fc.jsonValue(),
  })
  .map((claims): Record<string, unknown> => JSON.parse(JSON.stringify(claims)));

describe.each(versions)("tokens of %s", (version) => {
  const { open, seal } = formatOf(version);
  const name = NAMES[version];

  it("are read, whatever they hold, and keep their claims", async () => {
    await fc.assert(
      fc.asyncProperty(claimsOfUsers, async (claims) => {
        expect(await open(await encodeFormer(version, claims), name, [SECRET])).toMatchObject(claims);
      }),
      { numRuns: 25 },
    );
  });

  it("are made so that the other library reads them", async () => {
    await fc.assert(
      fc.asyncProperty(claimsOfUsers, async (claims) => {
        const opened = await decodeFormer(version, await seal(claims, name, 600, [SECRET]));
        expect(opened).toMatchObject(claims);
        expect(Number(opened?.exp) - Number(opened?.iat)).toBe(600);
      }),
      { numRuns: 25 },
    );
  });

  it("are read under each of several secrets, in any order", async () => {
    const token = await encodeFormer(version, { sub: "7" }, { secret: FORMER_SECRET });
    expect(await open(token, name, [SECRET, FORMER_SECRET])).toMatchObject({ sub: "7" });
    expect(await open(token, name, [FORMER_SECRET, SECRET])).toMatchObject({ sub: "7" });
    expect(await open(token, name, [SECRET])).toBeNull();
  });

  it("are not read when a character was changed, or the end is missing", async () => {
    const token = await encodeFormer(version, { sub: "7" });
    for (let at = 0; at < token.length; at += 7) {
      // The last bits of a part may not count: the replacement differs in the first ones.
      const changed = `${token.slice(0, at)}${/[A-Za-f]/.test(token[at] ?? "") ? "z" : "A"}${token.slice(at + 1)}`;
      expect(await open(changed, name, [SECRET])).toBeNull();
    }
    for (const cut of [0, 1, 20, token.length - 1]) expect(await open(token.slice(0, cut), name, [SECRET])).toBeNull();
  });

  it("are not those of the other version or of Cardea, whose algorithm or key is another", async () => {
    for (const other of versions.filter((one) => one !== version)) {
      expect(await open(await encodeFormer(other, { sub: "7" }), name, [SECRET])).toBeNull();
    }
    const own = await encodeOwn({ token: { sub: "7" }, secret: SECRET, salt: name });
    expect(await open(own, name, [SECRET])).toBeNull();
  });

  it("that name no user are pending sign-ins, and not sessions (CVE-2023-48309)", async () => {
    expect(await open(await encodeFormer(version, { value: "state" }), name, [SECRET])).toBeNull();
    expect(await open(await encodeFormer(version, { code_verifier: "verifier" }), name, [SECRET])).toBeNull();
  });
});

describe("tokens of authjs-v5", () => {
  it("count under their cookie's own name only", async () => {
    const { open } = formatOf("authjs-v5");
    const token = await encodeFormer("authjs-v5", { sub: "7" }, { salt: "authjs.pkce.code_verifier" });
    expect(await open(token, "authjs.session-token", [SECRET])).toBeNull();
    expect(await open(token, "authjs.pkce.code_verifier", [SECRET])).toMatchObject({ sub: "7" });
  });
});
