// Finds text that must not be in a tracked file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runAsScript } from "./report-problems.mjs";
import { trackedFiles } from "./source-files.mjs";

/** Refused text, what to do instead, and the files that the rule is about; by default all. */
const rules = [
  [/\bmend(?:ed|s|ing)?\b/i, "write: fix"],
  [/\banew\b/i, "write: again, or re-…"],
  [/\bnobody\b/i, "write: no user, no one; or say what does not happen"],
  [/\bsomebody\b/i, "write: a user, a visitor, another site"],
  [/\bwhoever\b/i, "write: the user who, anyone who"],
  [/(?<!\bthere )\bis none\b/i, "write: is not a …, or there is no …"],
  // Only at the start of a path: `https://example.com/work/` and `../root/` are not machine-specific.
  [/(?<![\w.\-/@])\/(?:(?:work|root)\/|tmp\/bash_jobs|(?:home|Users)\/[\w.-]+\/)/, "it is the path of one machine"],
  [/https?:\/\//, "it is the host of a registry", /^pnpm-lock\.yaml$/],
  [
    /\|\[::1|127\\\.|127\(|=== "localhost"/,
    "packages/core/src/protocol/parse-url.ts says which hosts are the local machine",
    // Except itself, tests, and the browser of the tests, which decides as Chromium does.
    /^packages\/(?!testing\/)[^/]+\/src\/(?!protocol\/parse-url\.ts)(?!.*(?:\.test\.|\/databases\/)).*\.tsx?$/,
  ],
];

const unread = /\.(?:png|jpe?g|gif|ico|webp|woff2?|tgz|gz|zip|pdf)$|^tools\/check-text\.mjs$/;

/** Problems of the files that git tracks below `root`, or would, as `path:line what is wrong`. */
function checkText(root) {
  const paths = trackedFiles(root).filter((path) => !unread.test(path));
  return paths.flatMap((path) => {
    const applicable = rules.filter(([, , files]) => files === undefined || files.test(path));
    const lines = readFileSync(join(root, path), "utf8").split("\n");
    return lines.flatMap((line, index) => {
      const [pattern, advice] = applicable.find(([refused]) => refused.test(line)) ?? [];
      return pattern ? [`${path}:${index + 1} "${pattern.exec(line)[0]}": ${advice}`] : [];
    });
  });
}

await runAsScript(import.meta, checkText);
