import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPasskeyScript, writePasskeyScript } from "./passkey-script.mjs";
import { plantTree } from "./plant-tree.mjs";

const source = "packages/core/src/pages/passkey-page.js";
const target = "packages/core/src/pages/passkey-script.ts";

describe("writePasskeyScript()", () => {
  it("writes the script without comments, and its hash", async () => {
    const root = plantTree({ [source]: 'const word = "é";\n// Says it.\nconsole.log(word);\n' });
    expect(await writePasskeyScript(root)).toEqual([]);
    const text = readFileSync(join(root, target), "utf8");
    const script = `const word="\\xE9";console.log("\\xE9");`;
    expect(text).toContain(JSON.stringify(script).slice(1, -1).replaceAll('\\"', '"'));
    expect(text).toContain(
      `PASSKEY_SCRIPT_HASH: string = "sha256-${createHash("sha256").update(script).digest("base64")}";`,
    );
    expect(text).not.toContain("Says it");
    expect(await checkPasskeyScript(root)).toEqual([]);
  });
});

describe("checkPasskeyScript()", () => {
  it("refuses a script that is not there, or not that of its source", async () => {
    const stale = [`${target}:1 is out of date: node scripts/passkey-script.mjs --write`];
    const root = plantTree({ [source]: "console.log(1);\n" });
    expect(await checkPasskeyScript(root)).toEqual(stale);
    await writePasskeyScript(root);
    const changed = plantTree({ [source]: "console.log(2);\n", [target]: readFileSync(join(root, target), "utf8") });
    expect(await checkPasskeyScript(changed)).toEqual(stale);
  });
});
