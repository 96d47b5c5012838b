// Linking by e-mail address with unmodified OAuth 2 provider objects of @auth/core: what their documents deny is not proven.
import type { OAuthProvider } from "@cardea/core/providers";
import { describe, expect, it } from "vitest";
import { createMemoryAdapter } from "../memory-adapter.ts";
import type { JsonObject } from "../scripted-provider/json.ts";
import { CLIENT, parseFunction } from "./providers/instantiate.ts";
import { PROFILES } from "./providers/profiles.ts";
import { signInWith } from "./providers/sign-in.ts";

const email = "ada@example.com";

/** The documents of a person who has not proven the address, by the name of the provider. */
const UNPROVEN: Readonly<Record<string, JsonObject>> = {
  discord: { ...PROFILES.discord, verified: false },
  kakao: { id: 1815, kakao_account: { ...Object(PROFILES.kakao?.kakao_account), is_email_verified: false } },
  patreon: {
    data: { id: "1815", attributes: { full_name: "Ada", email, image_url: "", is_email_verified: false } },
  },
};

/** The accounts of the user who has proven the address, after a sign-in with the document. */
async function linked(name: string, document: JsonObject): Promise<number> {
  const memory = createMemoryAdapter();
  await memory.adapter.createUser({ id: "1", name: null, email, emailVerified: new Date(), image: null });
  const provider = parseFunction(name)({ ...CLIENT, allowDangerousEmailAccountLinking: true });
  const described: OAuthProvider = { ...provider, ...Object(provider.options) };
  await signInWith(provider, described, document, { adapter: memory.adapter });
  return memory.snapshot().accounts.length;
}

describe("allowDangerousEmailAccountLinking of @auth/core", () => {
  it.each(Object.entries(UNPROVEN))(
    "%s does not link an address that it reports as unverified",
    async (name, document) => {
      expect(await linked(name, document)).toBe(0);
      expect(await linked(name, PROFILES[name] ?? {})).toBe(1);
    },
  );
});
