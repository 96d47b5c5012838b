import type { SimpleWebAuthn, WebAuthnRequest } from "@cardea/core/providers";
import {
  type AdapterUser,
  CallbackRouteError,
  InvalidRequest,
  isSameId,
  parseEmailAddress,
  type SignInTools,
  toError,
} from "@cardea/extend";
import { algorithmsOf } from "./algorithms.ts";
import { digestOfUser, storeCeremony } from "./challenge.ts";
import { type CredentialDescriptor, decoyMac, hideAmongDecoys, toDescriptor } from "./decoys.ts";
import { type PasskeyProvider, passkeyProvider } from "./passkey-provider.ts";
import { randomToken } from "./primitives.ts";
import { type Ceremony, parseCeremony } from "./protocol/webauthn-response.ts";
import {
  callGetUserInfo,
  findSignedInUser,
  readTypedFields,
  requestFor,
  type SignedInUser,
  type TypedFields,
} from "./provider-hooks.ts";
import { requireMayAdd, requireRecentSignIn } from "./recent-sign-in.ts";
import { type ResolvedRelyingParty, resolveRelyingParty } from "./relying-party.ts";
import { type PasskeySignals, readSignals } from "./signals.ts";
import { entityOf, type UserEntity } from "./user-handle.ts";

/** The response of `webauthn-options` (docs/behaviour.md#actions): options as JSON (WebAuthn L3 §5.1.8, §5.1.9), or signals. */
export interface PasskeyOptions {
  readonly action: Ceremony;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A passkey operation that is about to start. */
interface Beginning {
  readonly provider: PasskeyProvider;
  readonly signedIn: SignedInUser | null;
  readonly fields: TypedFields;
  readonly request: WebAuthnRequest;
  readonly relyingParty: ResolvedRelyingParty;
  readonly challenge: string;
  /** Whether the browser is to create a passkey without a prompt. */
  readonly isConditional: boolean;
}

/**
 * Starts passkey registration or authentication. The response does not reveal whether an address is registered: registered
 * and unregistered ones get the same response, created by the same calls (WebAuthn L3 §14.6.2, §14.6.3).
 *
 * 1. The relying party is known; the submitted fields are well-formed.
 * 2. The challenge, the user handle and the lists of credentials are ours, whatever the provider's library returns.
 * 3. Nothing is written to the database: the challenge is encrypted in a cookie, and marked when it is used.
 *
 * @throws InvalidRequest if a registration lacks the data of a new user; WebAuthnVerificationError (`relying-party`);
 *   AdapterError; CallbackRouteError if a hook of the provider failed.
 */
export async function startPasskey(query: URLSearchParams, t: SignInTools): Promise<PasskeyOptions | PasskeySignals> {
  const provider = passkeyProvider(t.carrier);
  const named = query.get("action");
  if (named === "signals") return readSignals(query.get("removed"), provider, t);
  // Absent: another passkey for a signed-in user, otherwise authentication (docs/behaviour.md#passkeys).
  const ceremony = named === null ? null : parseCeremony(named);
  const fields = readTypedFields(query, provider.source);
  const request = requestFor(t, provider, "webauthn-options", fields);
  const relyingParty = await resolveRelyingParty(t, provider, request);
  const signedIn = await findSignedInUser(t);
  const challenge = randomToken();
  t.redact(challenge);
  const isConditional = query.get("mediation") === "conditional";
  const beginning = { provider, signedIn, fields, request, relyingParty, challenge, isConditional };
  const action = ceremony ?? (signedIn === null ? "authenticate" : "register");
  const options = action === "register" ? await register(t, beginning) : await authenticate(t, beginning);
  return { action, options };
}

async function authenticate(t: SignInTools, beginning: Beginning): Promise<PasskeyOptions["options"]> {
  const { provider, relyingParty, challenge, signedIn } = beginning;
  const { allowed, digest } = await findAllowed(t, beginning);
  const { authenticationOptions = {} } = provider.source;
  const made = await generate(provider, "generateAuthenticationOptions", {
    ...authenticationOptions,
    rpID: relyingParty.id,
    allowCredentials: [],
  });
  const session = signedIn?.fingerprint ?? "";
  await storeCeremony(t, challenge, {
    ceremony: "authenticate",
    session,
    user: digest,
    fields: {},
    isConditional: false,
  });
  return { ...made, ...hintsOf(provider), challenge, rpId: relyingParty.id, allowCredentials: allowed };
}

/** Without submitted fields any passkey is allowed; otherwise those of one user, or decoys that look like them. */
async function findAllowed(
  t: SignInTools,
  { provider, fields, request }: Beginning,
): Promise<{ allowed: readonly CredentialDescriptor[]; digest: string }> {
  const info = Object.keys(fields).length === 0 ? null : await callGetUserInfo(t, provider, request);
  if (info === null) return { allowed: [], digest: "" };
  // For an unknown user the same queries are made, so that the response takes as long.
  const userId = info.exists ? (info.user.id ?? "") : crypto.randomUUID();
  const stored = await t.callAdapter("listAuthenticatorsByUserId", userId).catch((error: unknown) => {
    if (info.exists) t.logger.error(toError(error));
    return [];
  });
  const real = stored.filter((one) => isSameId(one.userId, userId)).map(toDescriptor);
  const seed = identityIn(fields, provider.source);
  const listed = real.filter((one) => one !== null);
  return {
    allowed: await hideAmongDecoys(listed, decoyMac(t, provider), seed, t.now()),
    digest: await digestOfUser(t, userId),
  };
}

/**
 * The submitted text that identifies the user: the first field of the form. Real passkeys depend on nothing else, so decoys that
 * changed with the provider or with another parameter would stand out. One address may be spelled with capitals.
 */
function identityIn(fields: TypedFields, { formFields = { email: {} } }: PasskeyProvider["source"]): string {
  const name = [...Object.keys(formFields), "email"].find((one) => fields[one] !== undefined);
  if (name === undefined) return JSON.stringify(Object.entries(fields).sort());
  return name === "email" ? (fields.email ?? "").toLowerCase() : `${name} ${fields[name]}`;
}

async function register(t: SignInTools, beginning: Beginning): Promise<PasskeyOptions["options"]> {
  const { provider, relyingParty, challenge, signedIn, fields, isConditional } = beginning;
  if (isConditional) requireConditional(beginning);
  if (signedIn !== null) {
    await requireRecentSignIn(t, signedIn);
    await requireMayAdd(t, signedIn);
  }
  const user = signedIn === null ? await newcomer(t, beginning) : await known(t, signedIn.user, fields);
  const { registrationOptions = {} } = provider.source;
  const made = await generate(provider, "generateRegistrationOptions", {
    ...structuredClone(registrationOptions),
    ...(isConditional && { authenticatorSelection: UNATTENDED }),
    supportedAlgorithmIDs: [...algorithmsOf(provider.source)],
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userName: user.name,
    userDisplayName: user.displayName,
    excludeCredentials: [],
  });
  const mine = signedIn === null ? [] : await t.callAdapter("listAuthenticatorsByUserId", signedIn.user.id);
  const session = signedIn?.fingerprint ?? "";
  await storeCeremony(t, challenge, {
    ceremony: "register",
    session,
    user: "",
    fields: signedIn === null ? fields : {},
    isConditional,
  });
  const own = mine.filter(({ userId }) => isSameId(userId, signedIn?.user.id));
  const excludeCredentials = own.map(toDescriptor).filter((one) => one !== null);
  return {
    ...made,
    ...hintsOf(provider),
    challenge,
    rp: { name: relyingParty.name, id: relyingParty.id },
    user,
    excludeCredentials,
  };
}

/**
 * Without a prompt, no one is there to be verified: a browser that was told to require it would refuse (WebAuthn L3 §5.1.3). Each sign-in
 * with the passkey requires it.
 */
const UNATTENDED = { residentKey: "required", userVerification: "preferred" } as const;

/** Only the provider's option permits it, and only for a user who has just signed in, which browsers check as well. */
function requireConditional({ provider, signedIn }: Beginning): void {
  if (provider.source.conditionalCreate === true && signedIn !== null) return;
  throw new InvalidRequest("A passkey without a prompt requires `conditionalCreate: true` and a signed-in user.", 400);
}

/** Which kind of authenticator the browser should suggest (WebAuthn L3 §5.8.8). */
function hintsOf({ source: { hints } }: PasskeyProvider): { readonly hints?: readonly string[] } {
  return hints === undefined ? {} : { hints };
}

/** Contains only submitted text: the data stored under an existing address must not be revealed. */
async function newcomer(t: SignInTools, { provider, fields, request }: Beginning): Promise<UserEntity> {
  const info = await callGetUserInfo(t, provider, request);
  const name = fields.email ?? Object.values(fields)[0];
  if (info === null || name === undefined) {
    throw new InvalidRequest("A new account requires the fields of the form, such as `email`.", 400);
  }
  return { id: randomToken(), name, displayName: fields.name ?? name };
}

function known(t: SignInTools, user: AdapterUser, fields: TypedFields): Promise<UserEntity> {
  const own = [user.email, parseEmailAddress(user.email ?? "", { allowLocalDomains: true })];
  if (fields.email !== undefined && !own.includes(fields.email)) {
    throw new InvalidRequest("Another user is signed in. Sign out first to create another account.", 400);
  }
  return entityOf(t, user);
}

export async function generate(
  provider: PasskeyProvider,
  name: keyof SimpleWebAuthn,
  options: object,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const library = provider.source.simpleWebAuthn;
    const made: unknown = await Reflect.apply(library[name], library, [options]);
    return { ...Object(made) };
  } catch (error) {
    const cause = { err: toError(error), provider: provider.id };
    throw new CallbackRouteError(`${name} of provider "${provider.id}" failed.`, { cause });
  }
}
