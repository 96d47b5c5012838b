// Databases with numbers as ids of users return numbers, whatever the types say; a session names its user in text.
import { attempts } from "@cardea/attempts";
import type { Adapter } from "@cardea/core/adapters";
import { secondFactor, secondFactorOf } from "@cardea/second-factor";
import { sessions, sessionsOf } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { type Browser, createMemoryAdapter, totpCode } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { EMAIL, OTHER, PASSWORD, startApp } from "../test/test-app.ts";
import { passwordsOf } from "./index.ts";

type Id = string | number | bigint;

const USER = /^user-(\d+)$/;

/** The memory adapter with other ids of users: those of the database outside, its own inside. */
function withIds(adapter: Adapter, make: (digits: string) => Id, isStrict: boolean): Adapter {
  const out = (value: unknown): unknown => {
    if (typeof value === "string") return USER.test(value) ? make(USER.exec(value)?.[1] ?? "") : value;
    if (Array.isArray(value)) return value.map(out);
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, /^(?:id|userId|user|session)$/.test(name) ? out(one) : one]),
    );
  };
  const isId = (value: unknown) =>
    ["number", "bigint"].includes(typeof value) || (typeof value === "string" && /^\d+$/.test(value));
  const native = (value: unknown) => {
    if (isStrict && typeof value !== typeof make("1"))
      throw new TypeError(`Argument "id": expected ${typeof make("1")}, provided ${typeof value}.`);
    return `user-${value}`;
  };
  const back = (value: unknown): unknown => {
    if (isId(value)) return native(value);
    if (typeof value !== "object" || value === null || value instanceof Date || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        /^(?:id|userId)$/.test(name) && isId(one)
          ? native(one)
          : /^(?:user|account|session)$/.test(name)
            ? back(one)
            : one,
      ]),
    );
  };
  return new Proxy(adapter, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) =>
        out(
          await Reflect.apply(
            method,
            target,
            args.map((one, n) => (n === 0 ? back(one) : one)),
          ),
        );
    },
  });
}

const KINDS: readonly (readonly [name: string, make: (digits: string) => Id, isStrict: boolean])[] = [
  ["texts", (digits) => digits, false],
  ["numbers", Number, false],
  ["bigints", BigInt, false],
  // As with Prisma, whose columns of type Int accept no text.
  ["texts, which must not be numbers", (digits) => digits, true],
  ["numbers, which must not be text", Number, true],
  ["bigints, which must not be text", BigInt, true],
];

describe.each(KINDS)("ids that are %s", (_, make, isStrict) => {
  describe.each(["jwt", "database"] as const)("%s", (strategy) => {
    it.each(["each", "log"] as const)("a new password ends every other session (%s)", async (check) => {
      const adapter = withIds(createMemoryAdapter().adapter, make, isStrict);
      const app = startApp({
        strategy,
        config: {
          adapter,
          extensions: [
            sessions({ revocation: { check } }),
            attempts(),
            stepUp({ settings: { within: "15m" } }),
            secondFactor(),
          ],
        },
      });
      const { open, register, signIn, userOf, change, askReset, useLink, choose, auth } = app;
      const [first, second, third] = [open(), open(), open()];
      await register(first);
      await signIn(second, EMAIL, PASSWORD);
      const users = () => Promise.all([first, second, third].map(userOf));
      expect(await users()).toEqual([EMAIL, EMAIL, null]);
      await change(second, { current: PASSWORD, password: OTHER });
      expect(await users()).toEqual([null, EMAIL, null]);
      await signIn(first, EMAIL, OTHER);
      expect(await users()).toEqual([EMAIL, EMAIL, null]);
      await askReset(third);
      await useLink(third);
      await choose(third, PASSWORD);
      expect(await users()).toEqual([null, null, EMAIL]);
      const id = String((await adapter.getUserByEmail?.(EMAIL))?.id);
      // A cast: server code passes the id that the database gave it.
      for (const given of [id, make(id)] as string[]) {
        expect(await passwordsOf(auth).has(given)).toBe(true);
        expect(await sessionsOf(auth).list(given)).toHaveLength(1);
        expect(await secondFactorOf(auth).list(given)).toEqual({ totp: [], recoveryCodesLeft: 0 });
      }
      for (const given of [id, make(id)] as string[]) {
        await signIn(first, EMAIL, PASSWORD);
        expect((await users())[0]).toBe(EMAIL);
        await sessionsOf(auth).endAll(given);
        expect(await users()).toEqual([null, null, null]);
        await sessionsOf(auth).block(given);
        await signIn(first, EMAIL, PASSWORD);
        expect((await users())[0]).toBe(null);
        await sessionsOf(auth).unblock(given);
      }
      expect(app.said.filter((one) => !one.includes("the user is blocked"))).toEqual([]);
    });

    it("a code of an authenticator app is asked for and accepted", async () => {
      const adapter = withIds(createMemoryAdapter().adapter, make, isStrict);
      const { open, register, signIn, userOf, said } = startApp({
        strategy,
        config: { adapter, extensions: [secondFactor()] },
      });
      const post = async (browser: Browser, path: string, fields: Record<string, string>) => {
        const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
        const headers = { accept: "application/json", "X-Auth-Return-Redirect": "1" };
        const body = new URLSearchParams({ csrfToken, ...fields });
        return (await browser.fetch(path, { method: "POST", body, headers })).json();
      };
      const [owner, other] = [open(), open()];
      await register(owner);
      const { enrol } = await post(owner, "/auth/factors/totp", { step: "begin" });
      // The code of the step before, so that the one of this step is left.
      const code = await totpCode(enrol.secret, Date.now() - 30_000);
      await post(owner, "/auth/factors/totp", { step: "confirm", setup: enrol.setup, code });
      await signIn(other, EMAIL, PASSWORD);
      expect(await userOf(other)).toBeNull();
      await post(other, "/auth/factor/totp", { code: await totpCode(enrol.secret) });
      expect([await userOf(other), said]).toEqual([EMAIL, []]);
    });
  });
});
