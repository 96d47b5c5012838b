import { DrizzleAdapter as AuthDrizzleAdapter } from "@auth/drizzle-adapter";
import type { Adapter } from "@cardea/core/adapters";
import { expect, it } from "vitest";
import { DrizzleAdapter, type DrizzleDatabase } from "../drizzle-adapter.ts";

/** `@auth/drizzle-adapter` as it comes from npm. A cast: another copy of Drizzle may be installed. */
export function theirAdapter(db: object): Adapter {
  return AuthDrizzleAdapter(db as Parameters<typeof AuthDrizzleAdapter>[0]);
}

/** Both adapters without tables of the application's own: what one of them wrote, the other one reads. */
export function itSharesTables(open: () => { readonly db: DrizzleDatabase }): void {
  const theirs = () => theirAdapter(open().db);
  const ours = () => DrizzleAdapter(open().db);
  it.each([
    { name: "what @auth/drizzle-adapter wrote", writer: theirs, reader: ours },
    { name: "what @auth/drizzle-adapter then reads", writer: ours, reader: theirs },
  ])("reads and writes $name", async ({ name, writer: openWriter, reader: openReader }) => {
    const [writer, reader] = [openWriter(), openReader()];
    const email = `${name.replaceAll(" ", "-").slice(0, 40)}@example.com`;
    // The table of sessions in MySQL has whole seconds, and ends in 2038.
    const expires = new Date("2037-01-01T00:00:00.000Z");
    const user = await writer.createUser?.({ id: "proposed", name: "Ann", email, emailVerified: expires, image: null });
    const userId = user?.id ?? "";
    const key = { provider: "example", providerAccountId: email };
    await writer.linkAccount?.({ userId, type: "oidc", ...key, access_token: "a", expires_at: 1 });
    await writer.createSession?.({ sessionToken: email, userId, expires });
    await writer.createVerificationToken?.({ identifier: email, token: "hash", expires });
    const passkey = { credentialPublicKey: "k", counter: 1, credentialDeviceType: "d", credentialBackedUp: true };
    await writer.createAuthenticator?.({ credentialID: email, userId, providerAccountId: email, ...passkey });

    expect(await reader.getUser?.(userId)).toEqual(user);
    expect(await reader.getUserByEmail?.(email)).toEqual(user);
    expect(await reader.getUserByAccount?.(key)).toEqual(user);
    expect(await reader.getAccount?.(email, "example")).toMatchObject({ userId, access_token: "a", expires_at: 1 });
    expect(await reader.getSessionAndUser?.(email)).toMatchObject({ user, session: { userId, expires } });
    expect(await reader.getAuthenticator?.(email)).toMatchObject({ userId, ...passkey });
    const used = await reader.useVerificationToken?.({ identifier: email, token: "hash" });
    expect(used).toEqual({ identifier: email, token: "hash", expires });
    expect(await writer.useVerificationToken?.({ identifier: email, token: "hash" })).toBeNull();
    await reader.deleteSession?.(email);
    expect(await writer.getSessionAndUser?.(email)).toBeNull();
  });
}
