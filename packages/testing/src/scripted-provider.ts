import { type AuthorizationAnswer, authorize } from "./scripted-provider/authorization.ts";
import {
  CallLog,
  type FetchedEndpoint,
  type ProviderCall,
  type ProviderCalls,
  recordCall,
} from "./scripted-provider/calls.ts";
import { type Answer, networkError, sufferNetwork, toResponse } from "./scripted-provider/faults.ts";
import { renderFormPost } from "./scripted-provider/form-post-page.ts";
import { assumeJson, type JsonObject } from "./scripted-provider/json.ts";
import { KeyStore, type ProviderKeys } from "./scripted-provider/keys.ts";
import { currentMetadata, endpointAt, resolveEndpoint } from "./scripted-provider/metadata.ts";
import type {
  AuthorizeScript,
  ClientAuthentication,
  EndpointScript,
  ProviderScript,
} from "./scripted-provider/script.ts";
import {
  defaultUser,
  type IssuedSecrets,
  jsonAnswer,
  type ProviderState,
  type ScriptedProviderOptions,
  type Settings,
} from "./scripted-provider/state.ts";
import { answerToken } from "./scripted-provider/token-endpoint.ts";
import { answerResource, answerUserinfo } from "./scripted-provider/userinfo-endpoint.ts";

/** An in-process provider, for clients whose `fetch` can be replaced. */
export interface ScriptedProvider {
  /** Its issuer identifier, also the URL below which its endpoints are. */
  readonly issuer: string;
  /** The only registered client. */
  readonly clientId: string;
  /** `undefined` for a client without a secret. */
  readonly clientSecret: string | undefined;
  /**
   * Replaces the client's `fetch`: serves discovery, keys, token, userinfo and resources. Other requests are recorded
   * in `calls.other` and rejected like those to an unreachable host. Redirects are followed unless the client sets
   * `manual` or `error`; abort signals are honoured.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Simulates the user at the provider, and returns the redirect back to the client. `overrides` take precedence over
   * the script. Rejects with `AuthorizationRequestRefused` for an unacceptable request.
   */
  authorize(url: string | URL, overrides?: AuthorizeScript): Promise<AuthorizationAnswer>;
  /** The same for a browser's `routes`: the authorization endpoint redirects back, or shows a form that posts back. */
  readonly handler: (request: Request) => Promise<Response>;
  /** Requests so far, by endpoint. */
  readonly calls: ProviderCalls;
  /** The signing keys. */
  readonly keys: ProviderKeys;
  /** The codes and tokens issued so far. */
  readonly issued: IssuedSecrets;
  /** The user who signs in; may be changed at any time. */
  user: JsonObject;
  /** Deviations from normal behaviour; may be changed at any time. `{}`: none. */
  script: ProviderScript;
}

const ENDPOINTS = { authorize: "authorize", token: "token", jwks: "jwks", userinfo: "userinfo" } as const;

function defaultAuthentication(hasSecret: boolean, hasKeys: boolean): readonly ClientAuthentication[] {
  if (hasSecret) return ["client_secret_basic", "client_secret_post"];
  return hasKeys ? ["private_key_jwt"] : ["none"];
}

function resolveSettings(options: ScriptedProviderOptions): Settings {
  const issuer = options.issuer ?? "https://op.example.com";
  const clientSecret = options.clientSecret === null ? undefined : (options.clientSecret ?? "csecret");
  const clientKeys = options.clientKeys ?? [];
  const at = (name: keyof typeof ENDPOINTS): string => resolveEndpoint(issuer, options.endpoints?.[name] ?? name);
  return {
    issuer,
    clientId: options.clientId ?? "cid",
    clientSecret,
    type: options.type ?? "oidc",
    clientAuthentication:
      options.clientAuthentication ?? defaultAuthentication(clientSecret !== undefined, clientKeys.length > 0),
    clientKeys,
    redirectUris: options.redirectUris,
    pkce: options.pkce ?? "optional",
    responseIss: options.responseIss ?? false,
    signatureAlgorithm: options.signatureAlgorithm ?? "RS256",
    claimsIn: options.claimsIn ?? "both",
    endpoints: { authorize: at("authorize"), token: at("token"), jwks: at("jwks"), userinfo: at("userinfo") },
    resources: new Map(Object.entries(options.resources ?? {})),
    now: options.now ?? (() => Date.now()),
  };
}

