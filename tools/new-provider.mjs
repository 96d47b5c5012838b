// Writes the package of a new provider as a copy of a plain one: pnpm new:provider <name> [Brand]
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { trackedFiles } from "./source-files.mjs";

/** The provider whose copies new ones are. */
const template = { name: "dropbox", brand: "Dropbox" };
const [, , name = "", brand = name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase())] = argv;
const exported = brand.replace(/[^A-Za-z0-9]/g, "");
const folder = join("packages", `providers-${name}`);
if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || existsSync(folder)) {
  console.error(`"${name}" is taken, or is not a name for a provider: lower-case letters, digits and hyphens.`);
  exit(1);
}

for (const file of trackedFiles(".", join("packages", `providers-${template.name}`))) {
  const target = file.replaceAll(template.name, name);
  cpSync(file, target, { recursive: true });
  const renamed = readFileSync(target, "utf8")
    .replaceAll(template.name.toUpperCase(), name.replaceAll("-", "_").toUpperCase())
    .replaceAll(`with ${template.brand}`, `with ${brand}`)
    .replaceAll(template.brand, exported)
    .replaceAll(template.name, name);
  writeFileSync(target, renamed);
}
console.log(`${folder} is written, as a copy of providers-${template.name}. Now:
  add it to the list in README.md, and keywords to its package.json, then: node tools/packages.mjs --write && pnpm install
  replace endpoints and profile in ${folder}/src, and the response in ${folder}/test/contract.ts, from the provider's documentation
  run its contract: pnpm exec vitest every-provider -t ${exported}
  write the registration steps into ${folder}/README.md, and a changeset`);
