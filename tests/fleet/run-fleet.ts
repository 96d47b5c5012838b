import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { clock, History } from "./history.ts";
import type { Fleet } from "./start-fleet.ts";
import { BOUND, Visitor } from "./visitor.ts";

/** What is done to a fleet while visitors use it. */
export interface RunOptions {
  readonly visitors: number;
  readonly seconds: number;
  /** Milliseconds between two things that a visitor does, on average. */
  readonly thinking: number;
  /** Things that are done to it, in order, at equal distances. */
  readonly faults: readonly Fault[];
  readonly seed: number;
  /** Other visitors, who go on for as long as they are told. */
  readonly alongside?: readonly ((fleet: Fleet, history: History, goesOn: () => boolean) => Promise<void>)[];
}

/** Something that breaks: a process is killed, Redis is stopped and continued, or emptied, or PostgreSQL is restarted. */
export type Fault = "kill" | "pause" | "empty" | "database" | "none";

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Lets visitors use a fleet while it is broken; afterwards everything works again, and every visitor signs in once more, and out. */
export async function runFleet(
  fleet: Fleet,
  { visitors, seconds, thinking, faults, seed, alongside = [] }: RunOptions,
): Promise<History> {
  const history = new History(fleet.outages);
  const random = randomFrom(seed);
  if (fleet.endsSessions) await new Visitor(fleet, history, "visitor-first", random).mustTour();
  const end = clock() + 1000 * seconds;
  const everyone = Array.from({ length: visitors }, (_, n) => {
    return new Visitor(fleet, history, `visitor-${n}`, randomFrom(seed + n + 1));
  });
  const live = async (visitor: Visitor) => {
    // They come one after the other: all at once they would only wait for each other.
    await pause((1000 * seconds * random()) / 3);
    while (clock() < end) {
      await visitor.act();
      await pause(thinking * (0.5 + random()));
    }
  };
  const breakThings = async () => {
    for (const [n, fault] of faults.entries()) {
      await pause(Math.max(0, end - 1000 * seconds + ((n + 1) * 1000 * seconds) / (faults.length + 1) - clock()));
      await breakOne(fleet, history, fault, random);
    }
  };
  const until = () => clock() < end;
  history.listen(true);
  await Promise.all([...everyone.map(live), ...alongside.map((work) => work(fleet, history, until)), breakThings()]);
  history.listen(false);
  await inBatches(everyone, 8, (visitor) => visitor.mustSignIn());
  await storeIsBack(fleet, history, everyone);
  await inBatches(everyone, 8, (visitor) => visitor.mustSignOut());
  await pause(BOUND);
  await inBatches(everyone, 8, (visitor) => visitor.mustBeOut(fleet.proxy.targets.length));
  history.violations.push(...halfMadeRows(fleet));
  return history;
}

/** Waits until no process says that the store is away: they find out with the next read. */
async function storeIsBack(fleet: Fleet, history: History, everyone: readonly Visitor[]): Promise<void> {
  const stillAway = () => fleet.outages.filter(({ to }) => to === Number.POSITIVE_INFINITY);
  for (let tries = 0; stillAway().length > 0 && tries < 30; tries++) {
    for (let n = 0; n < 2 * fleet.proxy.targets.length; n++) await everyone[n % everyone.length]?.look();
    await pause(1_000);
  }
  for (const { what } of stillAway()) history.violate(`${what}, long after it was there again`);
}

async function breakOne(fleet: Fleet, history: History, fault: Fault, random: () => number): Promise<void> {
  const { redis, postgres, proxy } = fleet;
  switch (fault) {
    case "kill":
      history.count("processes killed");
      return fleet.replace(Math.floor(random() * proxy.targets.length));
    case "pause":
      return history.during("Redis stopped", async () => {
        await redis.pause();
        await pause(1000 + 3000 * random());
        redis.resume();
      });
    case "empty":
      // Until every process has written what it remembers.
      return history.during("Redis emptied", () => redis.restart(), BOUND);
    case "database":
      return history.during("PostgreSQL restarted", () => postgres.restart());
    case "none":
      return;
  }
}

async function inBatches<T>(all: readonly T[], size: number, work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += size) await Promise.all(all.slice(from, from + size).map(work));
}

const HALF_MADE: Readonly<Record<string, string>> = {
  "a user without an account": `SELECT email FROM "User" u WHERE email LIKE 'visitor-%' AND NOT EXISTS (SELECT FROM "Account" a WHERE a."userId" = u.id)`,
  "an account without its user": `SELECT "providerAccountId" FROM "Account" a WHERE NOT EXISTS (SELECT FROM "User" u WHERE u.id = a."userId")`,
  "two users of one address": `SELECT email FROM "User" GROUP BY email HAVING count(*) > 1`,
  "a recorded session without its user": `SELECT id FROM "SessionInfo" s WHERE NOT EXISTS (SELECT FROM "User" u WHERE u.id = s."userId")`,
};

function halfMadeRows({ postgres }: Fleet): string[] {
  return Object.entries(HALF_MADE).flatMap(([what, sql]) =>
    execFileSync("psql", [postgres.url, "-At", "-c", sql], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `${what}: ${line}`),
  );
}
