import { createAuth, customFetch } from "@cardea/express";
import { Credentials } from "@cardea/providers-credentials";
import { findByPassword } from "./passwords.ts";

/** The id of the OpenID Provider, and so a part of its callback URL. */
export const PROVIDER_ID = "local";

/** What differs between the demo and a test. */
export interface AuthOptions {
  readonly provider: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** In place of the global `fetch`, for a provider that is not on the network. */
    readonly fetch?: typeof fetch;
  };
  readonly secret: string;
  /** Seconds that a session lasts; default 30 days. */
  readonly maxAge?: number;
}

/** Everything about signing in, in one place. */
export function configureAuth({ provider, secret, maxAge }: AuthOptions) {
  return createAuth({
    secret,
    session: { maxAge },
    providers: [
      {
        id: PROVIDER_ID,
        name: "Local Provider",
        type: "oidc",
        issuer: provider.issuer,
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        [customFetch]: provider.fetch,
      },
      Credentials({
        credentials: {
          username: { label: "User name", autocomplete: "username", autocapitalize: "none", required: true },
          password: { label: "Password", type: "password", autocomplete: "current-password", required: true },
        },
        authorize: ({ username, password }) => findByPassword(String(username), String(password)),
      }),
    ],
    callbacks: {
      jwt: ({ token, account, trigger, session }) => {
        if (account) return { ...token, signedInWith: account.provider };
        const name = trigger === "update" ? parseName(session) : undefined;
        return name === undefined ? token : { ...token, name };
      },
      // What this returns is what auth() resolves to, in its type as well.
      session: ({ session, token }) => ({ ...session, signedInWith: String(token.signedInWith) }),
      // In front of `auth(handler)`: everyone with a session may go on.
      authorized: ({ auth }) => auth !== null,
    },
  });
}

/** The session of somebody who is signed in, as `callbacks.session` makes it. */
export type MemberSession = NonNullable<Awaited<ReturnType<ReturnType<typeof configureAuth>["unstable_update"]>>>;

/** The data of an update comes from a browser: only a name of a sensible length counts. */
function parseName(data: unknown): string | undefined {
  const name = typeof data === "object" && data !== null && "name" in data ? data.name : undefined;
  return typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 60) : undefined;
}
