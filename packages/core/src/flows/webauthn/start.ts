import { callAdapter } from "../../application/call-adapter.ts";
import { randomToken, randomUuid, sha256 } from "../../crypto/primitives.ts";
import type { AdapterUser } from "../../model/adapter.ts";
import type { FlowContext } from "../../model/context.ts";
import { CallbackRouteError, InvalidRequest } from "../../model/errors.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { toError } from "../../model/to-error.ts";
import type { SimpleWebAuthn, WebAuthnRequest } from "../../model/webauthn-provider.ts";
import { parseEmailAddress } from "../../protocol/email-address.ts";
import { isSameId } from "../../protocol/same-id.ts";
import type { Ceremony } from "../../protocol/webauthn-response.ts";
import { algorithmsOf } from "./algorithms.ts";
import { digestOfUser, newChallenge, storeCeremony } from "./challenge.ts";
import { type CredentialDescriptor, hideAmongDecoys, toDescriptor } from "./decoys.ts";
import {
  callGetUserInfo,
  findSignedInUser,
  readTypedFields,
  requestFor,
  type SignedInUser,
  type TypedFields,
} from "./provider-hooks.ts";
import { requireRecentSignIn } from "./recent.ts";
import { type ResolvedRelyingParty, resolveRelyingParty } from "./relying-party.ts";

/** What a browser asks for. */
export interface WebAuthnStart {
  /** Absent: a further passkey for somebody who is signed in, else authentication (docs/behaviour.md#passkeys). */
  readonly ceremony: Ceremony | undefined;
  /** The query of the request: what was typed. */
  readonly query: URLSearchParams;
  readonly headers: Headers;
}

