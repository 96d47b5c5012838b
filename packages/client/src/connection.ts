import type { PublicProvider } from "@cardea/core";
import { type Announce, announceChange } from "./announce-change.ts";
import type { PasskeyAction } from "./passkey.ts";
import { follow, unreached } from "./redirection.ts";
import { createSendForm } from "./send-form.ts";
import { createSignIn } from "./sign-in.ts";
import { type Answer, createTransport, refuse } from "./transport.ts";
import type {
  AuthClient,
  ClientOptions,
  PasskeyResponse,
  PasskeySignInOptions,
  SignInOptions,
  SignOut,
} from "./types.ts";

/** A client, with one call for both ceremonies of passkeys, and what only a session store needs. */
export interface Connection<S> extends Omit<AuthClient<S>, "signInWithPasskey" | "registerPasskey"> {
  /** Runs a ceremony: see {@link SignInWithPasskey} and {@link RegisterPasskey}. */
  readonly passkey: (action: PasskeyAction, options?: PasskeySignInOptions) => Promise<PasskeyResponse>;
  /** Gives `data` to the server's callbacks; resolves to the session after it. Rejects with ClientFetchError. */
  readonly updateSession: (data: unknown) => Promise<S | null>;
  /** The URL of the sign-in page, with a query. */
  readonly signInPage: (query: Readonly<Record<string, string>>) => string;
}

/**
 * Connects to the server of `options`.
 *
 * @param announce says that somebody signed in or out. Default: tells every tab, this one included.
 */
export function connect<S>(options: ClientOptions, announce: Announce = announceChange): Connection<S> {
  const { base, get, post, getCsrfToken } = createTransport(options);
  const getProviders = async () => parseProviders(await get("providers"));
  const signInPage = (query: Readonly<Record<string, string>>) => `${base}/signin?${new URLSearchParams(query)}`;
  const send = createSendForm(post, announce);
  return {
    getCsrfToken,
    getProviders,
    getSession: async ({ signal } = {}) => parseSession<S>(await get("session", signal)),
    updateSession: async (data) => {
      // A blob brings its content type along.
      const encode = (csrfToken: string) =>
        new Blob([JSON.stringify({ csrfToken, data })], { type: "application/json" });
      const isRefused = ({ status }: Answer) => status === 403;
      return parseSession<S>(await post("session", encode, isRefused));
    },
    signIn: createSignIn(send, getProviders, signInPage),
    signOut: parseSignOut(async (wishes = {}) => follow(await send("signout", "", wishes), wishes.redirect)),
    passkey: (action, options) =>
      // Loaded on use: few pages need it, and it is larger than everything else together.
      import("./passkey.ts").then(
        ({ runPasskey }) => runPasskey(get, send, follow, action, options),
        () => unreached(0),
      ),
    signInPage,
  };
}

/** What `callbacks.session` returned, or null; an error is never taken for either. */
function parseSession<S>(answer: Answer): S | null {
  return answer.status < 400 && typeof answer.body === "object" ? (answer.body as S | null) : refuse(answer);
}

function parseProviders(answer: Answer): PublicProvider[] {
  return answer.status < 400 && Array.isArray(answer.body) ? (answer.body as PublicProvider[]) : refuse(answer);
}

/** With `redirect: false` the answer is there, otherwise there is none: only the type of the options tells. */
function parseSignOut(signOut: (options?: SignInOptions) => Promise<unknown>): SignOut {
  return signOut as SignOut;
}
