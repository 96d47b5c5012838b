import type { EmailProvider } from "../model/provider.ts";
import { DEFAULT_EMAIL_MAX_AGE } from "../model/units.ts";
import { type ProviderResolution, problem } from "./resolution.ts";

/** Five mails in ten minutes to one address (contract 8). */
const DEFAULT_RATE_LIMIT = { max: 5, windowSeconds: 10 * 60 } as const;

/** Fills in an e-mail provider. */
export function resolveEmail(provider: EmailProvider, option: string): ProviderResolution {
  const { id, name, maxAge = DEFAULT_EMAIL_MAX_AGE, rateLimit = DEFAULT_RATE_LIMIT, secret, style } = provider;
  if (typeof provider.sendVerificationRequest !== "function") {
    return problem(`${option}.sendVerificationRequest`, `of provider "${id}" must be a function that sends the mail`);
  }
  if (!Number.isSafeInteger(maxAge) || maxAge < 1) {
    return problem(`${option}.maxAge`, `of provider "${id}" must be a whole number of seconds, 1 or more`);
  }
  const { generateVerificationToken, normalizeIdentifier } = provider;
  return {
    provider: {
      kind: "email",
      type: "email",
      id,
      name: name ?? "E-mail",
      maxAge,
      secret,
      generateVerificationToken: generateVerificationToken && (() => generateVerificationToken.call(provider)),
      normalizeIdentifier: normalizeIdentifier && ((identifier) => normalizeIdentifier.call(provider, identifier)),
      sendVerificationRequest: (params) => provider.sendVerificationRequest(params),
      rateLimit,
      style: style ?? {},
      source: provider,
    },
    warnings: [],
  };
}
