import { type AuthConfig, skipCSRFCheck } from "../model/config.ts";
import { DuplicateConditionalUI, MissingWebAuthnAutocomplete } from "../model/errors.ts";
import type { CredentialInput } from "../model/provider.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import { CSRF_TOKEN_LIFETIME } from "../model/units.ts";
import type { RelyingPartyOptions, SimpleWebAuthn, WebAuthnProvider } from "../model/webauthn-provider.ts";
import { type Problem, type ProviderResolution, problem } from "./resolution.ts";

/** What the built-in page asks for: the field that browsers fill in with passkeys, too. */
const DEFAULT_FIELDS: Readonly<Record<string, CredentialInput>> = {
  email: { type: "email", required: true, autocomplete: "username webauthn" },
};

const FUNCTIONS = [
  "generateAuthenticationOptions",
  "generateRegistrationOptions",
  "verifyAuthenticationResponse",
  "verifyRegistrationResponse",
] as const satisfies readonly (keyof SimpleWebAuthn)[];

/** Fills in a passkey provider. */
export function resolveWebAuthn(
  members: Record<PropertyKey, unknown>,
  option: string,
  isProduction: boolean,
): ProviderResolution {
  const provider = parseWebAuthn(members);
  const { id, name, formFields, enableConditionalUI, maxSignInAge, style } = provider;
  const missing = FUNCTIONS.filter((one) => typeof provider.simpleWebAuthn?.[one] !== "function");
  if (missing.length > 0) {
    const said = `of provider "${id}" lacks ${missing.join(", ")}: use @cardea/providers-webauthn`;
    return problem(`${option}.simpleWebAuthn`, said);
  }
  if (maxSignInAge !== undefined && !isSignInAge(maxSignInAge)) {
    const said = `of provider "${id}" must be a whole number of seconds from 1 to ${CSRF_TOKEN_LIFETIME}`;
    return problem(`${option}.maxSignInAge`, said);
  }
  const wrong = findWrongParty(provider.relayingParty);
  if (wrong !== null) return problem(`${option}.relayingParty.${wrong.member}`, `of provider "${id}" ${wrong.said}`);
  return {
    provider: {
      kind: "webauthn",
      type: "webauthn",
      id,
      name: name ?? "Passkey",
      formFields: parseFields(formFields ?? DEFAULT_FIELDS),
      conditionalUi: enableConditionalUI === true,
      followsRequest: !isProduction,
      maxSignInAge,
      style: style ?? {},
      source: provider,
    },
    warnings: [],
  };
}

function isSignInAge(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= CSRF_TOKEN_LIFETIME;
}

/** What never equals what a browser says would refuse everybody: better at the start (safety H221). */
function findWrongParty(party: RelyingPartyOptions = {}): { readonly member: string; readonly said: string } | null {
  const list = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : [given]);
  const isUnset = (given: unknown) => given === undefined;
  const isText = (given: unknown) => typeof given === "string" && given !== "";
  const isDomain = (given: unknown) => isText(given) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(String(given));
  if (!list(party.id).every((one) => isUnset(one) || isDomain(one)))
    return { member: "id", said: "must be a domain such as example.com, without scheme and port" };
  if (!list(party.name).every((one) => isUnset(one) || isText(one)))
    return { member: "name", said: "must be a string" };
  if (!list(party.origin).every((one) => isUnset(one) || (isText(one) && isOrigin(String(one)))))
    return { member: "origin", said: "must be an origin such as https://app.example.com, without path" };
  return null;
}

/** Apps have origins that are no URLs of ours to judge, such as `android:apk-key-hash:…`. */
function isOrigin(text: string): boolean {
  return (
    /^(?:android|ios):./.test(text) || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)
  );
}

/** What of the configuration around them does not go with passkeys. */
export function findPasskeyProblems(given: AuthConfig, providers: Iterable<ResolvedProvider>): Problem[] {
  const passkeys = [...providers].filter((one) => one.kind === "webauthn");
  // Passkeys are an experiment, which has to be asked for (spec 9.5).
  const option = "experimental.enableWebAuthn";
  const isOn = given.experimental?.enableWebAuthn === true;
  const off = isOn ? [] : passkeys.map(({ id }) => ({ option, message: `must be true for provider "${id}"` }));
  const hasCsrf = given.skipCSRFCheck !== skipCSRFCheck;
  const ageless = passkeys.filter(({ maxSignInAge }) => maxSignInAge !== undefined && !hasCsrf);
  const message = "cannot be set: `maxSignInAge` of a passkey provider is kept in the cookie of the CSRF token";
  return [...off, ...ageless.map(() => ({ option: "skipCSRFCheck", message }))];
}

/**
 * Checks what passkey providers have to share: browsers run one autofill at a time, in a field that says so.
 *
 * @throws DuplicateConditionalUI, MissingWebAuthnAutocomplete.
 */
export function requireOneAutofill(providers: Iterable<ResolvedProvider>): void {
  const autofilling = [...providers].filter((one) => one.kind === "webauthn" && one.conditionalUi);
  const [first, second] = autofilling;
  if (first !== undefined && second !== undefined) {
    throw new DuplicateConditionalUI(
      `The providers "${first.id}" and "${second.id}" both offer passkeys by autofill. Set \`enableConditionalUI: false\` on all but one.`,
    );
  }
  if (first?.kind !== "webauthn") return;
  const hasField = Object.values(first.formFields).some(({ autocomplete }) =>
    /\bwebauthn\b/.test(String(autocomplete)),
  );
  if (hasField) return;
  throw new MissingWebAuthnAutocomplete(
    `Provider "${first.id}" offers passkeys by autofill and has no field for it. Give one of its \`formFields\` an \`autocomplete\` such as "username webauthn", or set \`enableConditionalUI: false\`.`,
  );
}

function parseFields(fields: Readonly<Record<string, object>>): Readonly<Record<string, CredentialInput>> {
  return fields as Readonly<Record<string, CredentialInput>>;
}

function parseWebAuthn(members: Record<PropertyKey, unknown>): WebAuthnProvider {
  return members as unknown as WebAuthnProvider;
}
