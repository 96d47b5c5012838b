"use client";

import { createClient, type ReactClient } from "./create-react-client.ts";

const client: ReactClient = /* @__PURE__ */ createClient();

/** Gives the session to all components below; they read it with {@link useSession}. */
export const SessionProvider: ReactClient["SessionProvider"] = client.SessionProvider;
/** Reads the session of the nearest provider: see {@link UseSession}. */
export const useSession: ReactClient["useSession"] = client.useSession;
/** The session, or null when nobody is signed in. Rejects with ClientFetchError when the server cannot say. */
export const getSession: ReactClient["getSession"] = client.getSession;
/** The token that each POST must hold; empty where the server has CSRF protection off. Rejects with ClientFetchError. */
export const getCsrfToken: ReactClient["getCsrfToken"] = client.getCsrfToken;
/** The configured providers. Rejects with ClientFetchError. */
export const getProviders: ReactClient["getProviders"] = client.getProviders;
/** Begins a sign-in at the server of the provider on the page: see {@link SignIn}. */
export const signIn: ReactClient["signIn"] = client.signIn;
/** Ends the session at the server of the provider on the page: see {@link SignOut}. */
export const signOut: ReactClient["signOut"] = client.signOut;
/** Signs in with a passkey at the server of the provider on the page: see {@link SignInWithPasskey}. */
export const signInWithPasskey: ReactClient["signInWithPasskey"] = client.signInWithPasskey;
/** Makes a passkey at the server of the provider on the page: see {@link RegisterPasskey}. */
export const registerPasskey: ReactClient["registerPasskey"] = client.registerPasskey;

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
export type { UseSession, UseSessionOptions } from "./use-session.ts";
