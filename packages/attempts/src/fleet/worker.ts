// One process of the test: makes the requested number of attempts and reports how many were allowed.

import { openPatientStore } from "../../../store-redis/src/servers/open-patient-store.ts";
import { createLimiter } from "../limiter.ts";

const [url = "", times = "", interval = ""] = process.argv.slice(2);
let time = 1_000_000;
const limiter = createLimiter({
  // Calls to a killed server fail when its connection ends, not when their time is over.
  store: openPatientStore(url).store,
  marker: "cardea:attempts:marker",
  now: () => time,
  random: () => crypto.randomUUID(),
  onStoreDown: "local",
});
const limit = { times: Number(times), interval: Number(interval), scope: "account" } as const;

/** Concurrent attempts at a given time. The clock stands still unless it is set. */
export interface Round {
  readonly tries: number;
  readonly at?: number;
}

process.on("message", async ({ tries, at = time }: Round) => {
  time = at;
  const verdicts = await Promise.all(
    Array.from({ length: tries }, () => limiter.take({ key: "cardea:attempts:account", limit })),
  );
  process.send?.(verdicts.filter(({ allow }) => allow).length);
});
process.send?.("ready");
