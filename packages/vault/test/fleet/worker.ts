// One process of the test: an application that asks for tokens as often as it is told, and ends itself where it is told.

import { createAuth } from "@cardea/core";
import type { Store } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { redisStore } from "@cardea/store-redis";
import { createMemoryAdapter } from "@cardea/testing";
import { Redis } from "ioredis";
import { ReauthRequired, tokenOf, vault } from "../../src/index.ts";
import type { Order, Report, WorkerSettings } from "./orders.ts";

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? "{}");
const redis = new Redis(settings.redis, { maxRetriesPerRequest: 1 });

// Clocks of the processes are apart, and leases end sooner than after fifteen seconds.
const realNow = Date.now;
const realElapsed = performance.now.bind(performance);
let ahead = settings.clockMs;
Date.now = () => realNow() + ahead;
performance.now = () => realElapsed() * settings.speed;

/** The steps of a refresh that were begun or ended so far, and the one at which this process ends or stops. */
let steps = 0;
let endAt = 0;
let stopAt = 0;

async function step(): Promise<void> {
  steps += 1;
  if (steps === endAt) process.kill(process.pid, "SIGKILL");
  if (steps === stopAt) process.kill(process.pid, "SIGSTOP");
  if (steps === endAt || steps === stopAt) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function watched<T>(call: () => Promise<T>): Promise<T> {
  await step();
  const result = await call();
  await step();
  return result;
}

/** Between the last look at the lease and the request there is no step: nothing can be looked at there any more. */
const send: typeof fetch = async (input, init) => {
  const sending = fetch(input, init);
  await step();
  const answer = await sending;
  await step();
  return answer;
};

const inner = redisStore(redis);
const store: Store = {
  get: (key) => watched(() => inner.get(key)),
  set: (key, value, o) => watched(() => inner.set(key, value, o)),
  add: (key, by, o) => watched(() => inner.add(key, by, o)),
  swap: (key, expected, next, o) => watched(() => inner.swap(key, expected, next, o)),
};
const memory = createMemoryAdapter({ seed: settings.seed });
const { swapAccountTokens, listAccountsByUserId, store: own, ...adapter } = memory.adapter;
const { id, issuer, clientId, clientSecret } = settings.provider;
const auth = createAuth({
  secret: settings.secret,
  adapter,
  store,
  logger: { error: () => {}, warn: () => {} },
  providers: [
    {
      ...{ id, issuer, clientId, clientSecret, name: "Provider", type: "oauth" },
      [customFetch]: send,
    },
  ],
  extensions: [vault()],
});

async function run({ userId, parallel, advanceMs, ...at }: Order): Promise<Report> {
  ahead += advanceMs;
  [steps, endAt, stopAt] = [0, at.endAt ?? 0, at.stopAt ?? 0];
  const results = await Promise.allSettled(Array.from({ length: parallel }, () => tokenOf(auth, id, { userId })));
  const tokens = new Set(results.flatMap((one) => (one.status === "fulfilled" ? [one.value.accessToken] : [])));
  const failures = new Set(results.flatMap((one) => (one.status === "rejected" ? [nameOf(one.reason)] : [])));
  return { tokens: [...tokens], failures: [...failures], steps };
}

function nameOf(error: unknown): string {
  return error instanceof ReauthRequired ? `ReauthRequired: ${error.cause}` : String(error);
}

process.on("message", async (order: Order) => process.send?.(await run(order)));
process.send?.("ready");
