import type { PublicProvider } from "@cardea/core";
import { type Announce, announceChange } from "./announce-change.ts";
import type { PasskeyAction } from "./passkey.ts";
import { follow, unreached } from "./redirection.ts";
import { createSendForm, targetOf } from "./send-form.ts";
import { createSignIn } from "./sign-in.ts";
import { type Answer, createTransport, refuse } from "./transport.ts";
import type {
  AuthClient,
  ClientOptions,
  PasskeyRegisterOptions,
  PasskeyResponse,
  PasskeySignInOptions,
  SignInOptions,
  SignOut,
} from "./types.ts";

/** A client with a single function for both passkey operations, and functions for the session store. */
export interface Connection<S> extends Omit<AuthClient<S>, "signInWithPasskey" | "registerPasskey"> {
  /** Performs a passkey operation: see {@link SignInWithPasskey} and {@link RegisterPasskey}. */
  readonly passkey: (
    action: PasskeyAction,
    options?: PasskeySignInOptions & PasskeyRegisterOptions,
  ) => Promise<PasskeyResponse>;
  /** Resolves to the session, or to the reason if the server ended it. Rejects with ClientFetchError. */
  readonly readSession: (options?: { readonly signal?: AbortSignal | undefined }) => Promise<ReadSession<S>>;
  /** Sends `data` to the server's callbacks; resolves to the updated session. Rejects with ClientFetchError. */
  readonly updateSession: (data: unknown) => Promise<S | null>;
  /** The URL of the sign-in page, with a query. */
  readonly signInPage: (query: Readonly<Record<string, string>>) => string;
}

/** The server's response about the session. */
export interface ReadSession<S> {
  readonly session: S | null;
  /** Why the server ended the session; absent for a user who signed out, or never signed in. */
  readonly ended?: string | undefined;
}

/**
 * Connects to the server in `options`.
 *
 * @param announce announces a sign-in or sign-out. Default: notifies every tab, including this one.
 */
export function connect<S>(options: ClientOptions, announce: Announce = () => announceChange()): Connection<S> {
  const { base, get, post, getCsrfToken } = createTransport(options);
  const getProviders = async () => parseProviders(await get("providers"));
  const signInPage = (query: Readonly<Record<string, string>>) => `${base}/signin?${new URLSearchParams(query)}`;
  const send = createSendForm({ base, post }, announce);
  const readSession: Connection<S>["readSession"] = async ({ signal } = {}) => {
    const answer = await get("session", signal);
    return { session: parseSession<S>(answer), ended: answer.ended };
  };
  return {
    getCsrfToken,
    getProviders,
    readSession,
    getSession: async (options) => (await readSession(options)).session,
    updateSession: async (data) => {
      // A blob has its own content type.
      const encode = (csrfToken: string) =>
        new Blob([JSON.stringify({ csrfToken, data })], { type: "application/json" });
      const isRefused = ({ status }: Answer) => status === 403;
      return parseSession<S>(await post("session", encode, isRefused));
    },
    signIn: createSignIn(send, getProviders, (options) => signInPage({ callbackUrl: targetOf(options, base) })),
    signOut: assumeSignOut(async (wishes = {}) => follow(await send("signout", "", wishes), wishes.redirect)),
    passkey: (action, options) =>
      loadPasskeys().then(
        ({ runPasskey }) => runPasskey(get, send, follow, action, options),
        () => unreached(0),
      ),
    signalPasskeys: (options = {}) =>
      loadPasskeys().then(
        ({ signalPasskeys }) => signalPasskeys(get, options),
        () => undefined,
      ),
    signInPage,
  };
}

/** Loaded on demand: few pages need it, and it is larger than everything else together. */
const loadPasskeys = () => import("./passkey.ts");

/** The result of `callbacks.session`, or null; an error is never mistaken for either. */
function parseSession<S>(answer: Answer): S | null {
  const isSession = answer.status < 400 && typeof answer.body === "object" && !Array.isArray(answer.body);
  return isSession ? (answer.body as S | null) : refuse(answer);
}

function parseProviders(answer: Answer): PublicProvider[] {
  return answer.status < 400 && Array.isArray(answer.body) ? (answer.body as PublicProvider[]) : refuse(answer);
}

/** With `redirect: false` there is a response, otherwise there is none; only the type of the options tells. */
function assumeSignOut(signOut: (options?: SignInOptions) => Promise<unknown>): SignOut {
  return signOut as SignOut;
}
