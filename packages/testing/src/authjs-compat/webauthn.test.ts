// The passkey providers of @auth/core as they come from npm: their way to sign in is not part of core.
import AuthJsPasskey from "@auth/core/providers/passkey";
import AuthJsWebAuthn from "@auth/core/providers/webauthn";
import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
import { describe, expect, it } from "vitest";
import { createMemoryAdapter } from "../memory-adapter.ts";

const start = (provider: Provider) => () =>
  createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: createMemoryAdapter().adapter,
    providers: [provider],
    experimental: { enableWebAuthn: true },
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
  });

describe.each([
  { id: "passkey", theirs: AuthJsPasskey({}) },
  { id: "webauthn", theirs: AuthJsWebAuthn({ relayingParty: { id: "example.com", name: "Example" } }) },
])("$id of @auth/core", ({ id, theirs }) => {
  it("is refused at start, and the package is named", () => {
    expect(start(theirs)).toThrow(
      `\`providers[0]\` of provider "${id}" has no passkey sign-in: use Passkey() or WebAuthn() from @cardea/providers-webauthn`,
    );
  });
});
