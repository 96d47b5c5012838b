import type { AuthorizationParams, PublicProvider } from "@cardea/core";
import { ClientFetchError } from "./client-fetch-error.ts";
import { follow, redirectionTo, unreached } from "./redirection.ts";
import { REFUSED, type SendForm } from "./send-form.ts";
import type { SignIn, SignInOptions, SignInResponse } from "./types.ts";

/** Creates the `signIn` of a connection from its other parts. */
export function createSignIn(
  send: SendForm,
  getProviders: () => Promise<PublicProvider[]>,
  signInPage: (options: SignInOptions) => string,
): SignIn {
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
      const known = provider && (await getProviders()).find(({ id }) => id === provider);
      if (!known) {
        const page = signInPage(options);
        if (provider)
          console.warn(`signIn(${JSON.stringify(provider)}): no provider has this id, so the sign-in page is shown.`);
        return follow(provider ? redirectionTo(page, 404, REFUSED) : redirectionTo(page, 200), options.redirect);
      }
      // Credentials are sent to the callback; all other providers start at `signin`.
      const action = known.type === "credentials" ? "callback" : "signin";
      const query = authorizationParams ? `?${new URLSearchParams(authorizationParams)}` : "";
      return follow(await send(action, `/${provider}${query}`, options), options.redirect);
    } catch (error) {
      if (options.redirect !== false || !(error instanceof ClientFetchError)) throw error;
      return unreached(error.status);
    }
  }
  return signIn;
}
