/** A sign-in method of an extension: its type belongs to it alone. */

import { createAuth } from "@cardea/core";
import type { SignInMethodDefinition } from "@cardea/extend";
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
