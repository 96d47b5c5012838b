/** A sign-in method of an extension: its type belongs to it alone. */

import { createAuth } from "@cardea/core";
import { defineExtension, type SignInMethodDefinition } from "@cardea/extend";
import { Passkey } from "@cardea/providers-webauthn";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";

const CONFIG = {
  logger: { warn: () => {} },
  secret: "a secret of more than thirty-two bytes",
  adapter: createMemoryAdapter().adapter,
} as const;

/** A passkey provider as another installed copy of its package makes it, whose method owns a type. */
function anotherCopy(type: string) {
  const provider = Passkey({ id: "second" });
  const method = Object(provider.extension).method as SignInMethodDefinition;
  return { ...provider, type, extension: Object.assign({}, provider.extension, { method: { ...method, type } }) };
}

function setUp(...providers: readonly object[]) {
  return () => createAuth({ ...CONFIG, experimental: { enableWebAuthn: true }, providers: [...providers] as never });
}

describe("an extension that does not fit to this copy of core", () => {
  const KIT = Symbol.for("cardea.extension-kit");
  const misfitOf = <E extends object>(extension: E, change: object): E => ({
    ...extension,
    [KIT]: { ...Object(Reflect.get(extension, KIT)), ...change },
  });
  const gate = defineExtension({ id: "gate", admit: () => ({ admit: true }) });
  const MISFITS = [
    [{ copy: {} }, "uses another copy of @cardea/core than the application"],
    [{ protocol: 0 }, "uses a version of @cardea/extend that is too old for this @cardea/core"],
    [{ protocol: 2 }, "uses a version of @cardea/core that is too old for this @cardea/extend"],
    [{ protocol: "1" }, "must be created by `defineExtension()`"],
  ] as const;

  it.each(MISFITS)("is refused at start, wherever it is configured: %o", (change, message) => {
    expect(() => createAuth({ ...CONFIG, providers: [], extensions: [misfitOf(gate, change)] })).toThrow(
      `\`extensions[0]\` ${message}`,
    );
    const passkey = Passkey();
    const door = { id: "door", name: "Door", type: "credentials", credentials: {}, authorize: () => null };
    for (const provider of [
      { ...passkey, extension: misfitOf(Object(passkey.extension), change) },
      { ...door, extension: misfitOf(gate, change) },
    ])
      expect(setUp(provider)).toThrow(`\`providers[0].extension\` ${message}`);
  });
});

describe("the type of a sign-in method", () => {
  it("belongs to one method, of all providers of that type", () => {
    expect(setUp(Passkey(), Passkey({ id: "second", enableConditionalUI: false }))).not.toThrow();
  });

  it("belongs to no second copy of the method", () => {
    expect(setUp(Passkey(), anotherCopy("webauthn"))).toThrow(
      /`providers\[1\]\.extension` brings a sign-in method for the type "webauthn", for which `providers\[0\]\.extension` already/,
    );
  });

  it.each(["oauth", "oidc", "email", "credentials"])("%s belongs to core", (type) => {
    expect(setUp(anotherCopy(type))).toThrow(
      `\`providers[0].extension\` brings a sign-in method for the type "${type}", for which core already brings one`,
    );
  });

  it("needs a method", () => {
    const { extension: _, ...bare } = Passkey();
    expect(setUp(bare)).toThrow('of provider "passkey" has no passkey sign-in: use Passkey()');
    expect(setUp({ ...bare, type: "saml" })).toThrow('"oidc", "oauth", "email", "credentials", "webauthn"');
  });

  it("takes no method that an application wrote as an object", () => {
    const provider = Passkey();
    const { type, members, resolve } = Object(provider.extension).method as SignInMethodDefinition;
    expect(setUp({ ...provider, extension: { id: "own", method: { type, members, resolve } } })).toThrow(
      "has no passkey sign-in",
    );
  });
});
