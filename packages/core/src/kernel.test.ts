import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { build, type Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { customFetch } from "./model/oauth-provider.ts";

const ISSUER = "https://op.example.com";
const SOURCES = join(import.meta.dirname, "..");

let folder: string;
let sources: readonly string[];

/** Builds the kernel and the method of OAuth providers into one file, as an entry point with no other part. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cardea-kernel-"));
  const contents = `
    export { createAuthWith } from "./src/kernel.ts";
    export { oauth } from "./src/oauth/method.ts";`;
  const { metafile } = await build({
    stdin: { contents, resolveDir: SOURCES, loader: "ts" },
    absWorkingDir: SOURCES,
    outfile: join(folder, "kernel.mjs"),
    bundle: true,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    tsconfigRaw: {},
    logLevel: "silent",
  });
  sources = sourcesOf(metafile);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The sources of core in a bundle, below `src`. */
function sourcesOf({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return inputs.filter((path) => path.startsWith("src/")).map((path) => path.slice("src/".length));
}

describe("the kernel with OAuth alone", () => {
  it("signs in from the built-in page, reads the session and signs out", async () => {
    const { createAuthWith, oauth } = await import(pathToFileURL(join(folder, "kernel.mjs")).href);
    const op = createScriptedProvider({ issuer: ISSUER });
    const provider = { type: "oidc", issuer: ISSUER, id: "op", name: "Provider", clientId: "cid" };
    const { handlers } = createAuthWith(
      { methods: [oauth] },
      {
        secret: "a secret of more than thirty-two bytes",
        trustHost: true,
        providers: [{ ...provider, clientSecret: "csecret", [customFetch]: op.fetch }],
      },
    );
    const browser = createBrowser(handlers.GET);
    const begun = await browser.submit(await browser.navigate("/auth/signin"), { action: "/auth/signin/op" });
    const { url } = await op.authorize(new URL(begun.redirectsTo ?? "about:blank"));
    expect((await browser.navigate(url, { initiator: op.issuer })).status).toBe(302);
    const session = async () => (await browser.fetch("/auth/session")).json();
    expect(await session()).toMatchObject({ user: expect.any(Object) });
    await browser.submit(await browser.navigate("/auth/signout"), { action: "/auth/signout" });
    expect(await session()).toBeNull();
  });

  it.each(["accounts", "checks", "credentials", "email", "extensions", "store"])("contains nothing of %s/", (part) => {
    expect(sources.filter((path) => path.startsWith(`${part}/`))).toEqual([]);
  });

  it("denies the actions of parts that are absent", async () => {
    const { createAuthWith, oauth } = await import(pathToFileURL(join(folder, "kernel.mjs")).href);
    const secret = "a secret of more than thirty-two bytes";
    const { handlers } = createAuthWith({ methods: [oauth] }, { secret, trustHost: true, providers: [] });
    const browser = createBrowser(handlers.GET);
    for (const path of ["verify-request", "confirm-address", "webauthn-options", "webauthn-script"])
      expect([path, (await browser.fetch(`/auth/${path}`)).status]).toEqual([path, 400]);
  });

  it("refuses a provider of another type at startup", async () => {
    const { createAuthWith, oauth } = await import(pathToFileURL(join(folder, "kernel.mjs")).href);
    const providers = [{ id: "mail", type: "email", sendVerificationRequest: () => {} }];
    const start = () => createAuthWith({ methods: [oauth] }, { secret: "a secret of more than 32 bytes", providers });
    expect(start).toThrow('`providers[0].type` of provider "mail" must be one of "oidc", "oauth", "webauthn"');
  });
});
