// AGENTS.md of a package, which coding agents read in `node_modules`: set-up, mistakes and where the guide is. All of it comes from the
// README and from package-pages.mjs.
import { mistakesOf } from "./package-pages.mjs";

/**
 * @param own the package's own part of its README.
 * @param pages names and titles of its pages of docs/.
 */
export function writeAgentsPage({ name, description, own, install, pages }) {
  const guide = guideOf(name);
  const mistakes = mistakesOf(name).map(([text, page]) => `- ${text} (\`${page}.md\`)`);
  return `# @cardea/${name}

${description} This file is for code that uses the package; the README is beside it.

## Set up

\`\`\`sh
${install}
\`\`\`

${setUp(own, guide)}

## Mistakes to avoid

${mistakes.join("\n")}

## Documentation

The guide of the installed version is in \`${guide}/\`, seen from this file; that is \`node_modules/@cardea/core/dist/docs/\`:

${pages.map(([page, title]) => `- \`${page}.md\`: ${title}`).join("\n")}

\`index.md\` lists every page. The types in \`dist/\` have a comment on each option.

- \`npx @cardea/cli doctor --json\` checks the application and says how to fix what it finds.
- \`npx @cardea/cli explain CODE\` explains an error or a warning of the log, offline.
- \`${guide.replace(/docs$/, "skills/cardea/SKILL.md")}\` leads from an empty folder, or from Auth.js, to a checked sign-in.
`;
}

/** Also where a package manager does not put core beside the application's own packages: there it is beside this one. */
const guideOf = (name) => (name === "core" ? "dist/docs" : "../core/dist/docs");

/** What a README says before its first section, and how to register with a provider; its links become paths in `node_modules`. */
function setUp(own, guide) {
  const [start, ...sections] = own.replace(/^<!--[\s\S]*?-->\n+/gm, "").split(/^(?=## )/m);
  const registration = sections.filter((section) => section.startsWith("## At ")).map((section) => `#${section}`);
  return [start, ...registration]
    .map((text) => text.trim())
    .join("\n\n")
    .replace(/\[([^\]]*)\]\(\.\.\/\.\.\/docs\/([^)]*)\)/g, (_, text, page) => `${text} (\`${guide}/${page}\`)`)
    .replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1");
}
