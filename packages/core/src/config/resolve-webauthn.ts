import { DuplicateConditionalUI, MissingWebAuthnAutocomplete } from "../model/errors.ts";
import type { CredentialInput } from "../model/provider.ts";
import type { ResolvedProvider } from "../model/resolved-config.ts";
import type { SimpleWebAuthn, WebAuthnProvider } from "../model/webauthn-provider.ts";
import { type ProviderResolution, problem } from "./resolution.ts";

/** What the built-in page asks for: the field that browsers fill in with passkeys, too. */
const DEFAULT_FIELDS: Readonly<Record<string, CredentialInput>> = {
  email: { label: "E-mail address", type: "email", required: true, autocomplete: "username webauthn" },
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
  if (maxSignInAge !== undefined && !(Number.isSafeInteger(maxSignInAge) && maxSignInAge > 0)) {
    return problem(`${option}.maxSignInAge`, `of provider "${id}" must be a whole number of seconds, 1 or more`);
  }
  return {
    provider: {
      kind: "webauthn",
      type: "webauthn",
      id,
      name: name ?? "Passkey",
      formFields: formFields ?? DEFAULT_FIELDS,
      conditionalUi: enableConditionalUI === true,
      followsRequest: !isProduction,
      maxSignInAge,
      style: style ?? {},
      source: provider,
    },
    warnings: [],
  };
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

function parseWebAuthn(members: Record<PropertyKey, unknown>): WebAuthnProvider {
  return members as unknown as WebAuthnProvider;
}
