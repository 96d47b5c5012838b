import { createMemoryAdapter, type MemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, installClock, recordOf } from "../harness/harness.ts";

type Write = (time: Date) => unknown;

const FORMS: readonly (readonly [string, Write])[] = [
  ["a Date", (time) => time],
  ["milliseconds", (time) => time.getTime()],
  ["seconds", (time) => Math.floor(time.getTime() / 1000)],
  ["text in UTC", (time) => time.toISOString()],
  ["text without a zone", (time) => time.toISOString().slice(0, -1).replace("T", " ")],
  ["text with an offset", (time) => time.toISOString().replace("T", " ").replace("Z", "+00")],
];

/** An adapter whose times come back as `write` makes them. */
function writing(write: Write): MemoryAdapter {
  const memory = createMemoryAdapter();
  const convert = (value: unknown): unknown => {
    if (value instanceof Date) return write(value);
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, convert(member)]));
  };
  const methods = Object.entries(memory.adapter).map(([name, method]) => [
    name,
    async (...args: unknown[]) => convert(await Reflect.apply(Object(method), memory.adapter, args)),
  ]);
  return { ...memory, adapter: asAdapter(Object.fromEntries(methods)) };
}

/** Every method is wrapped, so that none is missing. */
const asAdapter = (methods: object): MemoryAdapter["adapter"] => methods as MemoryAdapter["adapter"];

describe.each(FORMS)("an adapter that returns times as %s", (_, write) => {
  it("keeps sessions until they end, and no longer", async () => {
    const clock = installClock();
    const zone = process.env.TZ;
    process.env.TZ = "America/New_York";
    const app = setUpDatabase({ memory: writing(write), config: { session: { maxAge: 3600, updateAge: 3600 } } });
    await app.signInWithOp();
    clock.advance({ seconds: 3598 });
    expect(await app.session()).not.toBe(null);
    clock.advance({ seconds: 3 });
    expect(await app.session()).toBe(null);
    process.env.TZ = zone ?? "";
    if (zone === undefined) delete process.env.TZ;
  });

  it("signs in by a link while it lasts, and hands callbacks a Date", async () => {
    const clock = installClock();
    const seen: unknown[] = [];
    const callbacks = {
      session: ({ session, user }: { session: { expires: unknown }; user: { emailVerified: unknown } }) => {
        seen.push(session.expires, user.emailVerified);
        return { ...session, expires: Object(session.expires) };
      },
    };
    const app = setUpDatabase({ memory: writing(write), config: { callbacks } });
    await app.ask("ann@example.com");
    clock.advance({ hours: 23 });
    await app.open();
    const read = recordOf(await app.browser.fetch(`${BASE}/session`));
    if (read.body === "null") {
      // Opened after fifteen minutes a link asks for one more click.
      const link = new URL(app.mails.at(-1) ?? "");
      await app.post(`${link.pathname}`, Object.fromEntries(link.searchParams));
    }
    const { body } = recordOf(await app.browser.fetch(`${BASE}/session`));
    expect(JSON.parse(body).expires).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    for (const time of seen) expect(time).toBeInstanceOf(Date);
    clock.advance({ days: 2 });
    await app.ask("bob@example.com");
    clock.advance({ hours: 25 });
    await app.signOut();
    await app.open();
    expect(await app.session()).toBe(null);
  });
});

describe("an adapter that returns no time", () => {
  it.each(["soon", undefined, null, Number.NaN, "Invalid Date", {}, "31/12/2026"])(
    "as the end of a session (%j) lets no one in",
    async (expires) => {
      const memory = createMemoryAdapter();
      const getSessionAndUser = async (token: string) => {
        const found = await memory.adapter.getSessionAndUser?.(token);
        return found ? { user: found.user, session: { ...found.session, expires: asDate(expires) } } : null;
      };
      const app = setUpDatabase({
        memory: { ...memory, adapter: { ...memory.adapter, getSessionAndUser } },
        mayFail: true,
      });
      await app.signInWithOp();
      const answer = recordOf(await app.browser.fetch(`${BASE}/session`));
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([503, []]);
      expect(app.browser.cookies.get(COOKIE.session)).toBeDefined();
    },
  );
});

const asDate = (value: unknown): Date => value as Date;
