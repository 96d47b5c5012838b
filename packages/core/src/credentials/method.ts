import { MissingAuthorize } from "../model/errors.ts";
import { loadOnce } from "../model/load-once.ts";
import type { CredentialsProvider } from "../model/provider.ts";
import type { ResolvedCredentialsProvider } from "../model/resolved-provider.ts";
import type { GivenProvider, ProviderResolution, SignInMethod } from "../model/sign-in-method.ts";

/** Sign-in with a user name and password, or whatever else `authorize` checks. */
export const credentials: SignInMethod<ResolvedCredentialsProvider> = {
  types: ["credentials"],
  members: ["credentials", "authorize"] satisfies readonly (keyof CredentialsProvider)[],
  resolve: resolveCredentialsProvider,
  form: ({ baseUrl }, { id, name, credentials: fields }) => ({
    kind: "credentials",
    id,
    name,
    action: `${baseUrl}/callback/${id}`,
    fields,
  }),
  load: loadOnce(async () => (await import("./finish.ts")).credentialsMethod),
};

/** Resolves a credentials provider. Nothing of it is read from the environment. */
function resolveCredentialsProvider({ members }: GivenProvider): ProviderResolution<ResolvedCredentialsProvider> {
  const provider = assumeCredentials(members);
  const { id, name, authorize, credentials, style } = provider;
  if (typeof authorize !== "function") {
    const message = "must be a function that returns a user or null";
    return { problems: [{ member: "authorize", message, error: (text) => new MissingAuthorize(text) }] };
  }
  const resolved: ResolvedCredentialsProvider = {
    kind: "credentials",
    type: "credentials",
    id,
    name: name ?? "Credentials",
    credentials: credentials ?? {},
    authorize: (fields, request) => provider.authorize(fields, request),
    extension: provider.extension,
    style: style ?? {},
  };
  return { provider: resolved, warnings: [], secrets: [] };
}

/** `authorize` is checked above; the other members are checked where they are used. */
function assumeCredentials(members: GivenProvider["members"]): CredentialsProvider {
  return members as unknown as CredentialsProvider;
}
