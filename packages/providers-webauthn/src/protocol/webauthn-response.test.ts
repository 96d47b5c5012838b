import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCeremony, parsePasskeyAnswer } from "./webauthn-response.ts";

const assertion = {
  id: "AAAA",
  rawId: "AAAA",
  type: "public-key",
  response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "AAAA", userHandle: "BBBB" },
};
const attestation = { ...assertion, response: { clientDataJSON: "e30", attestationObject: "AAAA" } };

describe("parsePasskeyAnswer()", () => {
  it("reads both answers, as text and as objects, without what it does not know", () => {
    const data = { ...assertion, clientExtensionResults: {} };
    const noisy = { ...assertion, extra: 1, authenticatorAttachment: "platform" };
    expect(parsePasskeyAnswer("authenticate", noisy)).toEqual({ ceremony: "authenticate", data });
    expect(parsePasskeyAnswer("authenticate", JSON.stringify(noisy))).toEqual({ ceremony: "authenticate", data });
    expect(parsePasskeyAnswer("register", attestation)).toMatchObject({
      ceremony: "register",
      data: { response: { transports: [] } },
    });
  });

  it("leaves out a user handle that is not valid", () => {
    for (const userHandle of [null, "", 7, undefined]) {
      const data = { ...assertion, response: { ...assertion.response, userHandle } };
      expect(parsePasskeyAnswer("authenticate", data)?.data.response).not.toHaveProperty("userHandle");
    }
  });

  it("H234 reads own members alone", () => {
    const inherited = Object.create(assertion);
    expect(parsePasskeyAnswer("authenticate", inherited)).toBeNull();
    expect(parsePasskeyAnswer("authenticate", `{"__proto__":${JSON.stringify(assertion)}}`)).toBeNull();
  });

  it("refuses one answer as the other", () => {
    expect(parsePasskeyAnswer("register", assertion)).toBeNull();
    expect(parsePasskeyAnswer("authenticate", attestation)).toBeNull();
  });

  it("H234 never throws", () => {
    fc.assert(fc.property(fc.anything(), fc.anything(), (action, data) => void parsePasskeyAnswer(action, data)));
    fc.assert(fc.property(fc.json(), (data) => void parsePasskeyAnswer("authenticate", data)));
  });
});

describe("parseCeremony()", () => {
  it("knows two", () => {
    expect(["register", "authenticate"].map(parseCeremony)).toEqual(["register", "authenticate"]);
    expect([null, "", "Register", ["register"], 7].map(parseCeremony)).toEqual([null, null, null, null, null]);
  });
});
