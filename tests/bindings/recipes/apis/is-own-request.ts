/** Whether a page of this origin sent a request. Browsers set these headers; other sites cannot change them. */
export function isOwnRequest({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  return site === null ? headers.get("origin") === process.env.AUTH_URL : site === "same-origin";
}
