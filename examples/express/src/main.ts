/** Starts the demo: the application, and beside it an OpenID Provider that plays the part of somebody else's. */
import { startDemo } from "./demo.ts";

try {
  const demo = await startDemo({ port: parsePort(process.env.PORT), secret: process.env.AUTH_SECRET });
  console.log(`The demo is at ${demo.url} (Ctrl+C ends it)`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void demo.close());
} catch (error) {
  console.error(`The demo does not start. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

function parsePort(given: string | undefined): number {
  if (given === undefined || given === "") return 3000;
  if (/^\d{1,5}$/.test(given) && Number(given) < 65536) return Number(given);
  throw new Error(`PORT is "${given}"; it takes a number from 0 (any free port) to 65535.`);
}
