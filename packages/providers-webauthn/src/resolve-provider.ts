import type { CredentialInput, RelyingPartyOptions, SimpleWebAuthn, WebAuthnProvider } from "@cardea/core/providers";
import {
  DuplicateConditionalUI,
  type MethodProvider,
  type MethodResolution,
  MissingWebAuthnAutocomplete,
  type ProviderProblem,
  parseUrl,
} from "@cardea/extend";

/** The members of a passkey provider, in addition to those of every provider. */
export const MEMBERS = [
  ...(["relayingParty", "getRelayingParty", "enableConditionalUI", "simpleWebAuthnBrowserVersion"] as const),
  ...(["formFields", "authenticationOptions", "registrationOptions", "verifyAuthenticationOptions"] as const),
  ...(["verifyRegistrationOptions", "getUserInfo", "decoySecret", "allowLocalDomains"] as const),
  ...(["simpleWebAuthn", "maxSignInAge", "hints", "conditionalCreate"] as const),
] as const satisfies readonly (keyof WebAuthnProvider)[];

/** A day in seconds, because core does not remember sign-ins for longer. */
const MAX_SIGN_IN_AGE = 24 * 60 * 60;

/** The field of the built-in form, which browsers also use for passkey autofill. */
const DEFAULT_FIELDS: Readonly<Record<string, CredentialInput>> = {
  email: { type: "email", required: true, autocomplete: "username webauthn" },
};

const FUNCTIONS = [
  "generateAuthenticationOptions",
  "generateRegistrationOptions",
  "verifyAuthenticationResponse",
  "verifyRegistrationResponse",
] as const satisfies readonly (keyof SimpleWebAuthn)[];

/** Checks a passkey provider and fills in its defaults. */
export function resolvePasskeyProvider(members: object): MethodResolution {
  const provider = assumeWebAuthn(members);
  const problems = findProblems(provider);
  if (problems.length > 0) return { problems };
  const { name, formFields, enableConditionalUI, maxSignInAge, decoySecret, style } = provider;
  return {
    name: name ?? "Passkey",
    fields: assumeFields(formFields ?? DEFAULT_FIELDS),
    autofill: enableConditionalUI === true,
    maxSignInAge,
    secrets: [decoySecret],
    style: style ?? {},
  };
}

function findProblems(provider: WebAuthnProvider): ProviderProblem[] {
  const { maxSignInAge, decoySecret } = provider;
  const wrong: ProviderProblem[] = [];
  const missing = FUNCTIONS.filter((one) => typeof provider.simpleWebAuthn?.[one] !== "function");
  if (missing.length > 0) {
    wrong.push({ member: "simpleWebAuthn", message: `lacks ${missing.join(", ")}: use @cardea/providers-webauthn` });
  }
  if (maxSignInAge !== undefined && !isSignInAge(maxSignInAge)) {
    const said = `must be a whole number of seconds from 1 to ${MAX_SIGN_IN_AGE}`;
    wrong.push({ member: "maxSignInAge", message: said });
  }
  if (decoySecret !== undefined && (typeof decoySecret !== "string" || decoySecret.length < 32))
    wrong.push({ member: "decoySecret", message: "must be a string of at least 32 characters" });
  if (offersEd448(provider)) {
    const said = "must not include Ed448 (-53): @simplewebauthn/server does not verify its signatures";
    wrong.push({ member: "registrationOptions.supportedAlgorithmIDs", message: said });
  }
  const { hints = [] } = provider;
  if (!Array.isArray(hints) || !hints.every((one) => HINTS.some((hint) => hint === one)))
    wrong.push({ member: "hints", message: `must be a list of ${HINTS.map((one) => `"${one}"`).join(", ")}` });
  const relyingParty = findWrongRelyingParty(provider.relayingParty);
  if (relyingParty !== null) wrong.push({ member: `relayingParty.${relyingParty.member}`, message: relyingParty.said });
  return wrong;
}

/** WebAuthn L3 §5.8.8. */
const HINTS = ["security-key", "client-device", "hybrid"] as const;

/** COSE algorithm identifier of Ed448 (RFC 9864 §2.2). */
const ED448 = -53;

function offersEd448({ registrationOptions, verifyRegistrationOptions }: WebAuthnProvider): boolean {
  return [registrationOptions, verifyRegistrationOptions].some((options) => {
    const list: unknown = Object(options).supportedAlgorithmIDs;
    return Array.isArray(list) && list.some((one) => Number(one) === ED448);
  });
}

function isSignInAge(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SIGN_IN_AGE;
}

/** A value that can never equal what a browser sends would reject every user, so it is rejected at startup. */
function findWrongRelyingParty(
  relyingParty: RelyingPartyOptions = {},
): { readonly member: string; readonly said: string } | null {
  const list = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : [given]);
  const isUnset = (given: unknown) => given === undefined;
  const isText = (given: unknown) => typeof given === "string" && given !== "";
  const isDomain = (given: unknown) => isText(given) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(String(given));
  if (!list(relyingParty.id).every((one) => isUnset(one) || isDomain(one)))
    return { member: "id", said: "must be a domain such as example.com, without scheme and port" };
  if (!list(relyingParty.name).every((one) => isUnset(one) || isText(one)))
    return { member: "name", said: "must be a string" };
  if (!list(relyingParty.origin).every((one) => isUnset(one) || (isText(one) && isOrigin(String(one)))))
    return { member: "origin", said: "must be an origin such as https://app.example.com, without path" };
  return null;
}

/** Apps have origins that are not http(s) URLs, such as `android:apk-key-hash:…`. */
function isOrigin(text: string): boolean {
  return /^(?:android|ios):./.test(text) || (/^https?:/.test(text) && parseUrl(text)?.origin === text);
}

/** Checks the autofill that all passkey providers share: browsers run one at a time, in a field that allows it. */
function findAutofillProblems(providers: readonly MethodProvider[]): ProviderProblem[] {
  const [first, second] = providers.filter(({ autofill }) => autofill);
  if (first !== undefined && second !== undefined) {
    const message = `"${first.id}" and "${second.id}" both offer passkey autofill: set \`enableConditionalUI: false\` on all but one of them`;
    return [{ message, error: (text) => new DuplicateConditionalUI(text) }];
  }
  if (first === undefined) return [];
  const hasField = Object.values(first.fields).some(({ autocomplete }) => /\bwebauthn\b/.test(String(autocomplete)));
  if (hasField) return [];
  const message = `"${first.id}" offers passkey autofill but has no field for it: give one of its \`formFields\` an \`autocomplete\` such as "username webauthn", or set \`enableConditionalUI: false\``;
  return [{ message, error: (text) => new MissingWebAuthnAutocomplete(text) }];
}

/** Finds problems of several providers: their autofill, and decoys by which one of them would reveal those of another. */
export function findSharedProblems(providers: readonly MethodProvider[]): ProviderProblem[] {
  const [first, other] = [
    ...new Map(providers.map((one) => [assumeWebAuthn(one.source).decoySecret, one.id])).values(),
  ];
  const message = `"${first}" and "${other}" have different values of \`decoySecret\`: set the same for all passkey providers`;
  return [...(other === undefined ? [] : [{ message }]), ...findAutofillProblems(providers)];
}

function assumeFields(fields: Readonly<Record<string, object>>): Readonly<Record<string, CredentialInput>> {
  return fields as Readonly<Record<string, CredentialInput>>;
}

function assumeWebAuthn(members: object): WebAuthnProvider {
  return members as WebAuthnProvider;
}
