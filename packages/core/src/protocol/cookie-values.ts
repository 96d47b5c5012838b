import type { ReceivedCookies } from "./received-cookies.ts";

/**
 * Maximum number of values to try for one name, so that a flood of cookies does not cause a flood of work. A neighbouring site
 * can set one for the parent domain and one for each prefix of the path, and all of them may come before ours.
 */
export const MAX_VALUES = 24;

/**
 * The values of a cookie in the order in which to try them, up to {@link MAX_VALUES}; empty if it was not sent. Those at the beginning
 * and at the end of the header take turns: browsers send the cookies of longer paths before ours, which is for `/` (RFC 6265 §5.4).
 */
export function valuesOf(name: string, { received, repeated }: ReceivedCookies): readonly string[] {
  const value = received.get(name);
  if (value === undefined) return [];
  const values = repeated.get(name);
  if (values === undefined) return [value];
  const distinct = new Set<string>();
  for (let n = 0; n < values.length && distinct.size < MAX_VALUES; n += 1) {
    distinct.add(values.at(n % 2 === 0 ? n / 2 : -(n + 1) / 2) ?? "");
  }
  return [...distinct];
}
