import { createAuth } from "@cardea/next";
import { bindingConfig } from "@cardea/testing/binding-application";

/** The application of `bindingContract`, beside that of the other tests. */
export const journeys = createAuth(bindingConfig(process.env, { prefix: "/journeys", basePath: "/journeys/auth" }));

const RUNS = Symbol.for("cardea.journeys.runs");

/** How often members were shown something; Next.js loads this module once for each of its bundles. */
export const readRuns = (): number => Number(Reflect.get(globalThis, RUNS) ?? 0);

export const countRun = (): boolean => Reflect.set(globalThis, RUNS, readRuns() + 1);
