import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SERVER = new URL("./dist/open-app/dist/server/", import.meta.url);

/** Every file that a part of the built application can load, and the text of those that are its own. */
async function contentsOf(entry: string): Promise<string> {
  const trace: { readonly files: readonly string[] } = JSON.parse(await readText(new URL(`${entry}.nft.json`, SERVER)));
  const files = trace.files.map((file) => new URL(file, new URL(entry, SERVER)));
  const own = files.filter((file) => /\/open-app\/dist\/server\/.*\.js$/.test(file.pathname));
  return [...files.map((file) => file.pathname), ...(await Promise.all(own.map(readText)))].join("\n");
}

const readText = (url: URL) => readFile(fileURLToPath(url), "utf8");

/** What core brings along for a sign-in, and for its pages. */
const OF_CORE = [/pushed_authorization_request/, /sendVerificationRequest/, /<!doctype html>/i];

describe("an application with a separate configuration for its proxy", () => {
  it("leaves the sign-in and the pages out of the proxy", async () => {
    const proxy = await contentsOf("middleware.js");
    expect(proxy).toContain("callbackUrl");
    expect(OF_CORE.filter((part) => part.test(proxy))).toEqual([]);
  });

  it("keeps them where people sign in", async () => {
    const route = await contentsOf("app/api/auth/[...auth]/route.js");
    expect(OF_CORE.filter((part) => !part.test(route))).toEqual([]);
  });
});
