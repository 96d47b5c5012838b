import type { EmailCodes } from "@cardea/core/providers";

/**
 * Adds eight-digit codes to the e-mails of a provider, as its member `code` (docs/email.md#codes). Each is valid for ten minutes, because
 * reading and typing take no longer, and codes are short (ASVS 6.5.5). Requires a store.
 */
export const emailCodes: EmailCodes = {
  maxAge: 10 * 60,
  load: async () => (await import("./codes/loaded-codes.ts")).loadedCodes,
};
