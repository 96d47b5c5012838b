import { createReadAccounts } from "./accounts/create-read-accounts.ts";
import type { Parts } from "./config/parts.ts";
import type { ResolvedProvider } from "./model/resolved-provider.ts";
import type { SignInMethod } from "./model/sign-in-method.ts";
import type { ConfigResolver, ConfigSource, ResolverOptions } from "./server/config-resolver.ts";
import * as resolver from "./server/config-resolver.ts";

/**
 * A sign-in method whose providers only count: by id, by path, and by whether they prove addresses. Their options are not checked, and
 * nothing can be started with them.
 */
function counted(kind: ResolvedProvider["kind"], ...types: readonly string[]): SignInMethod {
  return {
    types,
    members: [],
    resolve: ({ id, members, complete }) => {
      const { allowDangerousEmailAccountLinking, ownsAddresses, ownsAddress, extension } = members;
      const isLax = allowDangerousEmailAccountLinking === true;
      const counts = { kind, type: members.type, id, ownsAddresses, ownsAddress, extension };
      // A cast: it lacks what only a sign-in needs, and no sign-in starts here.
      const provider = { ...counts, allowDangerousEmailAccountLinking: isLax } as unknown as ResolvedProvider;
      const secrets = [complete.clientSecret, complete.apiKey, members.secret];
      return { provider, warnings: [], secrets: secrets.filter((one) => typeof one === "string") };
    },
    form: notHere,
    load: async () => notHere(),
  };
}

function notHere(): never {
  throw new Error("An entry point that only reads cannot sign in.");
}

/** For entry points that read sessions and guard requests: no sign-in method, and no check of options. The default entry points have both. */
const readerParts: Parts = {
  methods: [counted("oauth", "oauth", "oidc"), counted("email", "email"), counted("credentials", "credentials")],
  accounts: createReadAccounts,
};

/** Creates the resolver of an application that only reads; see `createConfigResolver` in `standard-resolvers.ts`. */
export function createReaderResolver<S, A, R>(
  source: ConfigSource<S, A, R>,
  defaultBasePath: string,
  options?: ResolverOptions,
): ConfigResolver {
  return resolver.createConfigResolver(source, readerParts, defaultBasePath, options);
}
