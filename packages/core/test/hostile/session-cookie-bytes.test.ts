import { createMemoryAdapter } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, recordOf, setUp } from "../harness/harness.ts";

const SC = COOKIE.session;

/** What a Node server makes of the bytes of a header: one character for each, none of them a control character but tab. */
const header = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }), fc.constant(0x25)), {
    maxLength: 60,
  })
  .map((bytes) => String.fromCharCode(...bytes).replaceAll(";", ""));
/** Any bytes at all, escaped as browsers and frameworks do. */
const escaped = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""));

/** An adapter as PostgreSQL behaves: what is not text there is an error. */
function strictAdapter() {
  const memory = createMemoryAdapter();
  const asked: string[] = [];
  const getSessionAndUser = async (token: string) => {
    asked.push(token);
    if (!/^[\x20-\x7e]+$/.test(token)) throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
    return (await memory.adapter.getSessionAndUser?.(token)) ?? null;
  };
  return { memory: { ...memory, adapter: { ...memory.adapter, getSessionAndUser } }, asked };
}

describe("a session cookie of any bytes", () => {
  it.each(["database", "jwt"] as const)(
    "is null and no failure (%s), and reaches no database unless it is printable ASCII",
    async (strategy) => {
      const { memory, asked } = strictAdapter();
      const app = setUpDatabase({ memory, strategy });
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(header, escaped, fc.constantFrom("%00", "a%00", "%0a", "%7f", "\u00e9")),
          async (value) => {
            asked.length = 0;
            const answer = recordOf(await app.send(`${BASE}/session`, { headers: { cookie: `${SC}=${value}` } }));
            expect([answer.status, answer.body]).toEqual([200, "null"]);
            for (const token of asked) expect(token).toMatch(/^[\x20-\x7e]+$/);
          },
        ),
        { numRuns: 300 },
      );
    },
  );
});

describe("an ambiguous session cookie", () => {
  it.each([
    ["jwt", () => setUp()],
    ["database", () => setUpDatabase()],
  ] as const)("never takes a good session away (%s)", async (_, start) => {
    const c = start();
    await c.signInWithOp();
    const good = `${SC}=${c.browser.cookies.get(SC)?.value}`;
    const bad = fc.constantFrom("x", "", "%00", "eyJhbGciOiJkaXIifQ..a.b.c", "\u00e9", "f".repeat(64), "%");
    await fc.assert(
      fc.asyncProperty(fc.array(bad, { maxLength: 4 }), fc.nat({ max: 4 }), async (others, at) => {
        const pairs = others.map((value) => `${SC}=${value}`).toSpliced(at, 0, good);
        const answer = recordOf(await c.send(`${BASE}/session`, { headers: { cookie: pairs.join("; ") } }));
        expect(JSON.parse(answer.body)).toMatchObject({ user: expect.anything() });
        expect(answer.headers.getSetCookie()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("holds for chunks: a planted part clears no good one", async () => {
    const callbacks = { jwt: ({ token }: { token: object }) => ({ ...token, large: "x".repeat(6_000) }) };
    const c = setUp({ config: { callbacks } });
    await c.signIn();
    const parts = c.browser.cookies.list().filter(({ name }) => name.startsWith(`${SC}.`));
    expect(parts.length).toBeGreaterThan(1);
    const pairs = parts.map(({ name, value }) => `${name}=${value}`);
    const cookie = [`${SC}.0=planted`, ...pairs, `${SC}.1=planted`].join("; ");
    const answer = recordOf(await c.send(`${BASE}/session`, { headers: { cookie } }));
    expect(answer.headers.getSetCookie()).toEqual([]);
    const alone = await c.send(`${BASE}/session`, { headers: { cookie: [...pairs, `${SC}=planted`].join("; ") } });
    expect(await alone.json()).toMatchObject({ user: { name: "ann" } });
  });

  it("signs out of every session that was sent", async () => {
    const c = setUpDatabase();
    await c.signInWithOp();
    const first = c.browser.cookies.get(SC)?.value ?? "";
    c.browser.cookies.clear();
    await c.signInWithOp();
    const second = c.browser.cookies.get(SC)?.value ?? "";
    const csrfToken = await c.csrfToken();
    const cookie = `${COOKIE.csrf}=${c.browser.cookies.get(COOKIE.csrf)?.value}; ${SC}=${second}; ${SC}=${first}`;
    const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
    await c.send(`${BASE}/signout`, { method: "POST", headers, body: `csrfToken=${csrfToken}` });
    expect(c.memory.snapshot().sessions).toEqual([]);
  });
});

describe("signing out without a session", () => {
  it.each([
    ["jwt", () => setUp()],
    ["database", () => setUpDatabase()],
  ] as const)("emits no signOut event (%s)", async (_, start) => {
    const c = start();
    expect((await c.post(`${BASE}/signout`)).status).toBe(302);
    expect(c.eventNames()).not.toContain("signOut");
    await c.signInWithOp();
    await c.post(`${BASE}/signout`);
    expect(c.eventNames().filter((name) => name === "signOut")).toHaveLength(1);
  });
});
