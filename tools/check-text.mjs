// Finds text that must not be in a tracked file: machine-specific paths, registry hosts, and words that CONTRIBUTING.md replaces with
// plainer ones.
//
//   node tools/check-text.mjs            fails if there is any
//   node tools/check-text.mjs --rest     lists the number of refused words by folder
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { runAsScript } from "./report-problems.mjs";

/** Files and folders without refused words, by prefix; "" is the whole repository. */
const rewritten = [""];

/** The refused words and their replacements. */
const refused = [
  [/\bmend(?:ed|s|ing)?\b/i, "fix"],
  [/\banew\b/i, "again, or re-…"],
  [/\bnobody\b/i, "no user, no one; or say what does not happen"],
  [/\bsomebody\b/i, "a user, a visitor, another site"],
  [/\bwhoever\b/i, "the user who, anyone who"],
  [/(?<!\bthere )\bis none\b/i, "is not a …, or there is no …"],
];

// Only at the start of a path: `https://example.com/work/` and `../root/` are not machine-specific.
const machinePath = /(?<![\w.\-/@])\/(?:(?:work|root)\/|tmp\/bash_jobs|(?:home|Users)\/[\w.-]+\/)/;
const unread = /\.(?:png|jpe?g|gif|ico|webp|woff2?|tgz|gz|zip|pdf)$|^tools\/check-text\.mjs$/;

/** Problems of the files that git tracks below `root`, as `path:line what is wrong`. */
export function checkText(root) {
  return files(root).flatMap(({ path, lines }) => {
    const isDone = rewritten.some((place) => path.startsWith(place));
    return lines.flatMap((line, index) => {
      const problem =
        (machinePath.test(line) && "names a path of one machine") ||
        (path === "pnpm-lock.yaml" && /https?:\/\//.test(line) && "names the host of a registry") ||
        (isDone && wordProblem(line));
      return problem ? [`${path}:${index + 1} ${problem}`] : [];
    });
  });
}

function wordProblem(line) {
  const [pattern, instead] = refused.find(([word]) => word.test(line)) ?? [];
  return pattern && `says "${pattern.exec(line)[0]}"; write: ${instead}`;
}

function files(root) {
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return tracked.split("\0").flatMap((path) => {
    if (path === "" || unread.test(path)) return [];
    const text = readText(join(root, path));
    return text === undefined ? [] : [{ path, lines: text.split("\n") }];
  });
}

/** Undefined for a file that is tracked and deleted. */
function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The number of lines with refused words by folder. */
function listRest(root) {
  const counts = new Map();
  for (const { path, lines } of files(root)) {
    const [first, second] = path.split("/");
    const folder = ["packages", "tests", "examples"].includes(first) ? `${first}/${second}` : first;
    counts.set(folder, (counts.get(folder) ?? 0) + lines.filter(wordProblem).length);
  }
  return { problems: [], notes: [...counts].map(([folder, count]) => `${String(count).padStart(4)} ${folder}`).sort() };
}

await runAsScript(import.meta, argv.includes("--rest") ? listRest : checkText);
