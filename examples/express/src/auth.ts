import { account } from "@cardea/account";
import { attempts } from "@cardea/attempts";
import { createAuth, customFetch } from "@cardea/express";
import { logout } from "@cardea/logout";
import { Credentials } from "@cardea/providers-credentials";
import { Nodemailer } from "@cardea/providers-email";
import { Password } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { passkey, recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { vault } from "@cardea/vault";
import type { Adapter } from "./database.ts";
import { level } from "./levels.ts";
import { findByEmail, findMember } from "./members.ts";
import { findEmailByPassword } from "./passwords.ts";
import type { ReadyMadeProvider } from "./ready-made-providers.ts";
import { sendWith } from "./send-mail.ts";
import type { Store } from "./store.ts";

/** An OpenID Provider that this application is registered with. */
export interface OpenIdProvider {
  /** A part of the callback URL: `/auth/callback/{id}`. */
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whether it issues refresh tokens to who asks for `offline_access`, so that members are asked for consent once. */
  readonly hasRefreshTokens?: boolean | undefined;
  /** In place of the global `fetch`, for a provider that is not on the network. */
  readonly fetch?: typeof fetch;
}

/** Asks for a refresh token as well (OpenID Connect Core §11). */
const OFFLINE = { scope: "openid profile email offline_access", prompt: "consent" } as const;

/** What differs between the demo and a test. */
export interface AuthOptions {
  readonly adapter: Adapter;
  readonly providers: readonly OpenIdProvider[];
  /** Providers that have a package of their own; default none. */
  readonly readyMade?: readonly ReadyMadeProvider[] | undefined;
  /** Where mails are handed in: `smtp://…`. */
  readonly mailServer: string;
  /** Absent: `AUTH_SECRET`, and `AUTH_SECRET_1` to `_3` as older ones. */
  readonly secret?: string | undefined;
  /** Default `database`. */
  readonly strategy?: "database" | "jwt" | undefined;
  /** With it users see and end their sessions at `/auth/sessions`, and attempts are limited. Default: the adapter's own, for the rest. */
  readonly store?: Store | undefined;
  /** Seconds that a session lasts; default 30 days. */
  readonly maxAge?: number;
}

/** Everything about signing in, in one place. */
export function configureAuth(options: AuthOptions) {
  const { adapter, providers, readyMade = [], mailServer, secret, strategy = "database", store, maxAge } = options;
  // What is pending is kept in a store: in Redis, or in the tables that come with the adapter.
  const hasStore = (store ?? adapter.store) !== undefined;
  return createAuth({
    adapter,
    store,
    extensions: [
      hasStore && secondFactor({ factors: [totp({ issuer: "The Green Room" }), passkey(), recoveryCodes()] }),
      hasStore && level,
      store && sessions(),
      store && attempts(),
      // One page for what members manage, at `/auth/account`. Messages go the way of the links.
      hasStore && Boolean(mailServer) && account({ mail: sendWith(mailServer) }),
      // Tokens stay on the server, and go to the provider's own API only.
      hasStore &&
        vault({
          providers: Object.fromEntries(providers.map(({ id, issuer }) => [id, { apis: [new URL(issuer).origin] }])),
        }),
      // A sign-out ends at the provider where the member asks for it. A provider that ends a session ends ours, where there is a list of them.
      logout({ provider: "never", backchannel: store !== undefined }),
    ],
    secret,
    session: { strategy, maxAge },
    providers: [
      ...providers.map(({ fetch, hasRefreshTokens, ...provider }) => ({
        ...provider,
        type: "oidc" as const,
        ...(hasRefreshTokens && { authorization: { params: OFFLINE } }),
        [customFetch]: fetch,
      })),
      ...readyMade,
      // Known to devices by the host of its pages, so that there are none at an IP address.
      Passkey({ relayingParty: { name: "The Green Room" } }),
      // Without a mail server there are no links by e-mail: `undefined` is left out of the list.
      mailServer && Nodemailer({ server: mailServer, from: "The Green Room <door@green-room.example>" }),
      Credentials({
        name: "a password",
        credentials: {
          username: { label: "User name", autocomplete: "username", autocapitalize: "none", required: true },
          password: { label: "Password", type: "password", autocomplete: "current-password", required: true },
        },
        authorize: async ({ username, password }) => {
          const email = await findEmailByPassword(String(username), String(password));
          return email === null ? null : findByEmail(adapter, email);
        },
      }),
      // Registration, reset and change with built-in pages. Beside the demo's user, so that its labels are others.
      hasStore &&
        mailServer &&
        Password({
          id: "passphrase",
          name: "a passphrase",
          mail: sendWith(mailServer),
          // Nothing of the demo leaves this machine.
          breached: false,
          texts: { email: "Account address", password: "Passphrase", currentPassword: "Current passphrase" },
        }),
    ],
    experimental: { enableWebAuthn: true },
    pages: { verifyRequest: "/check-mail" },
    theme: { brandName: "The Green Room", brandColor: "#0f766e" },
    callbacks: {
      // A name that was changed in the database is to be in the token, too. What the browser sent does not count.
      jwt: async ({ token, trigger }) => {
        if (trigger !== "update") return token;
        const member = await findMember(adapter, String(token.sub));
        return member === null ? null : { ...token, name: member.user.name };
      },
      // What this returns is what auth() resolves to, in its type as well.
      session: ({ session, user, token }) => ({
        ...session,
        userId: strategy === "database" ? user.id : String(token.sub),
      }),
      // In front of `auth(handler)`: everyone with a session may go on.
      authorized: ({ auth }) => auth !== null,
    },
  });
}

/** The session of a user who is signed in, as `callbacks.session` makes it. */
export type MemberSession = NonNullable<Awaited<ReturnType<ReturnType<typeof configureAuth>["unstable_update"]>>>;
