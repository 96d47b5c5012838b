import type { AuthConfig } from "../model/config.ts";
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { GivenProvider, Problem, ProviderResolution } from "../model/sign-in-method.ts";
import { OWN_WAY, type SignInWay, type SignInWayProblem } from "../model/sign-in-way.ts";

/** Resolves a provider that defines its own sign-in method. */
export function resolveOwnWay({ id, members }: GivenProvider): ProviderResolution<ResolvedWebAuthnProvider> {
  const way = wayOf(members);
  if (way === undefined) {
    const message = "has no passkey sign-in: use Passkey() or WebAuthn() from @cardea/providers-webauthn";
    return { problems: [{ message }] };
  }
  const resolved = way.resolve(members);
  if ("problems" in resolved) return { problems: resolved.problems };
  const provider = { ...resolved, kind: "webauthn", type: "webauthn", id, way, source: members } as const;
  return { provider, warnings: [], secrets: resolved.secrets };
}

/** The sign-in method of a provider object; undefined if it has none that `defineSignInWay` created. */
export function wayOf({ extension }: GivenProvider["members"]): SignInWay | undefined {
  const way: unknown = Object(extension).way;
  return typeof way === "object" && way !== null && OWN_WAY in way ? assumeWay(way) : undefined;
}

/** Finds options that are incompatible with passkeys. */
export function findOwnWayProblems(
  given: AuthConfig,
  providers: Iterable<ResolvedProvider>,
  kinds: ReadonlySet<ResolvedProvider["kind"]>,
): Problem[] {
  if (!kinds.has("webauthn")) return [];
  const own = [...providers].filter((one): one is ResolvedWebAuthnProvider => one.kind === "webauthn");
  const shared = [...new Set(own.map(({ way }) => way))].flatMap((way) =>
    way.findProblems(own.filter((one) => one.way === way)).map((one) => toProblem(one, "providers")),
  );
  // Passkeys are experimental and must be enabled (docs/configuration.md).
  const ids = own.map(({ id }) => `"${id}"`).join(", ");
  const message = `must be true for provider ${ids}`.trim();
  const isOn = given.experimental?.enableWebAuthn === true;
  return isOn ? shared : [{ option: "experimental.enableWebAuthn", message }, ...shared];
}

function toProblem({ member, message, error }: SignInWayProblem, option: string): Problem {
  return {
    option: member === undefined ? option : `${option}.${member}`,
    message,
    ...(error === undefined ? {} : { error }),
  };
}

function assumeWay(way: object): SignInWay {
  return way as SignInWay;
}
