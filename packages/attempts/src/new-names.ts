import type { Seconds } from "@cardea/extend";

/** So many new names an hour are remembered as long as their failures ask for. */
const MAX_PER_HOUR = 10_000;

/**
 * Bounds what strangers can make a store keep: of the names that nothing is known about, those beyond ten thousand an hour and
 * process are remembered only as long as the limits need. No attempt is refused for it.
 */
export function createNewNames(): (now: Seconds) => boolean {
  let [hour, names] = [-1, 0];
  return (now) => {
    const current = Math.floor(now / 3600);
    [hour, names] = [current, current === hour ? names + 1 : 1];
    return names <= MAX_PER_HOUR;
  };
}
