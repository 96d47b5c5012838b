import type { AuthConfig } from "../model/config.ts";
import { DuplicateConditionalUI, MissingWebAuthnAutocomplete } from "../model/errors.ts";
import type { CredentialInput } from "../model/provider.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import { CSRF_TOKEN_LIFETIME } from "../model/units.ts";
import type { RelyingPartyOptions, SimpleWebAuthn, WebAuthnProvider } from "../model/webauthn-provider.ts";
import { parseUrl } from "../protocol/parse-url.ts";
import type { Problem, ProviderResolution } from "./resolution.ts";

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

/** Resolves a passkey provider. */
export function resolveWebAuthn(
  members: Record<PropertyKey, unknown>,
  option: string,
  isProduction: boolean,
): ProviderResolution {
  const provider = assumeWebAuthn(members);
  const { id, name, formFields, enableConditionalUI, maxSignInAge, style } = provider;
  const wrong = findWrongMembers(provider);
  if (wrong.length > 0) {
    const report = ({ member, said }: WrongMember) => ({
      option: `${option}.${member}`,
      message: `of provider "${id}" ${said}`,
    });
    return { problems: wrong.map(report) };
  }
  return {
    provider: {
      kind: "webauthn",
      type: "webauthn",
      id,
      name: name ?? "Passkey",
      formFields: assumeFields(formFields ?? DEFAULT_FIELDS),
      conditionalUi: enableConditionalUI === true,
      followsRequest: !isProduction,
      maxSignInAge,
      style: style ?? {},
      source: provider,
    },
    warnings: [],
  };
}

interface WrongMember {
  readonly member: string;
  readonly said: string;
}

function findWrongMembers(provider: WebAuthnProvider): WrongMember[] {
  const { maxSignInAge, decoySecret } = provider;
  const wrong: WrongMember[] = [];
  const missing = FUNCTIONS.filter((one) => typeof provider.simpleWebAuthn?.[one] !== "function");
  if (missing.length > 0) {
    wrong.push({ member: "simpleWebAuthn", said: `lacks ${missing.join(", ")}: use @cardea/providers-webauthn` });
  }
  if (maxSignInAge !== undefined && !isSignInAge(maxSignInAge)) {
    const said = `must be a whole number of seconds from 1 to ${CSRF_TOKEN_LIFETIME}`;
    wrong.push({ member: "maxSignInAge", said });
  }
  if (decoySecret !== undefined && (typeof decoySecret !== "string" || decoySecret.length < 32))
    wrong.push({ member: "decoySecret", said: "must be a string of at least 32 characters" });
  if (offersEd448(provider)) {
    const said = "must not include Ed448 (-53): @simplewebauthn/server does not verify its signatures";
    wrong.push({ member: "registrationOptions.supportedAlgorithmIDs", said });
  }
  const relyingParty = findWrongRelyingParty(provider.relayingParty);
  if (relyingParty !== null) wrong.push({ member: `relayingParty.${relyingParty.member}`, said: relyingParty.said });
  return wrong;
}

/** COSE algorithm identifier of Ed448 (RFC 9864 §2.2). */
const ED448 = -53;

function offersEd448({ registrationOptions, verifyRegistrationOptions }: WebAuthnProvider): boolean {
  return [registrationOptions, verifyRegistrationOptions].some((options) => {
    const list: unknown = Object(options).supportedAlgorithmIDs;
    return Array.isArray(list) && list.some((one) => Number(one) === ED448);
  });
}

function isSignInAge(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= CSRF_TOKEN_LIFETIME;
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

/** Finds options that are incompatible with passkeys. */
export function findPasskeyProblems(
  given: AuthConfig,
  providers: Iterable<ResolvedProvider>,
  kinds: ReadonlySet<ResolvedProvider["kind"]>,
): Problem[] {
  const passkeys = [...providers].filter((one) => one.kind === "webauthn");
  // Passkeys are experimental and must be enabled (docs/configuration.md).
  const option = "experimental.enableWebAuthn";
  const isOn = given.experimental?.enableWebAuthn === true;
  const ids = passkeys.map(({ id }) => `"${id}"`).join(", ");
  return isOn || !kinds.has("webauthn") ? [] : [{ option, message: `must be true for provider ${ids}`.trim() }];
}

/** Checks the autofill that all passkey providers share: browsers run one at a time, in a field that allows it. */
export function findAutofillProblems(providers: Iterable<ResolvedProvider>): Problem[] {
  const option = "providers";
  const [first, second] = [...providers].filter((one) => one.kind === "webauthn" && one.conditionalUi);
  if (first !== undefined && second !== undefined) {
    const message = `"${first.id}" and "${second.id}" both offer passkey autofill: set \`enableConditionalUI: false\` on all but one of them`;
    return [{ option, message, error: (text) => new DuplicateConditionalUI(text) }];
  }
  if (first?.kind !== "webauthn") return [];
  const hasField = Object.values(first.formFields).some(({ autocomplete }) =>
    /\bwebauthn\b/.test(String(autocomplete)),
  );
  if (hasField) return [];
  const message = `"${first.id}" offers passkey autofill but has no field for it: give one of its \`formFields\` an \`autocomplete\` such as "username webauthn", or set \`enableConditionalUI: false\``;
  return [{ option, message, error: (text) => new MissingWebAuthnAutocomplete(text) }];
}

function assumeFields(fields: Readonly<Record<string, object>>): Readonly<Record<string, CredentialInput>> {
  return fields as Readonly<Record<string, CredentialInput>>;
}

function assumeWebAuthn(members: Record<PropertyKey, unknown>): WebAuthnProvider {
  return members as unknown as WebAuthnProvider;
}
