/** Starts the demo: the application, and beside it an OpenID Provider that plays the part of somebody else's. */
import { startDemo } from "./demo.ts";

const demo = await startDemo({ port: Number(process.env.PORT ?? 3000), secret: process.env.AUTH_SECRET });
console.log(`The demo is at ${demo.url} (Ctrl+C ends it)`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void demo.close());
