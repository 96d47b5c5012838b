import type { Session } from "@cardea/core";
import { createClient } from "./create-client.ts";
import type { AuthClient } from "./types.ts";

const client: AuthClient<Session> = /* @__PURE__ */ createClient();

/** Resolves to the session, or null if no one is signed in. Rejects with ClientFetchError if it cannot be read. */
export const getSession: AuthClient["getSession"] = client.getSession;
/**
 * Resolves to the token that each POST must contain; empty if CSRF protection is disabled on the server. Rejects with
 * ClientFetchError.
 */
export const getCsrfToken: AuthClient["getCsrfToken"] = client.getCsrfToken;
/** Resolves to the configured providers. Rejects with ClientFetchError. */
export const getProviders: AuthClient["getProviders"] = client.getProviders;
/** Starts a sign-in with the server below `/api/auth`: see {@link SignIn}. */
export const signIn: AuthClient["signIn"] = client.signIn;
/** Ends the session on the server below `/api/auth`: see {@link SignOut}. */
export const signOut: AuthClient["signOut"] = client.signOut;
/** Signs in with a passkey on the server below `/api/auth`: see {@link SignInWithPasskey}. */
export const signInWithPasskey: AuthClient["signInWithPasskey"] = client.signInWithPasskey;
/** Creates a passkey on the server below `/api/auth`: see {@link RegisterPasskey}. */
export const registerPasskey: AuthClient["registerPasskey"] = client.registerPasskey;
/** Tells the device of changes to the passkeys of the server below `/api/auth`: see {@link SignalPasskeys}. */
export const signalPasskeys: AuthClient["signalPasskeys"] = client.signalPasskeys;

export type { AuthorizationParams, PublicProvider, Session } from "@cardea/core";
export { ClientFetchError } from "./client-fetch-error.ts";
export { createClient } from "./create-client.ts";
export type { SessionOf } from "./session-of.ts";
export type {
  AuthClient,
  ClientOptions,
  PasskeyFailure,
  PasskeyOptions,
  PasskeyRegisterOptions,
  PasskeyResponse,
  PasskeySignInOptions,
  RedirectOptions,
  RegisterPasskey,
  SignalPasskeys,
  SignalPasskeysOptions,
  SignIn,
  SignInOptions,
  SignInResponse,
  SignInWithPasskey,
  SignOut,
  SignOutParams,
} from "./types.ts";
