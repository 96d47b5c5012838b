import type { Seconds } from "@cardea/extend";

/** What a limit counts: attempts for one account, from one address, or at one user's second factor. */
export type LimitScope = "account" | "address" | "user";

/** At most `times` attempts in any interval of this length. */
export interface Limit {
  readonly times: number;
  readonly interval: Seconds;
  readonly scope: LimitScope;
}

const unitSeconds: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const grammar = /^\s*([1-9]\d{0,6})\/([1-9]\d{0,4})([smhd])\/(account|address|user)\s*$/;

/**
 * Parses limits such as `"10/10m/account, 30/1m/address"`.
 *
 * @param option Name of the option, for the error message.
 * @throws TypeError for an invalid limit.
 */
export function parseLimits(text: string, option: string): readonly Limit[] {
  return text.split(",").map((part) => {
    const [, times, length, unit, scope] = grammar.exec(part) ?? [];
    const seconds = unitSeconds[unit ?? ""];
    if (seconds === undefined || (scope !== "account" && scope !== "address" && scope !== "user")) {
      throw new TypeError(
        `attempts(): \`${option}\` has the invalid limit "${part.trim()}"; use a format like "10/10m/account".`,
      );
    }
    return { times: Number(times), interval: Number(length) * seconds, scope };
  });
}
