import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../packages");

/** A page for each README of packages/. */
export default {
  watch: ["../../packages/*/README.md"],
  paths: () => {
    const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "README.md")));
    return names.map((name) => ({ params: { name }, content: readFileSync(join(folder, name, "README.md"), "utf8") }));
  },
};
