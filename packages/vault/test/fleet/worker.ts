// One process of the test: an application that asks for tokens as often as it is told, and ends or stops itself where it is told.

import { createAuth } from "@cardea/core";
import { customFetch } from "@cardea/core/providers";
import { ReauthRequired, tokenOf, vault } from "../../src/index.ts";
import { openGround } from "./grounds.ts";
import { type Order, type Report, USER_HEADER, type WorkerSettings } from "./orders.ts";
import { refreshByRecipe } from "./recipe.ts";
import { installTime } from "./worker-time.ts";

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? "{}");
const { provider } = settings;

// Clocks of the processes are apart.
const realNow = Date.now;
let ahead = settings.clockMs;
Date.now = () => realNow() + ahead;

const { skip, pause } = installTime(settings.lookMs);
/** Longer than any lease or time limit. */
const STOPPED_FOR_MS = 60_000;

/** The steps that were begun or ended so far, and the one at which this process ends or stops. */
let steps: string[] = [];
let endAt = 0;
let stopAt = 0;
let userIdOfOrder = "";

async function step(name: string): Promise<void> {
  const number = steps.push(name);
  if (number === endAt) process.kill(process.pid, "SIGKILL");
  if (number === stopAt) process.kill(process.pid, "SIGSTOP");
  if (number === endAt || number === stopAt) await pause(20);
  if (number === stopAt) skip(STOPPED_FOR_MS);
}

/** The same object, whose calls are steps. */
function watched<T extends object>(target: T): T {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name);
      if (typeof member !== "function") return member;
      return async (...given: unknown[]) => {
        await step(`${String(name)} begins`);
        const result: unknown = await Reflect.apply(member, of, given);
        await step(`${String(name)} ended`);
        return result;
      };
    },
  });
}

/** Between the last look at the lease and the request there is no step: nothing can be looked at there any more. */
const send: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set(USER_HEADER, userIdOfOrder);
  const sending = fetch(input, { ...init, headers });
  // It may be given up while this process is stopped.
  sending.catch(() => undefined);
  const what = init?.method === "POST" ? "refresh" : "discovery";
  await step(`${what} sent`);
  const answer = await sending;
  await step(`${what} answered`);
  return answer;
};

const ground = openGround(settings.place, settings.seed);
const auth = createAuth({
  secret: settings.secret,
  adapter: { ...ground.adapter, ...watchedMethods() },
  store: watched(ground.store),
  logger: { error: () => {}, warn: () => {} },
  providers: [{ ...provider, name: "Provider", type: "oauth", [customFetch]: send }],
  extensions: [vault()],
});

/** The methods of the adapter that a refresh calls. */
function watchedMethods() {
  const { getAccount, swapAccountTokens } = watched(ground.adapter);
  return getAccount && swapAccountTokens ? { getAccount, swapAccountTokens } : {};
}

async function run({ userId, parallel, advanceMs, recipe = false, ...at }: Order): Promise<Report> {
  ahead += advanceMs;
  [steps, endAt, stopAt, userIdOfOrder] = [[], at.endAt ?? 0, at.stopAt ?? 0, userId];
  const call = recipe
    ? () => refreshByRecipe(ground.adapter, provider, userId)
    : async () => (await tokenOf(auth, provider.id, { userId })).accessToken;
  const results = await Promise.allSettled(Array.from({ length: parallel }, call));
  const tokens = new Set(results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
  const failures = new Set(results.flatMap((one) => (one.status === "rejected" ? [nameOf(one.reason)] : [])));
  const failed = results.filter(({ status }) => status === "rejected").length;
  return { tokens: [...tokens], failures: [...failures], failed, steps };
}

function nameOf(error: unknown): string {
  if (error instanceof ReauthRequired) return `ReauthRequired: ${error.cause}`;
  return error instanceof Error ? error.name : String(error);
}

process.on("message", async (order: Order) => process.send?.(await run(order)));
process.send?.("ready");
