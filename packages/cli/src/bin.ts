#!/usr/bin/env node
/** The program `cardea`. */

import { argv, cwd, env, stderr, stdin, stdout } from "node:process";
import { ignoreClosedPipe } from "./ignore-closed-pipe.ts";
import { runCli } from "./run-cli.ts";

for (const stream of [stdout, stderr]) ignoreClosedPipe(stream);

process.exitCode = await runCli(argv.slice(2), {
  folder: cwd(),
  env,
  terminal: stdin.isTTY === true && stdout.isTTY === true ? { input: stdin, output: stdout } : undefined,
  write: (line) => stdout.write(`${line}\n`),
  warn: (line) => stderr.write(`${line}\n`),
});
