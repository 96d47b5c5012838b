import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { ORIGIN } from "../../core/test/harness/harness.ts";
import { type PasskeyCase, setUpPasskeys } from "../../core/test/harness/passkey-app.ts";

const HOME = { url: `${ORIGIN}/dash` };
const stored = ({ memory }: PasskeyCase) => memory.snapshot().authenticators[0];

describe("the record of a passkey", () => {
  it.each([
    ["ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "Google Password Manager"],
    ["D548826E-79B4-DB40-A3D8-11116F7E8349", "Bitwarden"],
    ["2fc0579f-8113-47ea-b116-bb5a8db9202a", "YubiKey 5 NFC"],
    ["00000000-0000-0000-0000-000000000000", null],
    ["01234567-89ab-cdef-0123-456789abcdef", null],
  ])("has the name of its provider, by the AAGUID %s: %s", async (aaguid, name) => {
    const app = setUpPasskeys({ device: { aaguid } });
    expect(await (await app.register()).json()).toEqual(HOME);
    expect(stored(app)).toMatchObject({ name, createdAt: expect.any(Date) });
    expect(stored(app)?.usedAt ?? null).toBe(null);
  });

  it("has the name also when it is added to a user", async () => {
    const app = setUpPasskeys({ device: { aaguid: "bada5566-a7aa-401f-bd96-45619a55120d" } });
    await app.signInWithOp();
    expect(await (await app.register("")).json()).toEqual(HOME);
    expect(stored(app)).toMatchObject({ name: "1Password", createdAt: expect.any(Date) });
  });

  it("follows the backup state and the time of its use, and keeps its name", async () => {
    const app = setUpPasskeys({ device: { backedUp: true, counts: false } });
    await app.register(undefined, { backedUp: false });
    const { credentialID = "" } = stored(app) ?? {};
    await app.memory.adapter.updateAuthenticator({ credentialID, name: "Phone" });
    await app.signOut();
    for (const backedUp of [true, false]) {
      expect(await (await app.authenticate("", { backedUp })).json()).toEqual(HOME);
      const record = { credentialBackedUp: backedUp, credentialDeviceType: "multiDevice", name: "Phone" };
      expect(stored(app)).toMatchObject({ ...record, usedAt: expect.any(Date) });
      await app.signOut();
    }
    // What may be backed up is fixed at creation (WebAuthn L3 §7.2 step 19).
    const refused: { url: string } = await (
      await app.authenticate("", { backupEligible: false, backedUp: false })
    ).json();
    expect(refused.url).toContain("error=Callback");
  });

  it("has a counter that fits into a signed column of 32 bits, whatever the authenticator counts from", async () => {
    const app = setUpPasskeys({ device: {} });
    await app.register(undefined, { counter: 3_000_000_000 });
    expect(stored(app)?.counter).toBe(2_147_483_647);
    await app.signOut();
    // Also one that was reset to a counter above this limit.
    for (const counter of [3_000_000_000, 3_000_000_001, 2_147_483_648, 4_294_967_295]) {
      expect(await (await app.authenticate("", { counter })).json()).toEqual(HOME);
      expect(stored(app)?.counter).toBe(2_147_483_647);
      await app.signOut();
    }
    const refused: { url: string } = await (await app.authenticate("", { counter: 2_147_483_646 })).json();
    expect(refused.url).toContain("error=Callback");
  });

  it.each([
    // Up to 191 characters, the id of the account is that of the credential, as with Auth.js.
    [141, 188, 188],
    [144, 192, 51],
    // Google's Titan keys have 528 bytes; WebAuthn L3 §4 allows 1023.
    [528, 704, 51],
    [1023, 1364, 51],
  ])("has an id of %i bytes, and an account whose id fits into its column", async (bytes, length, accountLength) => {
    const app = setUpPasskeys();
    const credentialId = Buffer.alloc(bytes, 7).toString("base64url");
    expect(await (await app.register(undefined, { credentialId })).json()).toEqual(HOME);
    const { credentialID = "", providerAccountId } = stored(app) ?? {};
    expect([credentialID.length, providerAccountId?.length]).toEqual([length, accountLength]);
    expect(app.memory.snapshot().accounts).toMatchObject([{ providerAccountId }]);
    const signals = await (await app.ask("action=signals")).json();
    expect(signals).toMatchObject({ signals: { allAcceptedCredentialIds: [credentialId] } });
    await app.signOut();
    expect(await (await app.authenticate()).json()).toEqual(HOME);
    await app.signOut();
    const again: { url: string } = await (await app.register("email=bob@example.com", { credentialId })).json();
    expect(again.url).toContain("error=Callback");
  });

  it("has only the members of Auth.js for an adapter that stores no others", async () => {
    const memory = createMemoryAdapter();
    const { updateAuthenticator: _, ...adapter } = memory.adapter;
    const device = { aaguid: "bada5566-a7aa-401f-bd96-45619a55120d" };
    const app = setUpPasskeys({ device, memory, config: { adapter } });
    expect(await (await app.register()).json()).toEqual(HOME);
    await app.signOut();
    expect(await (await app.authenticate()).json()).toEqual(HOME);
    const {
      userId: _user,
      credentialID: _id,
      providerAccountId: _account,
      credentialPublicKey: _key,
      ...rest
    } = stored(app) ?? {};
    expect(rest).toEqual({
      counter: 2,
      credentialBackedUp: false,
      credentialDeviceType: "singleDevice",
      transports: "hybrid,internal",
    });
  });
});