/** The answer of `webauthn-options` (docs/behaviour.md#actions): options as JSON (WebAuthn L3 §5.1.8, §5.1.9). */
export interface WebAuthnOptions {
  readonly action: Ceremony;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A ceremony that is about to begin. */
interface Beginning {
  readonly provider: ResolvedWebAuthnProvider;
  readonly signedIn: SignedInUser | null;
  readonly fields: TypedFields;
  readonly request: WebAuthnRequest;
  readonly relyingParty: ResolvedRelyingParty;
  readonly challenge: string;
}

/**
 * Begins a passkey ceremony. A stranger learns nothing about an address: known and unknown ones get the same answer, made by
 * the same calls (WebAuthn L3 §14.6.2, §14.6.3).
 *
 * 1. The relying party is known; what was typed is well-formed.
 * 2. The challenge, the user handle and the lists of credentials are ours, whatever the provider's library says.
 * 3. Nothing is written to the database: the challenge is sealed in a cookie, and marked as used when it is.
 *
 * @throws InvalidRequest when a registration lacks what a new user is made of; WebAuthnVerificationError (`relying-party`);
 *   AdapterError; CallbackRouteError when a hook of the provider failed.
 */
export async function startWebAuthn(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  { ceremony, query, headers }: WebAuthnStart,
): Promise<WebAuthnOptions> {
  const fields = readTypedFields(query, provider.source);
  const request = requestFor(context, provider, "webauthn-options", fields, headers);
  const relyingParty = await resolveRelyingParty(context, provider, request);
  const signedIn = await findSignedInUser(context);
  const challenge = newChallenge();
  context.redact(challenge);
  const beginning = { provider, signedIn, fields, request, relyingParty, challenge };
  const action = ceremony ?? (signedIn === null ? "authenticate" : "register");
  const options = action === "register" ? await register(context, beginning) : await authenticate(context, beginning);
  return { action, options };
}

async function authenticate(context: FlowContext, beginning: Beginning): Promise<WebAuthnOptions["options"]> {
  const { provider, relyingParty, challenge, signedIn } = beginning;
  const { allowed, digest } = await findAllowed(context, beginning);
  const { authenticationOptions = {} } = provider.source;
  const made = await generate(provider, "generateAuthenticationOptions", {
    ...authenticationOptions,
    rpID: relyingParty.id,
    allowCredentials: [],
  });
  const session = signedIn?.fingerprint ?? "";
  await storeCeremony(context, provider, challenge, {
    ceremony: "authenticate",
    session,
    user: digest,
    fields: {},
  });
  return { ...made, challenge, rpId: relyingParty.id, allowCredentials: allowed };
}

/** Without anything typed any passkey will do; otherwise those of one person, or what looks like it. */
async function findAllowed(
  context: FlowContext,
  { provider, fields, request }: Beginning,
): Promise<{ allowed: readonly CredentialDescriptor[]; digest: string }> {
  const info = Object.keys(fields).length === 0 ? null : await callGetUserInfo(context, provider, request);
  if (info === null) return { allowed: [], digest: "" };
  const { config } = context;
  // Somebody who does not exist is asked for in the same way, so that the answer takes as long.
  const userId = info.exists ? (info.user.id ?? "") : randomUuid();
  const stored = await callAdapter(config, "listAuthenticatorsByUserId", userId).catch((error: unknown) => {
    if (info.exists) context.logger.error(toError(error));
    return [];
  });
  const real = stored.filter((one) => isSameId(one.userId, userId)).map(toDescriptor);
  const seed = `${provider.id} ${fields.email ?? JSON.stringify(fields)}`;
  // The oldest, or one that outlives rotations: with another one all that is made up changes at once, and what is real does not.
  const secret = provider.source.decoySecret ?? config.secrets.at(-1) ?? "";
  return {
    allowed: await hideAmongDecoys(
      real.filter((one) => one !== null),
      secret,
      seed,
      context.now(),
    ),
    digest: await digestOfUser(userId),
  };
}

async function register(context: FlowContext, beginning: Beginning): Promise<WebAuthnOptions["options"]> {
  const { provider, relyingParty, challenge, signedIn, fields } = beginning;
  if (signedIn !== null) await requireRecentSignIn(context, provider, signedIn);
  const user = signedIn === null ? await newcomer(context, beginning) : await known(signedIn.user, fields);
  const { registrationOptions = {} } = provider.source;
  const made = await generate(provider, "generateRegistrationOptions", {
    ...structuredClone(registrationOptions),
    supportedAlgorithmIDs: [...algorithmsOf(provider.source)],
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userName: user.name,
    userDisplayName: user.displayName,
    excludeCredentials: [],
  });
  const mine =
    signedIn === null ? [] : await callAdapter(context.config, "listAuthenticatorsByUserId", signedIn.user.id);
  const session = signedIn?.fingerprint ?? "";
  await storeCeremony(context, provider, challenge, {
    ceremony: "register",
    session,
    user: "",
    fields: signedIn === null ? fields : {},
  });
  const own = mine.filter(({ userId }) => isSameId(userId, signedIn?.user.id));
  const excludeCredentials = own.map(toDescriptor).filter((one) => one !== null);
  return { ...made, challenge, rp: { name: relyingParty.name, id: relyingParty.id }, user, excludeCredentials };
}

/** The person as their authenticator shows and keeps them (WebAuthn L3 §5.4.3). */
interface UserEntity {
  /** base64url; says nothing about the person (§14.6.1). */
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
}

/** Only what was typed is shown: what is stored under a taken address is nobody's business but its owner's. */
async function newcomer(context: FlowContext, { provider, fields, request }: Beginning): Promise<UserEntity> {
  const info = await callGetUserInfo(context, provider, request);
  const name = fields.email ?? Object.values(fields)[0];
  if (info === null || name === undefined) {
    throw new InvalidRequest("A new account requires the fields of the form, such as `email`.", 400);
  }
  return { id: randomToken(), name, displayName: fields.name ?? name };
}

async function known(user: AdapterUser, fields: TypedFields): Promise<UserEntity> {
  const own = [user.email, parseEmailAddress(user.email ?? "", { allowLocalDomains: true })];
  if (fields.email !== undefined && !own.includes(fields.email)) {
    throw new InvalidRequest("Another user is signed in. Sign out first to create another account.", 400);
  }
  const name = user.email || user.name || user.id;
  return { id: await sha256(`webauthn user ${user.id}`), name, displayName: user.name || name };
}

async function generate(
  provider: ResolvedWebAuthnProvider,
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
