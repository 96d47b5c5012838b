import type { EmailProvider } from "../model/provider.ts";
import { DEFAULT_CODE_MAX_AGE, DEFAULT_EMAIL_MAX_AGE, type Seconds } from "../model/units.ts";
import { MAX_SECONDS } from "./options.ts";
import type { ProviderResolution } from "./resolution.ts";

/** Five e-mails per ten minutes to one address. */
const DEFAULT_RATE_LIMIT = { max: 5, windowSeconds: 10 * 60 } as const;

/** The hooks of an e-mail provider; each must be a function if set. */
const HOOKS = ["generateVerificationToken", "normalizeIdentifier", "ownsAddress"] as const;

/** Resolves an e-mail provider. */
export function resolveEmail(provider: EmailProvider, option: string): ProviderResolution {
  const { id, name, maxAge = lifetimeOf(provider), rateLimit = DEFAULT_RATE_LIMIT, secret, style } = provider;
  const wrong = findWrongMembers(provider);
  if (wrong.length > 0) {
    const report = ({ member, rule }: WrongMember) => ({
      option: `${option}.${member}`,
      message: `of provider "${id}" ${rule}`,
    });
    return { problems: wrong.map(report) };
  }
  const { generateVerificationToken, normalizeIdentifier, ownsAddress } = provider;
  const allowDangerousEmailAccountLinking = provider.allowDangerousEmailAccountLinking === true;
  return {
    provider: {
      kind: "email",
      type: "email",
      id,
      name: name ?? "E-mail",
      maxAge,
      code: provider.code === true,
      secret,
      generateVerificationToken: generateVerificationToken && (() => generateVerificationToken.call(provider)),
      normalizeIdentifier: normalizeIdentifier && ((identifier) => normalizeIdentifier.call(provider, identifier)),
      allowLocalDomains: provider.allowLocalDomains === true,
      sendVerificationRequest: (params) => provider.sendVerificationRequest(params),
      rateLimit,
      allowDangerousEmailAccountLinking,
      ownsAddress: ownsAddress && ((user) => ownsAddress.call(provider, user)),
      style: style ?? {},
      source: provider,
    },
    warnings: allowDangerousEmailAccountLinking
      ? [
          `dangerous-email-linking: provider "${id}" signs the owner of an e-mail address in to any user with that address, even one created by someone else (\`allowDangerousEmailAccountLinking\`).`,
        ]
      : [],
  };
}

function lifetimeOf({ code }: EmailProvider): Seconds {
  return code === true ? DEFAULT_CODE_MAX_AGE : DEFAULT_EMAIL_MAX_AGE;
}

interface WrongMember {
  readonly member: string;
  readonly rule: string;
}

function findWrongMembers(provider: EmailProvider): WrongMember[] {
  const { maxAge = 1, rateLimit = DEFAULT_RATE_LIMIT, allowLocalDomains = false, code = false } = provider;
  const isMissing = (member: string) => ["", undefined, null].some((none) => Reflect.get(provider, member) === none);
  const wrong = (provider.requires ?? [])
    .filter(isMissing)
    .map((member) => ({ member, rule: "is missing: check that its environment variable is set" }));
  if (typeof provider.sendVerificationRequest !== "function")
    wrong.push({ member: "sendVerificationRequest", rule: "must be a function that sends the e-mail" });
  if (!isPositive(maxAge) || maxAge > MAX_SECONDS)
    wrong.push({ member: "maxAge", rule: `must be an integer from 1 to ${MAX_SECONDS}` });
  for (const member of HOOKS) {
    const hook: unknown = provider[member];
    if (hook !== undefined && typeof hook !== "function") wrong.push({ member, rule: "must be a function" });
  }
  if (typeof allowLocalDomains !== "boolean")
    wrong.push({ member: "allowLocalDomains", rule: "must be true or false" });
  if (typeof code !== "boolean") wrong.push({ member: "code", rule: "must be true or false" });
  if (typeof rateLimit !== "function" && !isLimit(Object(rateLimit))) {
    const rule = "must be a function, or `{ max, windowSeconds }` with integers of at least 1";
    wrong.push({ member: "rateLimit", rule });
  }
  return wrong;
}

function isLimit({ max, windowSeconds }: { readonly max?: unknown; readonly windowSeconds?: unknown }): boolean {
  return (isPositive(max) || max === Number.POSITIVE_INFINITY) && isPositive(windowSeconds);
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
