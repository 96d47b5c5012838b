// The application of tests/e2e/next-app as a process of its own, built where it is not yet.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

const folder = new URL("../e2e/next-app/", import.meta.url);
const next = createRequire(new URL("../e2e/package.json", import.meta.url)).resolve("next/dist/bin/next");
const env = {
  PATH: process.env.PATH,
  NEXT_TELEMETRY_DISABLED: "1",
  AUTH_SECRET: "a secret of more than thirty-two bytes!!",
};

/** What it answers 500 to on purpose. */
const BROKEN = /broken|verdict|odd/i;

/** Starts it; `mark` is in what a session of it would show, and no one has one. */
export async function startNext() {
  if (!existsSync(new URL("dist/BUILD_ID", folder)) && !existsSync(new URL(".next/BUILD_ID", folder))) {
    const { status } = spawnSync(process.execPath, [next, "build"], { cwd: folder, env, stdio: "inherit" });
    if (status !== 0) throw new Error("The application for Next.js cannot be built.");
  }
  const command = [next, "start", "--hostname", "127.0.0.1", "--port", "0"];
  const child = spawn(process.execPath, command, { cwd: folder, env: { ...env, AUTH_TRUST_HOST: "true" } });
  let output = "";
  const port = await new Promise((resolve, reject) => {
    const look = (text) => {
      output += text;
      const [, found] = /http:\/\/127\.0\.0\.1:(\d+)[\s\S]*Ready in/.exec(output) ?? [];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.setEncoding("utf8").on("data", look);
    child.stderr.setEncoding("utf8").on("data", look);
    child.once("exit", () => reject(new Error(`next start ended:\n${output}`)));
  });
  return {
    ...{ name: "Next.js, built", port, origin: "http://localhost", isNext: true, mark: "SECRET", base: "/api/auth" },
    // To a target that is not a path, Next.js itself answers 500, before any code of the application.
    excuses: (bytes, fault) =>
      BROKEN.test(bytes.split("\r\n")[0] ?? "") || (fault === "status 500" && /^\S+ (?!\/)/.test(bytes)),
    end: () => void child.kill("SIGTERM"),
  };
}