/** The endpoint's part of the script, unless its `times` are used up. */
function scriptFor(state: ProviderState, name: FetchedEndpoint): EndpointScript {
  if (name === "resource") return {};
  const script: EndpointScript = state.script[name] ?? {};
  const uses = (state.uses.get(name) ?? 0) + 1;
  state.uses.set(name, uses);
  return uses > (script.times ?? Number.POSITIVE_INFINITY) ? {} : script;
}

async function answerJwks(state: ProviderState): Promise<Answer> {
  const script = state.script.jwks ?? {};
  const { keys } = await state.keys.jwks(script.set);
  const published = script.withoutKid === true ? keys.map(({ kid: _, ...key }) => key) : keys;
  return jsonAnswer(assumeJson({ keys: published }));
}

async function answerHonestly(state: ProviderState, name: FetchedEndpoint, call: ProviderCall): Promise<Answer> {
  switch (name) {
    case "discovery":
      return jsonAnswer(currentMetadata(state));
    case "jwks":
      return answerJwks(state);
    case "token":
      return answerToken(state, call);
    case "userinfo":
      return answerUserinfo(state, call);
    case "resource":
      return answerResource(
        state,
        call,
        state.settings.resources.get(new URL(call.url).href.replace(/[?#].*$/, "")) ?? null,
      );
  }
}

/**
 * `signal` is the client's own. The signal of a `Request` follows it only until the request is garbage-collected, and
 * an unanswered request is not referenced.
 */
async function answer(state: ProviderState, request: Request, signal: AbortSignal): Promise<Response> {
  const call = await recordCall(request, state.settings.now());
  const name = endpointAt(state, new URL(call.url));
  // The authorization endpoint is for browsers; a client must not call it directly.
  if (name === undefined || name === "authorize") {
    state.calls.other.push(call);
    throw networkError("ENOTFOUND", call.url);
  }
  state.calls[name].push(call);
  const script = scriptFor(state, name);
  await sufferNetwork(script, call, signal);
  const response = toResponse(await answerHonestly(state, name, call), script, call, signal);
  const location = response.headers.get("location");
  if (location === null || response.status < 300 || response.status > 399 || request.redirect === "manual")
    return response;
  if (request.redirect === "error") throw networkError("ERR_UNEXPECTED_REDIRECT", call.url);
  return answer(state, new Request(new URL(location, call.url)), signal);
}

async function answerBrowser(state: ProviderState, request: Request): Promise<Response> {
  const { url, form } = authorize(state, new URL(request.url), {});
  if (form === undefined) return new Response(null, { status: 303, headers: { location: url.href } });
  return new Response(renderFormPost(url, form), { headers: { "content-type": "text/html; charset=utf-8" } });
}

function createState(options: ScriptedProviderOptions): ProviderState {
  const settings = resolveSettings(options);
  return {
    settings,
    keys: new KeyStore(settings.issuer, settings.signatureAlgorithm),
    calls: new CallLog(),
    codes: new Map(),
    accessTokens: new Map(),
    refreshTokens: new Map(),
    assertionIds: new Set(),
    issued: { codes: [], accessTokens: [], refreshTokens: [], idTokens: [] },
    user: options.user ?? defaultUser(settings.type),
    script: {},
    uses: new Map(),
  };
}

/**
 * Creates an in-process OAuth 2.0 / OpenID Provider whose behaviour, including hostile behaviour, is controlled by a
 * script.
 *
 * ```ts
 * const op = createScriptedProvider({ clientId: "cid", clientSecret: "csecret" });
 * op.script = { idToken: { claims: { append: { iss: "1" } } } };
 * const answer = await op.authorize(authorizationUrl);
 * const page = await browser.navigate(answer.url, { form: answer.form, initiator: op.issuer });
 * expect(op.calls.userinfo).toHaveLength(0);
 * ```
 *
 * Without a script, it behaves correctly, with the metadata of the OpenID Foundation's test suite: PKCE and the `iss`
 * parameter are not announced. Codes last a minute and are single-use. Throws if `issuer` or an endpoint is not a URL.
 */
export function createScriptedProvider(options: ScriptedProviderOptions = {}): ScriptedProvider {
  const state = createState(options);
  const { settings } = state;
  return {
    issuer: settings.issuer,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      return answer(state, request, init?.signal ?? (input instanceof Request ? input : request).signal);
    },
    authorize: async (url, overrides = {}) => authorize(state, new URL(url), overrides),
    handler: (request) => answerBrowser(state, request),
    calls: state.calls,
    keys: state.keys,
    issued: state.issued,
    get user() {
      return state.user;
    },
    set user(user) {
      state.user = user;
    },
    get script() {
      return state.script;
    },
    set script(script) {
      state.script = script;
      state.uses.clear();
    },
  };
}
