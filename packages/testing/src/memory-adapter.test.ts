import { describe, expect, it } from "vitest";
import { createMemoryAdapter } from "./memory-adapter.ts";

const person = { id: "", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
const past = new Date("2020-01-01T00:00:00.000Z");
const future = new Date("2100-01-01T00:00:00.000Z");

describe("createMemoryAdapter()", () => {
  it("hands out copies and keeps copies", async () => {
    const { adapter, snapshot } = createMemoryAdapter();
    const given = { ...person, emailVerified: new Date(past) };
    const user = await adapter.createUser(given);
    given.emailVerified.setTime(0);
    user.name = "changed";
    expect(snapshot().users).toEqual([{ ...person, id: "user-1", emailVerified: past }]);
    expect(snapshot().users).not.toBe(snapshot().users);
  });

  it("gives ids of its own, none that is taken", async () => {
    const { adapter } = createMemoryAdapter({ seed: { users: [{ ...person, id: "user-1" }] } });
    const user = await adapter.createUser({ ...person, id: "mine", email: "bo@example.com" });
    expect(user.id).toBe("user-2");
  });

  it("keeps several users without an address, and finds none by an empty one", async () => {
    const { adapter, snapshot } = createMemoryAdapter();
    await adapter.createUser({ ...person, email: null });
    await adapter.createUser({ ...person, email: null });
    await adapter.createUser({ ...person, email: "" });
    await adapter.createUser({ ...person, email: "" });
    expect(snapshot().users.map(({ email }) => email)).toEqual([null, null, "", ""]);
    expect(await adapter.getUserByEmail("")).toBeNull();
  });

  it("refuses a row of a user who is not there", async () => {
    const { adapter } = createMemoryAdapter();
    const session = { sessionToken: "t", userId: "unknown", expires: future };
    await expect(adapter.createSession(session)).rejects.toThrow('no user with the id "unknown" exists');
  });

  it("keeps a row as it was when a change would break a unique key", async () => {
    const users = [
      { ...person, id: "a" },
      { ...person, id: "b", email: "bo@example.com" },
    ];
    const { adapter, snapshot } = createMemoryAdapter({ seed: { users } });
    await expect(adapter.updateUser({ id: "b", email: person.email })).rejects.toThrow("Unique key user.email");
    expect(snapshot().users).toEqual(users);
  });

  it.each([
    { returnExpired: false, found: ["alive"] },
    { returnExpired: true, found: ["dead", "edge", "alive"] },
  ])("with returnExpired $returnExpired hands out sessions $found", async ({ returnExpired, found }) => {
    const now = future.getTime();
    const rows = { dead: past, edge: future, alive: new Date(now + 1) };
    const sessions = Object.entries(rows).map(([sessionToken, expires]) => ({ sessionToken, userId: "a", expires }));
    const seed = { users: [{ ...person, id: "a" }], sessions };
    const { adapter } = createMemoryAdapter({ seed, returnExpired, now: () => now });
    const listed = await adapter.listSessionsByUserId("a");
    expect(listed.map(({ sessionToken }) => sessionToken)).toEqual(found);
    for (const token of Object.keys(rows)) {
      expect((await adapter.getSessionAndUser(token))?.session.sessionToken).toBe(
        found.includes(token) ? token : undefined,
      );
    }
  });

  it("records each call with copies of its arguments, failed ones included", async () => {
    const { adapter, calls } = createMemoryAdapter();
    const given = { ...person };
    await adapter.createUser(given);
    given.name = "changed";
    await expect(adapter.createUser(person)).rejects.toThrow();
    expect(calls).toEqual([
      { method: "createUser", args: [person] },
      { method: "createUser", args: [person] },
    ]);
  });

  it("may be taken apart", async () => {
    const { adapter, calls } = createMemoryAdapter();
    const { getUser, ...rest } = adapter;
    expect(await getUser("unknown")).toBeNull();
    expect(await { ...rest }.getUserByEmail("unknown@example.com")).toBeNull();
    expect(calls.map(({ method }) => method)).toEqual(["getUser", "getUserByEmail"]);
    expect("getUser" in rest).toBe(false);
  });
});

describe("fail()", () => {
  it.each([new Error("down"), "down", null, undefined])("rejects with %s before anything is done", async (thrown) => {
    const { adapter, fail, snapshot } = createMemoryAdapter();
    fail({ throws: thrown });
    await expect(adapter.createUser(person)).rejects.toBe(thrown);
    expect(snapshot().users).toEqual([]);
    await adapter.createUser(person);
  });

  it("rejects after the database did what it was asked to", async () => {
    const { adapter, fail, snapshot } = createMemoryAdapter();
    fail({ throws: "lost", when: "after" });
    await expect(adapter.createUser(person)).rejects.toBe("lost");
    expect(snapshot().users).toHaveLength(1);
  });

  it("strikes call n of a method, as often as said", async () => {
    const { adapter, fail } = createMemoryAdapter();
    await adapter.getUser("a");
    fail({ method: "getUser", call: 2, times: 2, throws: "down" });
    const outcomes: string[] = [];
    for (let n = 0; n < 4; n++) {
      await adapter.getUserByEmail("a@example.com");
      outcomes.push(
        await Promise.resolve(adapter.getUser("a")).then(
          () => "ok",
          (error: unknown) => String(error),
        ),
      );
    }
    expect(outcomes).toEqual(["ok", "down", "down", "ok"]);
  });

  it("strikes call n of all, and nothing once healed", async () => {
    const { adapter, fail, heal } = createMemoryAdapter();
    fail({ call: 2, times: Number.POSITIVE_INFINITY, throws: "down" });
    await adapter.getUser("a");
    await expect(adapter.getUserByEmail("a@example.com")).rejects.toBe("down");
    await expect(adapter.getUser("a")).rejects.toBe("down");
    heal();
    expect(await adapter.getUser("a")).toBeNull();
  });

  it("answers something else, late, or never", async () => {
    const { adapter, fail, snapshot } = createMemoryAdapter();
    fail({ returns: { id: 7 } });
    expect(await adapter.createUser(person)).toEqual({ id: 7 });
    expect(snapshot().users).toEqual([]);
    fail({ delayMs: 1, when: "after" });
    const late = adapter.createUser(person);
    fail({ hangs: true });
    const never = adapter.getUser("a");
    expect(await Promise.race([never, late])).toEqual({ ...person, id: "user-1" });
  });
});
