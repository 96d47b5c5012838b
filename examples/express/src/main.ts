/** Starts the demo: the application, and beside it a provider and a mail server that play the parts of another user's. */
import { startDemo } from "./demo.ts";
import { DEMO_USER } from "./passwords.ts";
import { parseSettings } from "./settings.ts";

// As a framework's development server does. In production, systemd, a container or the host sets it.
process.env.NODE_ENV ??= "development";

try {
  const demo = await startDemo(parseSettings(process.env));
  console.log(describe(demo.url));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void demo.close());
} catch (error) {
  console.error(`The demo does not start. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

/** What to click first. */
function describe(url: string): string {
  return `The demo is at ${url} (Ctrl+C ends it)

  Sign in:   ${url}/auth/signin?callbackUrl=/members
             "Local Provider" asks for no password; or "${DEMO_USER.username}" with "${DEMO_USER.password}", or any e-mail address
  E-mails:   ${url}/inbox
  The code:  examples/express/src/auth.ts
`;
}
