import { loadOnce } from "../model/load-once.ts";
import type { EmailProvider } from "../model/provider.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { GivenProvider, ProviderResolution, SignInMethod } from "../model/sign-in-method.ts";
import type { ProviderProblem } from "../model/sign-in-method-spec.ts";
import { DEFAULT_EMAIL_MAX_AGE, MAX_SECONDS } from "../model/units.ts";

const loadPage = loadOnce(() => import("./verify-request.ts"));

/** Sign-in with a link, and optionally a code, that is sent to an e-mail address. */
export const email: SignInMethod<ResolvedEmailProvider> = {
  types: ["email"],
  members: [
    ...(["server", "from", "apiKey", "maxAge", "code", "secret", "generateVerificationToken", "requires"] as const),
    ...(["normalizeIdentifier", "allowLocalDomains", "sendVerificationRequest", "ownsAddress"] as const),
    ...(["allowDangerousEmailAccountLinking", "rateLimit"] as const),
  ] satisfies readonly (keyof EmailProvider)[],
  resolve: resolveEmailProvider,
  form: ({ baseUrl }, { id, name }) => ({ kind: "email", id, name, action: `${baseUrl}/signin/${id}` }),
  actions: { "GET verify-request": { run: async (context) => (await loadPage()).verifyRequest(context) } },
  load: loadOnce(async () => (await import("./finish.ts")).emailMethod),
};

/** Five e-mails per ten minutes to one address. */
const DEFAULT_RATE_LIMIT = { max: 5, windowSeconds: 10 * 60 } as const;

/** The hooks of an e-mail provider; each must be a function if set. */
const HOOKS = ["generateVerificationToken", "normalizeIdentifier", "ownsAddress"] as const;

/** Resolves an e-mail provider. Of the environment it has only the key of a service that sends over HTTP. */
function resolveEmailProvider({
  members,
  complete: { apiKey },
}: GivenProvider): ProviderResolution<ResolvedEmailProvider> {
  const provider = assumeEmail(apiKey === undefined ? members : { ...members, apiKey });
  const { id, name, code, rateLimit = DEFAULT_RATE_LIMIT, secret, style } = provider;
  const problems = findWrongMembers(provider);
  if (problems.length > 0) return { problems };
  const { maxAge = code?.maxAge ?? DEFAULT_EMAIL_MAX_AGE } = provider;
  const { generateVerificationToken, normalizeIdentifier, ownsAddress } = provider;
  const allowDangerousEmailAccountLinking = provider.allowDangerousEmailAccountLinking === true;
  return {
    provider: {
      kind: "email",
      type: "email",
      id,
      name: name ?? "E-mail",
      maxAge,
      code,
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
    secrets: [secret, provider.apiKey],
  };
}

/** Its members are checked by {@link findWrongMembers}. */
function assumeEmail(members: GivenProvider["members"]): EmailProvider {
  return members as unknown as EmailProvider;
}

function findWrongMembers(provider: EmailProvider): ProviderProblem[] {
  const { maxAge = 1, rateLimit = DEFAULT_RATE_LIMIT, allowLocalDomains = false, code } = provider;
  const isMissing = (member: string) => ["", undefined, null].some((none) => Reflect.get(provider, member) === none);
  const wrong = (provider.requires ?? [])
    .filter(isMissing)
    .map((member) => ({ member, message: "is missing: check that its environment variable is set" }));
  if (typeof provider.sendVerificationRequest !== "function")
    wrong.push({ member: "sendVerificationRequest", message: "must be a function that sends the e-mail" });
  if (!isPositive(maxAge) || maxAge > MAX_SECONDS)
    wrong.push({ member: "maxAge", message: `must be an integer from 1 to ${MAX_SECONDS}` });
  for (const member of HOOKS) {
    const hook: unknown = provider[member];
    if (hook !== undefined && typeof hook !== "function") wrong.push({ member, message: "must be a function" });
  }
  if (typeof allowLocalDomains !== "boolean")
    wrong.push({ member: "allowLocalDomains", message: "must be true or false" });
  if (code !== undefined && typeof Object(code).load !== "function")
    wrong.push({ member: "code", message: "must be `emailCodes` from @cardea/providers-email/codes" });
  if (typeof rateLimit !== "function" && !isLimit(Object(rateLimit))) {
    const message = "must be a function, or `{ max, windowSeconds }` with integers of at least 1";
    wrong.push({ member: "rateLimit", message });
  }
  return wrong;
}

function isLimit({ max, windowSeconds }: { readonly max?: unknown; readonly windowSeconds?: unknown }): boolean {
  return (isPositive(max) || max === Number.POSITIVE_INFINITY) && isPositive(windowSeconds);
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
