// Commands of the guides, which are npm's, in the words of other package managers. The site shows them; the tests of tests/install run them.

/** By manager: npm's words, and its own. Commands that no row matches are those of npm or of the shell, and stay. */
const WORDS = {
  npm: [],
  pnpm: [
    [/^npx (?:--yes )?(?=@cardea\/cli)/, "pnpm dlx "],
    [/^npx (?:--yes )?/, "pnpm exec "],
    [/^npm install --save-dev /, "pnpm add --save-dev "],
    [/^npm install (?=\S)/, "pnpm add "],
    [/^npm (install|run)\b/, "pnpm $1"],
  ],
  yarn: [
    [/^npx (?:--yes )?(?=@cardea\/cli)/, "yarn dlx "],
    [/^npx (?:--yes )?/, "yarn "],
    [/^npm install --save-dev /, "yarn add --dev "],
    [/^npm install (?=\S)/, "yarn add "],
    [/^npm (install|run)\b/, "yarn $1"],
  ],
  bun: [
    [/^npx (?:--yes )?/, "bunx "],
    [/^npm install --save-dev /, "bun add --dev "],
    [/^npm install (?=\S)/, "bun add "],
    [/^npm (install|run)\b/, "bun $1"],
  ],
};

/** The names of the package managers, npm first. */
export const managers = Object.keys(WORDS);

/** A command of npm in the words of a package manager. */
export function inWordsOf(manager, command) {
  const row = WORDS[manager].find(([pattern]) => pattern.test(command));
  return row === undefined ? command : command.replace(...row);
}
