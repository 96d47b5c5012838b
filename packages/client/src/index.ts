import type { Session } from "@cardea/core";
import { createClient } from "./create-client.ts";
import type { AuthClient } from "./types.ts";

const client: AuthClient<Session> = /* @__PURE__ */ createClient();

/** The session, or null when nobody is signed in. Rejects with ClientFetchError when the server cannot say. */
export const getSession: AuthClient["getSession"] = client.getSession;
/** The token that each POST must hold; empty where the server has CSRF protection off. Rejects with ClientFetchError. */
export const getCsrfToken: AuthClient["getCsrfToken"] = client.getCsrfToken;
/** The configured providers. Rejects with ClientFetchError. */
export const getProviders: AuthClient["getProviders"] = client.getProviders;
/** Begins a sign-in at the server below `/api/auth`: see {@link SignIn}. */
export const signIn: AuthClient["signIn"] = client.signIn;
/** Ends the session at the server below `/api/auth`: see {@link SignOut}. */
export const signOut: AuthClient["signOut"] = client.signOut;
/** Signs in with a passkey at the server below `/api/auth`: see {@link SignInWithPasskey}. */
export const signInWithPasskey: AuthClient["signInWithPasskey"] = client.signInWithPasskey;
/** Makes a passkey at the server below `/api/auth`: see {@link RegisterPasskey}. */
export const registerPasskey: AuthClient["registerPasskey"] = client.registerPasskey;

export type { AuthorizationParams, PublicProvider, Session } from "@cardea/core";
export { ClientFetchError } from "./client-fetch-error.ts";
export { createClient } from "./create-client.ts";
export type { SessionOf } from "./session-of.ts";
export type {
  AuthClient,
  ClientOptions,
  PasskeyFailure,
  PasskeyOptions,
  PasskeyResponse,
  PasskeySignInOptions,
  RedirectOptions,
  RegisterPasskey,
  SignIn,
  SignInOptions,
  SignInResponse,
  SignInWithPasskey,
  SignOut,
  SignOutParams,
} from "./types.ts";
