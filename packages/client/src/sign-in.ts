import type { AuthorizationParams, PublicProvider } from "@cardea/core";
import type { Announce } from "./announce-change.ts";
import { ClientFetchError } from "./client-fetch-error.ts";
import { follow, redirectionTo } from "./redirection.ts";
import { REFUSED, submitForm, targetOf } from "./submit-form.ts";
import type { Transport } from "./transport.ts";
import type { SignIn, SignInOptions, SignInResponse } from "./types.ts";

/** Makes the `signIn` of a connection out of its other parts. */
export function createSignIn(
  post: Transport["post"],
  getProviders: () => Promise<PublicProvider[]>,
  signInPage: (query: Readonly<Record<string, string>>) => string,
  announce: Announce,
): SignIn {
  const begin = async (id: string | undefined, options: SignInOptions, params: AuthorizationParams | undefined) => {
    const provider = id && (await getProviders()).find((one) => one.id === id);
    if (!provider) {
      const page = signInPage({ callbackUrl: targetOf(options) });
      return follow(id ? redirectionTo(page, 404, REFUSED) : redirectionTo(page, 200), options.redirect);
    }
    // Credentials are what the callback takes; everyone else is sent away from `signin` first.
    const action = provider.type === "credentials" ? "callback" : "signin";
    return submitForm(post, announce, action, `/${id}${params ? `?${new URLSearchParams(params)}` : ""}`, options);
  };
  function signIn<Redirect extends boolean = true>(
    provider?: string,
    options?: SignInOptions<Redirect>,
    authorizationParams?: AuthorizationParams,
  ): Promise<Redirect extends true ? void : SignInResponse>;
  async function signIn(
    provider?: string,
    options: SignInOptions = {},
    authorizationParams?: AuthorizationParams,
  ): Promise<SignInResponse | undefined> {
    try {
      return await begin(provider, options, authorizationParams);
    } catch (error) {
      if (options.redirect !== false || !(error instanceof ClientFetchError)) throw error;
      return { ok: false, error: error.type, status: error.status, url: null };
    }
  }
  return signIn;
}
