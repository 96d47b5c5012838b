import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Adapter, AdapterUser } from "../model/adapter.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { callAdapter, withOwnId } from "./call-adapter.ts";

type Id = string | number | bigint;
type Type = "string" | "number" | "bigint";

/** A database whose column accepts what `accepts` allows, and that finds a user as `isFound` compares. */
interface Column {
  readonly users: readonly Id[];
  readonly accepts?: (id: unknown) => boolean;
  readonly isFound?: (stored: Id, given: unknown) => boolean;
}

function database({ users, accepts = () => true, isFound = (stored, given) => stored === given }: Column) {
  const asked: unknown[] = [];
  const getUser = (id: string): AdapterUser | null => {
    asked.push(id);
    if (!accepts(id)) throw new TypeError("Invalid value provided.");
    const found = users.find((stored) => isFound(stored, id));
    // A cast: databases return numbers, despite the type.
    return found === undefined ? null : { id: found as string, email: null, emailVerified: null };
  };
  const adapter: Adapter = { getUser };
  return { adapter, asked };
}

const only = (type: Type) => (id: unknown) => typeof id === type;

describe("withOwnId()", () => {
  it.each([
    ["numbers in a column that rejects text", [7], only("number"), 7],
    ["bigints in a column that rejects text", [7n], only("bigint"), 7n],
    ["text in a column that rejects numbers", ["7"], only("string"), "7"],
    ["numbers that are compared exactly, as in a Map", [7], () => true, 7],
  ] as const)("restores %s", async (_, users, accepts, expected) => {
    const { adapter } = database({ users, accepts });
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual([expected]);
    expect(await withOwnId(adapter, "listAccountsByUserId", ["7"])).toEqual([expected]);
    expect(await withOwnId(adapter, "createCredential", [{ userId: "7", type: "totp" }])).toEqual([
      { userId: expected, type: "totp" },
    ]);
    expect(await withOwnId(adapter, "updateUser", [{ id: "7", name: "Ann" }])).toEqual([{ id: expected, name: "Ann" }]);
  });

  it("uses the type that the adapter returns, where the column accepts both", async () => {
    const { adapter } = database({ users: [7], isFound: (stored, given) => String(stored) === String(given) });
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual([7]);
  });

  it("asks once per adapter, and never for ids that are not digits", async () => {
    const { adapter, asked } = database({ users: [7], accepts: only("number") });
    for (const id of ["user-1", "7d444840", "", "٧", "-7", "7.0", "1e3"])
      expect(withOwnId(adapter, "getUser", [id])).toEqual([id]);
    expect(asked).toEqual([]);
    await withOwnId(adapter, "getUser", ["7"]);
    expect(asked).toEqual(["7", 7]);
    expect(withOwnId(adapter, "getUser", ["8"])).toEqual([8]);
    expect(asked).toEqual(["7", 7]);
  });

  it("leaves what is not the id of a user", async () => {
    const { adapter, asked } = database({ users: [7], accepts: only("number") });
    const calls = [
      ["getSessionAndUser", "7"],
      ["deleteSession", "7"],
      ["getAccount", "7", "example"],
      ["getAuthenticator", "7"],
      ["deleteCredential", "7"],
      ["getUserByEmail", "7"],
      ["createUser", { id: "7" }],
      ["updateCredential", { id: "7", version: 0 }],
      ["linkAccount", { userId: 7, providerAccountId: "7" }],
      ["useVerificationToken", { identifier: "7", token: "7" }],
    ] as const;
    for (const [name, ...args] of calls) expect(withOwnId(adapter, name, args)).toBe(args);
    expect(asked).toEqual([]);
  });

  it("does not take the user of another id for an answer, as databases compare text with numbers", async () => {
    const { adapter } = database({
      users: ["7abc"],
      isFound: (stored, given) =>
        typeof given === "string" ? stored === given : Number.parseInt(String(stored), 10) === given,
    });
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual(["7"]);
    expect(await withOwnId(adapter, "deleteUser", ["7"])).toEqual(["7"]);
  });

  it("has no such user in the type that the database accepts, and learns nothing from that", async () => {
    const users: Id[] = [];
    const { adapter } = database({ users, accepts: only("number") });
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual([7]);
    users.push(7);
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual([7]);
  });

  it("passes text during an outage, and asks again afterwards", async () => {
    let isAway = true;
    const { adapter } = database({ users: [7], accepts: (id) => !isAway && typeof id === "number" });
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual(["7"]);
    isAway = false;
    expect(await withOwnId(adapter, "getUser", ["7"])).toEqual([7]);
  });

  it("passes text to an adapter without getUser", async () => {
    expect(await withOwnId({}, "deleteSessionsByUserId", ["7"])).toEqual(["7"]);
  });

  it("never names another user, whatever the id and the type", async () => {
    const digits = fc.oneof(fc.stringMatching(/^\d{1,30}$/), fc.constantFrom("0", "007", "9007199254740993"));
    const kinds: fc.Arbitrary<Type> = fc.constantFrom("string", "number", "bigint");
    await fc.assert(
      fc.asyncProperty(digits, digits, kinds, async (first, id, type) => {
        const make = { string: String, number: Number, bigint: BigInt }[type];
        const { adapter } = database({ users: [make(first)], accepts: only(type) });
        for (const text of [first, id]) {
          const [given] = await withOwnId(adapter, "getUser", [text]);
          expect(String(given)).toBe(text);
        }
      }),
    );
  });
});

/** A configuration with one adapter method; nothing else of it is read. */
const returning = (result: unknown) =>
  ({ adapter: { listAccountsByUserId: () => result } }) as unknown as ResolvedConfig;

describe("callAdapter()", () => {
  it.each(["id", "userId", "providerAccountId"])(
    "refuses a `%s` that lost digits on its way from the database",
    async (name) => {
      const call = callAdapter(returning([{ [name]: 2 ** 53 }]), "listAccountsByUserId", "u1");
      await expect(call).rejects.toMatchObject({
        type: "AdapterError",
        cause: { err: { message: /not a safe integer/ } },
      });
    },
  );

  it("keeps ids of every exact kind", async () => {
    const accounts = [{ id: 7, userId: 2n ** 60n, providerAccountId: "9007199254740993" }];
    expect(await callAdapter(returning(accounts), "listAccountsByUserId", "u1")).toEqual(accounts);
  });
});
