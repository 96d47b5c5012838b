import type { FlowContext } from "../../model/context.ts";
import { CallbackRouteError } from "../../model/errors.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { toError } from "../../model/to-error.ts";
import type { RelyingParty, RelyingPartyOptions, WebAuthnRequest } from "../../model/webauthn-provider.ts";
import { factsFor } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";

/** The relying party of one request. */
export interface ResolvedRelyingParty {
  /** Goes into the options. */
  readonly id: string;
  readonly name: string;
  /** Each may stand in an answer. */
  readonly ids: readonly string[];
  readonly origins: readonly string[];
}

/** Stands for the request's host where no request may choose the relying party: nothing is ever served there (RFC 6761 §6.4). */
const NOWHERE = "https://relying-party.invalid";

/**
 * Who the site is to authenticators.
 *
 * 1. What the provider says (`relayingParty`, `getRelayingParty`).
 * 2. What it does not say comes from `AUTH_URL`; outside production also from the request.
 * 3. Of several ids the options name the one that the request's host is, or is a part of; an answer may name any of them.
 *
 * @throws WebAuthnVerificationError (`relying-party`) in production when neither says it; CallbackRouteError.
 */
export async function resolveRelyingParty(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  request: WebAuthnRequest,
): Promise<ResolvedRelyingParty> {
  const isKnown = context.config.fixedOrigin !== undefined || provider.followsRequest;
  const relyingParty = await callGetRelyingParty(context, provider, request, isKnown ? context.origin : NOWHERE);
  const declared = provider.source.relayingParty ?? {};
  const ids = widen(relyingParty.id, declared.id);
  const origins = widen(relyingParty.origin, declared.origin);
  const { host } = new URL(NOWHERE);
  if ([...ids, ...origins].some((one) => one.includes(host))) throw refusal(provider, "relying-party");
  const { hostname } = new URL(context.origin);
  const own = ids.find((id) => hostname === id || hostname.endsWith(`.${id}`));
  const name = relyingParty.name.includes(host) ? (own ?? relyingParty.id) : relyingParty.name;
  return { id: own ?? relyingParty.id, name, ids, origins };
}

async function callGetRelyingParty(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  request: WebAuthnRequest,
  base: string,
): Promise<RelyingParty> {
  const { source } = provider;
  const facts = factsFor(context, provider, request, base);
  if (source.getRelayingParty === undefined) return defaultRelyingParty(source.relayingParty ?? {}, facts.url);
  try {
    const relyingParty: unknown = await Reflect.apply(source.getRelayingParty, source, [facts, request]);
    return parseRelyingParty(relyingParty);
  } catch (error) {
    const cause = { err: toError(error), provider: provider.id };
    throw new CallbackRouteError(`getRelayingParty of provider "${provider.id}" failed.`, { cause });
  }
}

function defaultRelyingParty(declared: RelyingPartyOptions, url: URL): RelyingParty {
  const [id = url.hostname, name = url.host, origin = url.origin] = [declared.id, declared.name, declared.origin].map(
    (one) => listOf(one)[0],
  );
  return { id, name, origin };
}

function parseRelyingParty(relyingParty: unknown): RelyingParty {
  const { id, name, origin } = Object(relyingParty);
  if ([id, name, origin].every((one) => typeof one === "string" && one !== "")) return { id, name, origin };
  throw new TypeError("it must return { id, name, origin }");
}

/** One of several that are declared stands for all of them; anything else for itself. */
function widen(chosen: string, declared: unknown): readonly string[] {
  const list = listOf(declared);
  return list.includes(chosen) ? list : [chosen];
}

function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string" && one !== "");
}
