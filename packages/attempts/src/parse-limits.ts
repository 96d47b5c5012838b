import type { Seconds } from "@cardea/core/extend";

/** What a limit counts: tries for one account, from one address, or of one user's second factor. */
export type LimitScope = "account" | "address" | "user";

/** Never more than `times` tries in any interval of this length. */
export interface Limit {
  readonly times: number;
  readonly interval: Seconds;
  readonly scope: LimitScope;
}

const unitSeconds: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const grammar = /^\s*([1-9]\d{0,6})\/([1-9]\d{0,4})([smhd])\/(account|address|user)\s*$/;

/**
 * Reads limits such as `"10/10m/account, 30/1m/address"`.
 *
 * @param option names them in the message.
 * @throws TypeError for what is no limit.
 */
export function parseLimits(text: string, option: string): readonly Limit[] {
  return text.split(",").map((part) => {
    const [, times, length, unit, scope] = grammar.exec(part) ?? [];
    const seconds = unitSeconds[unit ?? ""];
    if (seconds === undefined || (scope !== "account" && scope !== "address" && scope !== "user")) {
      throw new TypeError(`attempts(): \`${option}\` has the limit "${part.trim()}"; write one like "10/10m/account".`);
    }
    return { times: Number(times), interval: Number(length) * seconds, scope };
  });
}
