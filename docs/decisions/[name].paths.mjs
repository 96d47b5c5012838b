import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../decisions");

/** A page for each decision. */
export default {
  watch: ["../../decisions/*.md"],
  paths: () => {
    const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
    return names.map((name) => ({
      params: { name: name.replace(/\.md$/, "") },
      content: readFileSync(join(folder, name), "utf8"),
    }));
  },
};
