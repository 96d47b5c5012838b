import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "./databases/sqlite.ts";
import { PrismaAdapter } from "./prisma-adapter.ts";

const database = await openSqlite();
afterAll(() => database.close());

const operations: string[] = [];
const client = database.client.$extends({
  query: {
    $allOperations({ model, operation, args, query }) {
      operations.push(`${model}.${operation}`);
      return query(args);
    },
  },
});
const adapter = PrismaAdapter(client);
const expires = new Date("2100-01-01T00:00:00.123Z");

it("names what it needs if it gets no client", () => {
  // @ts-expect-error A caller without types, or a client that is created later.
  expect(() => PrismaAdapter(undefined)).toThrow(
    "PrismaAdapter() requires the application's PrismaClient. It received undefined.",
  );
});

it("leaves out the methods of models that have other columns, or are missing", () => {
  const { user, account, session } = database.client;
  const few = PrismaAdapter({ user, account: session, session, verificationToken: account, authenticator: {} });
  expect(few).toMatchObject({ getUser: expect.any(Function), createSession: expect.any(Function) });
  for (const method of ["linkAccount", "getUserByAccount", "createUserWithAccount", "createVerificationToken"])
    expect(few).not.toHaveProperty(method);
  expect(few).not.toHaveProperty("createAuthenticator");
});

/** A user with an account, a session and a passkey. */
async function addPerson(name: string) {
  const person = { id: "proposed", name, email: `${name}@example.com`, emailVerified: null, image: null };
  const { id: userId = "" } = (await adapter.createUser?.(person)) ?? {};
  const key = { provider: "example", providerAccountId: name };
  await adapter.linkAccount?.({ userId, type: "oauth", ...key, access_token: "a" });
  await adapter.createSession?.({ userId, sessionToken: `session-${name}`, expires });
  const passkey = {
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
    credentialPublicKey: "k",
  };
  await adapter.createAuthenticator?.({ userId, credentialID: name, providerAccountId: name, ...passkey });
  operations.length = 0;
  return { userId, ...key, sessionToken: `session-${name}` };
}

