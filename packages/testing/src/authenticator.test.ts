import { describe, expect, it } from "vitest";
import { createAuthenticator } from "./authenticator.ts";

const CREATION = {
  challenge: "Y2hhbGxlbmdl",
  rp: { id: "app.example.com", name: "Example" },
  user: { id: "dXNlcg", name: "ann", displayName: "Ann" },
};
const REQUEST = { challenge: "Y2hhbGxlbmdl", rpId: "app.example.com" };

const read = (text: unknown) => JSON.parse(Buffer.from(String(text), "base64url").toString());

/** Flags and counter of an assertion. */
function dataOf(text: unknown) {
  const bytes = Buffer.from(String(text), "base64url");
  return { length: bytes.length, flags: bytes.readUInt8(32), counter: bytes.readUInt32BE(33) };
}

describe("createAuthenticator()", () => {
  it("makes credentials, counts their uses and forgets them", async () => {
    const authenticator = createAuthenticator();
    const made = await authenticator.create(CREATION);
    expect(read(made.response.clientDataJSON)).toEqual({
      type: "webauthn.create",
      challenge: CREATION.challenge,
      origin: "https://app.example.com",
      crossOrigin: false,
    });
    expect(authenticator.credentials).toMatchObject([{ id: made.id, userHandle: "dXNlcg", counter: 1 }]);
    const answer = await authenticator.get(REQUEST);
    expect(answer).toMatchObject({ id: made.id, rawId: made.id, response: { userHandle: "dXNlcg" } });
    expect(dataOf(answer.response.authenticatorData)).toEqual({ length: 37, flags: 0b101, counter: 2 });
    authenticator.forget(made.id);
    await expect(authenticator.get(REQUEST)).rejects.toThrow("NotAllowedError");
  });

  it("has credentials for one site, and one of a list", async () => {
    const authenticator = createAuthenticator();
    const [first] = [await authenticator.create(CREATION), await authenticator.create(CREATION)];
    await expect(authenticator.get({ ...REQUEST, rpId: "evil.example" })).rejects.toThrow("NotAllowedError");
    const allowed = await authenticator.get({ ...REQUEST, allowCredentials: [{ id: first?.id ?? "" }] });
    expect(allowed.id).toBe(first?.id);
    const excluded = { ...CREATION, excludeCredentials: [{ id: first?.id ?? "" }] };
    await expect(authenticator.create(excluded)).rejects.toThrow("InvalidStateError");
  });

  it("says what it is told to say", async () => {
    const authenticator = createAuthenticator({ counts: false, verifiesUser: false, backedUp: true });
    await authenticator.create(CREATION);
    const lie = { origin: "https://evil.example", type: "x", challenge: "eA", crossOrigin: true, userPresent: false };
    const { response } = await authenticator.get(REQUEST, lie);
    const { userPresent: _flag, ...said } = lie;
    expect(read(response.clientDataJSON)).toEqual(said);
    expect(dataOf(response.authenticatorData)).toEqual({ length: 37, flags: 0b11000, counter: 0 });
  });
});
