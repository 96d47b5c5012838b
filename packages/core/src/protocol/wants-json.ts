/** Whether a client of an extension's action wants JSON: a script of the page, or a program that does not accept pages. */
export function wantsJson(headers: { get(name: string): string | null }): boolean {
  return headers.get("x-auth-return-redirect") !== null || headers.get("accept")?.includes("text/html") !== true;
}
