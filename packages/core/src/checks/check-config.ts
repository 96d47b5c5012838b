import { readEnvironment } from "../config/env.ts";
import { isPlainObject } from "../config/merge-options.ts";
import type { Checks, Draft } from "../config/parts.ts";
import { parsePublicUrl } from "../config/resolve-address.ts";
import type { ConfiguredProvider } from "../config/resolve-providers.ts";
import type { Adapter } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import type { Problem } from "../model/sign-in-method.ts";
import { hasControlCharacter } from "../protocol/parse-url.ts";
import { findAdapterProblems, findCodeProblems } from "./check-adapter.ts";
import { findCookieProblems, findCookieWarnings } from "./check-cookies.ts";
import { findMisspelledMembers, findUnknownOptions } from "./find-unknown-options.ts";
import { OPTIONS } from "./options.ts";
import { findStartupWarnings, findStoreWarnings } from "./startup-warnings.ts";
import { checkShape } from "./validate-config.ts";

/**
 * Checks a configuration.
 *
 * 1. Options of a wrong type are reported and removed, so that the rest can be resolved and checked as well.
 * 2. Values of providers that are sent to another server have no control characters.
 * 3. Browsers store the cookies.
 * 4. The adapter and the store have what the providers and the strategy require.
 * 5. Warns about names that are almost those of options.
 * 6. Warns about a valid configuration that does something other than its author probably meant.
 */
export const checkConfig: Checks = (given, env, resolve) => {
  const { problems: shape, usable } = checkShape(given);
  const draft = resolve(usable);
  const { url, isProduction } = readEnvironment(env);
  const { origin, protocol } = parsePublicUrl(url) ?? {};
  // Without a URL, a test suite, or an application without NODE_ENV, may be on either.
  const scheme = protocol ?? (isProduction ? "https:" : env.NODE_ENV === "development" ? "http:" : undefined);
  const control = draft.configured.flatMap(findControlProblems);
  const resolved = draft.problems.filter(({ option }) => !control.some((one) => one.option === option));
  const further = [
    ...control,
    ...resolved,
    ...findCookieProblems(usable, draft.cookies, scheme),
    ...findExperimentalProblems(usable, draft),
    ...findAdapterProblems(usable, new Set(draft.configured.map(({ members }) => members.type))),
    ...findCodeProblems(usable, draft.providers.values()),
  ];
  const problems = [...shape, ...withoutConsequences(further, shape)];
  const misspelled = draft.configured.flatMap(({ members, option }) =>
    findMisspelledMembers(members, option, draft.methods.get(String(members.type))?.members ?? []),
  );
  const warnings = [...findUnknownOptions(given, OPTIONS), ...misspelled, ...draft.warnings];
  if (problems.length > 0) return { draft, problems, warnings };
  const cookies = findCookieWarnings(given, draft.cookies, scheme);
  // Its methods were checked above.
  const store = given.store ?? (given.adapter as Adapter | undefined)?.store;
  const consequences = [
    ...findStoreWarnings(store, env),
    ...findStartupWarnings(given, [...draft.providers.values()], origin),
  ];
  return { draft, problems, warnings: [...warnings, ...cookies, ...consequences] };
};

/** Passkeys are experimental and must be enabled (docs/configuration.md). */
function findExperimentalProblems({ experimental }: AuthConfig, { configured, providers }: Draft): Problem[] {
  const isUsed = configured.some(({ members }) => members.type === "webauthn");
  if (!isUsed || experimental?.enableWebAuthn === true) return [];
  const ids = [...providers.values()].filter(({ type }) => type === "webauthn").map(({ id }) => `"${id}"`);
  const message = `must be true for provider ${ids.join(", ")}`.trim();
  return [{ option: "experimental.enableWebAuthn", message }];
}

function findControlProblems({ option, id, settings, complete }: ConfiguredProvider): Problem[] {
  return findControlCharacters({ ...settings, ...complete }).map((member) => ({
    option: `${option}.${member}`,
    message: `of provider "${id}" has a control character`,
  }));
}

/** Options with a wrong type were removed, so a later check may find them missing. That is not a second problem. */
function withoutConsequences(problems: readonly Problem[], shape: readonly Problem[]): Problem[] {
  const within = (one: string, other: string) => one === other || one.startsWith(`${other}.`);
  return problems.filter(({ option }) => !shape.some((one) => one.option === "config" || within(option, one.option)));
}

/** Members of a provider that are used in a URL, a header or passkey options. */
const MEMBERS = [
  ...["name", "clientId", "clientSecret", "issuer", "wellKnown", "authorization", "token", "userinfo", "jwks_endpoint"],
  ...["redirectProxyUrl", "client", "apiKey", "from", "server", "style", "relayingParty"],
] as const;

/**
 * Finds control characters in the values that a provider sends in URLs and headers; URL parsers silently drop some of them.
 *
 * @returns the paths of all members that contain one, such as `token.url`. Never throws.
 */
function findControlCharacters(provider: Readonly<Record<PropertyKey, unknown>>): readonly string[] {
  return MEMBERS.flatMap((name) => search(provider[name], name));
}

function search(value: unknown, path: string): string[] {
  if (typeof value === "string") return hasControlCharacter(value) ? [path] : [];
  if (Array.isArray(value)) return value.some((member) => search(member, path).length > 0) ? [path] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => search(member, `${path}.${name}`));
}
