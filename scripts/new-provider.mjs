// Writes the package of a new provider from scripts/provider-template: pnpm new:provider <name> [Brand]
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { listFiles } from "./source-files.mjs";

const template = join(import.meta.dirname, "provider-template");

/**
 * Writes the package below `folder` and returns the paths of its files. `name` is the provider's id: small letters,
 * digits and hyphens. `brand` is how its owner writes it, and without what no identifier may hold also the function.
 */
export function writeProvider(folder, name, brand = brandOf(name)) {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`"${name}" is no name for a provider: small letters, digits and hyphens, such as "my-company"`);
  }
  if (existsSync(folder)) throw new Error(`${folder} is there already`);
  return listFiles(template).map((file) => {
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, rename(readFileSync(join(template, file), "utf8"), name, brand));
    return target;
  });
}

/** The whole of core's present major version: a provider works with every core of it. */
function coreRange() {
  const core = JSON.parse(readFileSync(join(import.meta.dirname, "../packages/core/package.json"), "utf8"));
  return `^${core.version.split(".")[0]}.0.0`;
}

/** The template's provider is called Acme, its function Acme, its id acme, its variables AUTH_ACME_…. */
function rename(text, name, brand) {
  const identifier = brand.replace(/[^A-Za-z0-9]/g, "");
  return text
    .replace('"@cardea/core": "^0.0.0"', `"@cardea/core": "${coreRange()}"`)
    .replaceAll("AUTH_ACME", `AUTH_${name.replaceAll("-", "_").toUpperCase()}`)
    .replace(/(name: ")Acme(?=")/g, `$1${brand}`)
    .replace(/((?:with|At|says|What|`image`\.) )Acme(?=\b(?!Profile))/g, `$1${brand}`)
    .replaceAll("Acme", identifier)
    .replaceAll("acme", name);
}

/** `my-company` → `MyCompany`. */
function brandOf(name) {
  return name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
}

if (argv[1] === import.meta.filename) {
  const [, , name = "", brand] = argv;
  const folder = join("packages", `providers-${name}`);
  for (const file of writeProvider(folder, name, brand)) console.log(file);
  console.log(`
Now:
  pnpm install
  fill in ${folder}/src/index.ts from the provider's documentation
  describe a realistic answer in ${folder}/src/index.test.ts
  pnpm exec vitest ${folder}
  write the registration steps into ${folder}/README.md, and a changeset`);
}
