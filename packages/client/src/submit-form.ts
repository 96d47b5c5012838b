import type { Announce } from "./announce-change.ts";
import { follow, parseRedirection } from "./redirection.ts";
import type { Answer, Transport } from "./transport.ts";
import type { SignInOptions, SignInResponse } from "./types.ts";

/** What the server says when it did not accept the CSRF token, or knows no such provider (spec 7): it has done nothing. */
export const REFUSED = "Signin";

/** Where to go afterwards. */
export const targetOf = ({ redirectTo, callbackUrl }: SignInOptions): string =>
  redirectTo ?? callbackUrl ?? location.href;

/**
 * Sends the form of a sign-in or sign-out, and goes where the server says, or tells.
 *
 * @param announce is called where the session has changed: after credentials that fit, and after every sign-out.
 * @param path what follows the action in the URL.
 * @param options fields that are null or undefined are left out, everything else is sent as text.
 * @throws ClientFetchError
 */
export async function submitForm(
  post: Transport["post"],
  announce: Announce,
  action: "signin" | "callback" | "signout",
  path: string,
  options: SignInOptions,
): Promise<SignInResponse | undefined> {
  const { redirect, redirectTo: _to, callbackUrl: _from, ...fields } = options;
  const target = targetOf(options);
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
  return follow(redirection, redirect);
}
