import type { Announce } from "./announce-change.ts";
import { parseRedirection, type Redirection, toUrl } from "./redirection.ts";
import type { Answer, Transport } from "./transport.ts";
import type { SignInOptions } from "./types.ts";

/** The error if the server rejected the CSRF token or does not know the provider (docs/errors.md). Nothing was changed. */
export const REFUSED = "Signin";

/**
 * Sends the form of a sign-in or sign-out, and resolves to the redirect target.
 *
 * @param path the part of the URL after the endpoint.
 * @param options fields that are null or undefined are omitted, everything else is sent as text.
 * @throws ClientFetchError
 */
export type SendForm = (
  action: "signin" | "callback" | "signout",
  path: string,
  options: SignInOptions,
) => Promise<Redirection>;

/** Destination afterwards. A path is one of the page, also where `base` has another origin. */
export function targetOf({ redirectTo, callbackUrl }: SignInOptions, base: string): string {
  const target = redirectTo ?? callbackUrl ?? location.href;
  return base.includes(":") ? (toUrl(target)?.href ?? target) : target;
}

/**
 * Creates the function that sends the forms of a connection.
 *
 * @param announce called when the session changes: after a callback that signed in, and after every sign-out.
 */
export function createSendForm({ base, post }: Pick<Transport, "base" | "post">, announce: Announce): SendForm {
  return async (action, path, options) => {
    const { redirect, redirectTo: _to, callbackUrl: _from, ...fields } = options;
    const target = targetOf(options, base);
    const encode = (csrfToken: string) => {
      const form = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...fields, csrfToken, callbackUrl: target })) {
        if (value !== undefined && value !== null) form.set(name, String(value));
      }
      return form;
    };
    const read = (answer: Answer) => parseRedirection(answer, target);
    const redirection = read(await post(action + path, encode, (answer) => read(answer).error === REFUSED));
    if (action === "signout" || (action === "callback" && redirection.ok)) await announce(redirect === false);
    return redirection;
  };
}
