/** The `cardea` commands, for scripts: `runCli(["doctor", "--json"], host)` resolves to the exit code. */

export type { Host, Terminal } from "./host.ts";
export { runCli } from "./run-cli.ts";
