import type { RelyingParty, RelyingPartyOptions, WebAuthnRequest } from "@cardea/core/providers";
import { CallbackRouteError, type RequestTools, toError } from "@cardea/extend";
import type { PasskeyProvider } from "./passkey-provider.ts";
import { callHook, factsFor } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";
import { withinHookTime } from "./within.ts";

/** The relying party of one request. */
export interface ResolvedRelyingParty {
  /** The id in the options. */
  readonly id: string;
  readonly name: string;
  /** The ids accepted in a response. */
  readonly ids: readonly string[];
  readonly origins: readonly string[];
}

/**
 * Replaces the request's host if the relying party must not be derived from it: nothing is ever served there (RFC 6761
 * §6.4).
 */
const NOWHERE = "https://relying-party.invalid";

/**
 * The site as authenticators identify it.
 *
 * 1. The provider's own settings (`relayingParty`, `getRelayingParty`).
 * 2. Missing values come from `AUTH_URL`; outside production also from the request.
 * 3. Of several ids, the options contain the one that equals the request's host or is a parent domain of it; a response may
 *    contain any.
 *
 * @throws WebAuthnVerificationError (`relying-party`) in production if neither provides it; CallbackRouteError.
 */
export async function resolveRelyingParty(
  t: RequestTools,
  provider: PasskeyProvider,
  request: WebAuthnRequest,
): Promise<ResolvedRelyingParty> {
  const relyingParty = await callGetRelyingParty(t, provider, request, t.isOriginCertain ? t.origin : NOWHERE);
  const declared = provider.source.relayingParty ?? {};
  const ids = widen(relyingParty.id, declared.id);
  const origins = widen(relyingParty.origin, declared.origin);
  const { host } = new URL(NOWHERE);
  if ([...ids, ...origins].some((one) => one.includes(host))) throw refusal(provider, "relying-party");
  const { hostname } = new URL(t.origin);
  const own = ids.find((id) => hostname === id || hostname.endsWith(`.${id}`));
  const name = relyingParty.name.includes(host) ? (own ?? relyingParty.id) : relyingParty.name;
  return { id: own ?? relyingParty.id, name, ids, origins };
}

async function callGetRelyingParty(
  t: RequestTools,
  provider: PasskeyProvider,
  request: WebAuthnRequest,
  base: string,
): Promise<RelyingParty> {
  const { source } = provider;
  const facts = factsFor(t, provider, request, base);
  if (source.getRelayingParty === undefined) return defaultRelyingParty(source.relayingParty ?? {}, facts.url);
  try {
    return parseRelyingParty(await withinHookTime(callHook(t, provider, "getRelayingParty", facts, request)));
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

/** If the chosen value is in the configured list, the whole list is accepted; otherwise only the value itself. */
function widen(chosen: string, declared: unknown): readonly string[] {
  const list = listOf(declared);
  return list.includes(chosen) ? list : [chosen];
}

function listOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === "string" && one !== "");
}
