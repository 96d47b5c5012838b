// The package managers that an application may be made with, and how each says what the guides say in npm's words, as the site shows it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inWordsOf } from "../../docs/.vitepress/package-managers.mjs";

const { packageManager } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));

/** `files` lie in the empty folder: where packages come from. `say` is npm's command in the other's words. */
export const packageManagers = {
  npm: { files: (registry, local) => ({ ".npmrc": npmrc(registry, local) }), say: (command) => command },
  pnpm: {
    files: (registry, local) => ({ ".npmrc": npmrc(registry, local) }),
    say: (command) => inWordsOf("pnpm", command).replace(/^pnpm /, `npx --yes ${packageManager} `),
  },
  yarn: {
    files: (registry, local) => ({ ".yarnrc.yml": yarnrc(registry, local) }),
    say: (command) => inWordsOf("yarn", command).replace(/^yarn /, "npx --yes @yarnpkg/cli-dist@4.18.1 "),
  },
};

function npmrc(registry, local) {
  return `registry=${registry}\n${local.npmrc}`;
}

/** Folders, as npm has them. What is a day old at most, Yarn does not install; ours was published a moment ago. */
function yarnrc(registry, local) {
  return `nodeLinker: node-modules
enableTelemetry: false
npmRegistryServer: ${JSON.stringify(registry)}
npmScopes:
  cardea:
    npmRegistryServer: ${JSON.stringify(local.url)}
npmPreapprovedPackages: ["@cardea/*"]
unsafeHttpWhitelist: ["127.0.0.1"]
`;
}
