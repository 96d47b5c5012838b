import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTexts } from "../files/git.ts";
import { factsOf } from "./collect-facts.ts";
import { diagnose } from "./diagnose.ts";

const EXAMPLES = fileURLToPath(new URL("../../../../examples", import.meta.url));
const env = {
  NODE_ENV: "production",
  AUTH_SECRET: "k7Qd2fVx9ZpL4mRtW8sYbN3hJc6gUeAq",
  AUTH_URL: "https://app.example.com",
};

describe("the examples", () => {
  it.each(readdirSync(EXAMPLES))("have no configuration problem: %s", async (name) => {
    const facts = factsOf({ files: await readTexts(`${EXAMPLES}/${name}`), env });
    expect(facts.configurations.length).toBeGreaterThan(0);
    expect(diagnose(facts)).toEqual([]);
  });
});
