import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  NewCredential,
  SessionInfo,
  VerificationToken,
} from "@cardea/core/adapters";
import type { With } from "./contract-test.ts";

/** Text that no other test uses, so that tests may share a database. */
export function unique(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** Text of the given length that no other test uses. */
export function uniqueOfLength(length: number): string {
  return `${crypto.randomUUID()}${"x".repeat(length)}`.slice(0, length);
}

/** A time with milliseconds. */
export const precise = new Date("2031-05-17T13:14:15.678Z");

/** Emoji of several code points, other scripts, combining marks, quotes and a line break. */
export const unicode = "Zoë 👩‍👩‍👧‍👦 Łukasz 名前 اسم e\u0301 'q' \"d\" \\ ; -- %_ \n🏴󠁧󠁢󠁳󠁣󠁴󠁿";

/** A user who is not stored yet; the id is the caller's proposal. */
export function sampleUser(changes: Partial<AdapterUser> = {}): AdapterUser {
  const email = `${unique("ann")}@example.com`;
  return { id: crypto.randomUUID(), name: "Ann", email, emailVerified: null, image: null, ...changes };
}

/** An account without tokens. */
export function sampleAccount(userId: string, changes: Partial<AdapterAccount> = {}): AdapterAccount {
  return { userId, type: "oauth", provider: "example", providerAccountId: unique("account"), ...changes };
}

/** The look-up key of an account, without other members, because some adapters would treat these as conditions. */
export function keyOf({ provider, providerAccountId }: Pick<AdapterAccount, "provider" | "providerAccountId">) {
  return { provider, providerAccountId };
}

/** A session that ends in the far future. */
export function sampleSession(userId: string, changes: Partial<AdapterSession> = {}): AdapterSession {
  return { sessionToken: unique("session"), userId, expires: precise, ...changes };
}

/** A pending e-mail sign-in. */
export function sampleToken(changes: Partial<VerificationToken> = {}): VerificationToken {
  return { identifier: `${unique("ann")}@example.com`, token: unique("token"), expires: precise, ...changes };
}

/** The look-up key of a pending e-mail sign-in. */
export function halvesOf({ identifier, token }: VerificationToken) {
  return { identifier, token };
}

/** A passkey that was never used. */
export function sampleAuthenticator(userId: string, changes: Partial<AdapterAuthenticator> = {}): AdapterAuthenticator {
  const credentialID = unique("credential");
  return {
    credentialID,
    userId,
    providerAccountId: credentialID,
    credentialPublicKey: "pQECAyYgASFYIA==",
    counter: 0,
    credentialDeviceType: "singleDevice",
    credentialBackedUp: false,
    transports: null,
    ...changes,
  };
}

/** A second factor that was used. */
export function sampleCredential(userId: string, changes: Partial<NewCredential> = {}): NewCredential {
  const secret = `kid:${"s".repeat(2000)}`;
  const state = { step: 58_766_666, codes: ["a", "b"], text: unicode };
  return { userId, type: "totp", secret, label: "Phone", createdAt: precise, usedAt: precise, state, ...changes };
}

/** A record of a session, with every member. */
export function sampleSessionInfo(userId: string, changes: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id: unique("sid"),
    tokenHash: unique("Hash"),
    userId,
    createdAt: precise,
    seenAt: precise,
    expires: precise,
    factors: [
      { m: "pwd", t: 1_763_000_000 },
      { m: "otp", t: 1_763_000_060 },
    ],
    acr: "urn:example:loa3",
    provider: "example",
    providerAccountId: "x".repeat(255),
    idp: { provider: "example", iss: "https://id.example", sub: "ann", sid: "s", e: 2 },
    epoch: 3,
    userAgent: unicode,
    ip: "192.0.2.0",
    deviceKey: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
    endedAt: null,
    endReason: null,
    ...changes,
  };
}

/** Creates a user; resolves to their id. */
export async function addUser(adapter: With<"createUser">): Promise<string> {
  const { id } = await adapter.createUser(sampleUser());
  return id;
}

/** Values that look like `value` but differ: in case, by an accent, by a space, with wildcards. */
export function lookAlikes(value: string): readonly string[] {
  const accented = value.replace(/[aeo]/, (letter) => `${letter}\u0301`.normalize("NFC"));
  const cases = [value.toUpperCase(), value.toLowerCase()];
  const others = [...cases, accented, `${value} `, ` ${value}`, `${value.slice(0, -1)}_`, "%", ""];
  return others.filter((other) => other !== value);
}

/** Values that a careless adapter misinterprets: SQL, a path, a member that every object has. */
export const hostileTexts = ["' OR '1'='1", '" OR ""="', "../*", "*", "__proto__", "constructor", "a:b", "{}"] as const;
