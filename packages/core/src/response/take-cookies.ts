/** A response and the cookies that were removed from it. */
export interface TakenCookies {
  /** The response without cookies; it shares the body of the given one. */
  readonly response: Response;
  /** The cookies, as values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

/** Separates the cookies from a response, for frameworks with their own cookie API. */
export function takeCookies({ status, body, headers: given }: Response): TakenCookies {
  const headers = new Headers(given);
  headers.delete("set-cookie");
  return { response: new Response(body, { status, headers }), cookies: given.getSetCookie() };
}