describe("PrismaAdapter()", () => {
  it("asks the database once for whatever takes one question", async () => {
    const { userId, sessionToken, provider, providerAccountId } = await addPerson("once");
    const key = { provider, providerAccountId };
    const other = { id: "", name: null, email: "both@example.com", emailVerified: null, image: null };
    await adapter.createUserWithAccount?.(other, { type: "oauth", provider, providerAccountId: "both" });
    await adapter.getUser?.(userId);
    await adapter.getUserByEmail?.("once@example.com");
    await adapter.getUserByAccount?.(key);
    await adapter.updateUser?.({ id: userId, name: "Once" });
    await adapter.getAccount?.(providerAccountId, provider);
    await adapter.listAccountsByUserId?.(userId);
    await adapter.updateAccount?.({ ...key, access_token: "b" });
    await adapter.getSessionAndUser?.(sessionToken);
    await adapter.updateSession?.({ sessionToken, expires });
    await adapter.listSessionsByUserId?.(userId);
    await adapter.getAuthenticator?.("once");
    await adapter.listAuthenticatorsByUserId?.(userId);
    await adapter.deleteSessionsByUserId?.(userId);
    await adapter.unlinkAccount?.(key);
    await adapter.deleteUser?.(userId);
    expect(operations).toEqual([
      "Account.create",
      ...["User.findUnique", "User.findUnique", "Account.findUnique", "User.update"],
      ...["Account.findUnique", "Account.findMany", "Account.update"],
      ...["Session.findUnique", "Session.update", "Session.findMany"],
      ...["Authenticator.findUnique", "Authenticator.findMany"],
      ...["Session.deleteMany", "Account.deleteMany", "User.deleteMany"],
    ]);
  });

  it("asks twice for what one of several callers may do, and for a counter that never goes back", async () => {
    const { sessionToken } = await addPerson("twice");
    const token = { identifier: "ann@example.com", token: "hash", expires };
    await adapter.createVerificationToken?.(token);
    operations.length = 0;
    expect(await adapter.useVerificationToken?.(token)).toEqual(token);
    await adapter.deleteSession?.(sessionToken);
    await adapter.updateAuthenticatorCounter?.("twice", 1);
    expect(operations).toEqual([
      ...["VerificationToken.findUnique", "VerificationToken.deleteMany"],
      ...["Session.findUnique", "Session.deleteMany"],
      ...["Authenticator.updateMany", "Authenticator.update"],
    ]);
  });

  it("leaves the id of a user to the database", async () => {
    const { userId } = await addPerson("id");
    expect(userId).not.toBe("proposed");
    expect(userId).not.toBe("");
  });

  it("gives back the session that it ended, and how many", async () => {
    const { userId, sessionToken } = await addPerson("ended");
    expect(await adapter.deleteSession?.(sessionToken)).toEqual({ userId, sessionToken, expires });
    expect(await adapter.deleteSession?.(sessionToken)).toBeNull();
    expect(await adapter.deleteSessionsByUserId?.(userId)).toBe(0);
  });

  it("gives back nothing but the members of an account that are there", async () => {
    const { userId, sessionToken: _, ...key } = await addPerson("bare");
    const account = await adapter.getAccount?.(key.providerAccountId, key.provider);
    expect(account).toEqual({ userId, type: "oauth", ...key, access_token: "a" });
  });

  it("rejects with what Prisma says of a unique key that is taken", async () => {
    const { userId, sessionToken } = await addPerson("taken");
    await expect(adapter.createSession?.({ userId, sessionToken, expires })).rejects.toMatchObject({ code: "P2002" });
  });

  it("rejects when there is no user or authenticator to update", async () => {
    await expect(adapter.updateUser?.({ id: "unknown", name: "x" })).rejects.toMatchObject({ code: "P2025" });
    await expect(adapter.updateAuthenticatorCounter?.("nothing", 1)).rejects.toMatchObject({ code: "P2025" });
  });

  /** An adapter whose every call is rejected. */
  const rejecting = (error: Error) =>
    PrismaAdapter(database.client.$extends({ query: { $allOperations: () => Promise.reject(error) } }));

  it.each([undefined, "P1001", "P2025"])(
    "rejects with what the database says, and takes it for no missing row: %s",
    async (code) => {
      const down = Object.assign(new Error("connection lost"), { code });
      await expect(rejecting(down).deleteSession?.("token")).rejects.toBe(down);
      await expect(rejecting(down).getUser?.("id")).rejects.toBe(down);
    },
  );

  // Prisma: inconsistent column data; with a driver adapter: data validation error.
  it.each(["P2023", "P2007"])("has no user with an id that its column cannot hold: %s", async (code) => {
    const refused = Object.assign(new Error('invalid input syntax for type uuid: "7"'), { code });
    expect(await rejecting(refused).getUser?.("7")).toBeNull();
    await expect(rejecting(refused).getUserByEmail?.("ann@example.com")).rejects.toBe(refused);
  });

  // In a `where` of Prisma undefined means every row, and an object is an operator.
  it.each([undefined, null, 1, { not: "" }, { contains: "" }, ["a"]])(
    "touches no row when asked for %j",
    async (value) => {
      const { userId, sessionToken, provider, providerAccountId } = await addPerson(`guarded-${JSON.stringify(value)}`);
      await adapter.createVerificationToken?.({ identifier: "guarded", token: JSON.stringify(value) ?? "", expires });
      operations.length = 0;
      const attempts: [(...args: never[]) => unknown, ...unknown[]][] = [];
      const attempt = (method: ((...args: never[]) => unknown) | undefined, ...args: unknown[]) => {
        if (method) attempts.push([method, ...args]);
      };
      attempt(adapter.getUser, value);
      attempt(adapter.getUserByEmail, value);
      attempt(adapter.getUserByAccount, { provider, providerAccountId: value });
      attempt(adapter.getUserByAccount, { provider: value, providerAccountId });
      attempt(adapter.updateUser, { id: value, name: "x" });
      attempt(adapter.deleteUser, value);
      attempt(adapter.unlinkAccount, { provider, providerAccountId: value });
      attempt(adapter.getAccount, value, provider);
      attempt(adapter.listAccountsByUserId, value);
      attempt(adapter.updateAccount, { provider: value, providerAccountId, access_token: "x" });
      attempt(adapter.getSessionAndUser, value);
      attempt(adapter.updateSession, { sessionToken: value, expires });
      attempt(adapter.deleteSession, value);
      attempt(adapter.listSessionsByUserId, value);
      attempt(adapter.deleteSessionsByUserId, value);
      attempt(adapter.useVerificationToken, { identifier: "guarded", token: value });
      attempt(adapter.useVerificationToken, { identifier: value, token: "token" });
      attempt(adapter.getAuthenticator, value);
      attempt(adapter.listAuthenticatorsByUserId, value);
      attempt(adapter.updateAuthenticatorCounter, value, 9);
      for (const [method, ...args] of attempts) {
        await expect(async () => Reflect.apply(method, undefined, args)).rejects.toThrow(TypeError);
      }
      expect({ attempts: attempts.length, operations }).toEqual({ attempts: 20, operations: [] });
      expect(await adapter.getSessionAndUser?.(sessionToken)).toMatchObject({ user: { id: userId } });
    },
  );
});
