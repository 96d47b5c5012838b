"use client";

import { createClient, type ReactClient } from "./create-react-client.ts";

const client: ReactClient = /* @__PURE__ */ createClient();

/** Provides the session to all components below; they read it with {@link useSession}. */
export const SessionProvider: ReactClient["SessionProvider"] = client.SessionProvider;
/** Reads the session of the nearest provider: see {@link UseSession}. */
export const useSession: ReactClient["useSession"] = client.useSession;
/** Resolves to the session, or null if no one is signed in. Rejects with ClientFetchError if it cannot be read. */
export const getSession: ReactClient["getSession"] = client.getSession;
/**
 * Resolves to the token that each POST must contain; empty if CSRF protection is disabled on the server. Rejects with
 * ClientFetchError.
 */
export const getCsrfToken: ReactClient["getCsrfToken"] = client.getCsrfToken;
/** Resolves to the configured providers. Rejects with ClientFetchError. */
export const getProviders: ReactClient["getProviders"] = client.getProviders;
/** Starts a sign-in with the server of the mounted provider: see {@link SignIn}. */
export const signIn: ReactClient["signIn"] = client.signIn;
/** Ends the session on the server of the mounted provider: see {@link SignOut}. */
export const signOut: ReactClient["signOut"] = client.signOut;
/** Signs in with a passkey on the server of the mounted provider: see {@link SignInWithPasskey}. */
export const signInWithPasskey: ReactClient["signInWithPasskey"] = client.signInWithPasskey;
/** Creates a passkey on the server of the mounted provider: see {@link RegisterPasskey}. */
export const registerPasskey: ReactClient["registerPasskey"] = client.registerPasskey;
/** Tells the device of changes to the passkeys on the server of the mounted provider: see {@link SignalPasskeys}. */
export const signalPasskeys: ReactClient["signalPasskeys"] = client.signalPasskeys;

export type { AuthorizationParams, PublicProvider, Session } from "@cardea/core";
export { ClientFetchError } from "./client-fetch-error.ts";
export { createClient, type ReactClient } from "./create-react-client.ts";
export type { SessionOf } from "./session-of.ts";
export type { SessionProviderProps } from "./session-provider.ts";
export type { Authenticated, Loading, SessionState, Unauthenticated, UpdateSession } from "./session-state.ts";
export type { RefetchOptions } from "./session-store.ts";
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
export type { UseSession, UseSessionOptions } from "./use-session.ts";
