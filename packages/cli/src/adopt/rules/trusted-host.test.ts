import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const EXPRESS =
  'import { ExpressAuth } from "@auth/express";\nimport express from "express";\nexpress().use("/auth/*splat", ExpressAuth({ providers: [] }));\n';
const LINE = "AUTH_URL=https://app.example.com";

const NEXT = {
  "/server.js": 'import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [] });\n',
  "/package.json": JSON.stringify({ dependencies: { next: "16.4.6", "next-auth": "5.0.0-beta.32" } }),
};

function move(files: Readonly<Record<string, string>>) {
  const dependencies = { express: "5.3.0", "@auth/express": "0.12.3" };
  const manifest = JSON.stringify({ dependencies });
  const result = adopt({
    files: new Map(Object.entries({ "/package.json": manifest, "/server.js": EXPRESS, ...files })),
  });
  if ("refused" in result) throw new Error(result.refused);
  return { ...result, lines: result.report.filter(({ why }) => why?.includes("#node-env-unset")) };
}

describe("nameTrustedHost()", () => {
  it("names the line to set", () => {
    expect(move({}).lines).toMatchObject([
      { kind: "look", file: "package.json", why: expect.stringContaining(`\`${LINE}\``) },
    ]);
  });

  it.each(["AUTH_SECRET=\n", "AUTH_SECRET=", ""])("writes it as a comment where variables are named: %j", (text) => {
    const { files, lines } = move({ "/.env.example": text });
    const written = files.get("/.env.example") ?? "";
    expect(written.split("\n").filter((line) => !line.startsWith("#") && line !== "")).toEqual(
      text === "" ? [] : ["AUTH_SECRET="],
    );
    expect(written).toContain(`\n# ${LINE}\n`);
    expect(lines).toMatchObject([{ file: ".env.example" }]);
    expect(move({ "/.env.example": written }).files.get("/.env.example")).toBeUndefined();
  });

  it.each([
    { "/.env.example": "AUTH_URL=\n" },
    { "/.env.example": "NEXTAUTH_URL=http://localhost:3000\n" },
    { "/compose.yaml": 'services: { app: { environment: { AUTH_TRUST_HOST: "true" } } }\n' },
    { "/Dockerfile": "ENV NODE_ENV production\n" },
    { "/Dockerfile": "ENV NODE_ENV=production\n" },
    { "/compose.yaml": "environment:\n  NODE_ENV: production\n" },
    { "/server.js": EXPRESS.replace("providers", "trustHost: true, providers") },
    { "/server.js": EXPRESS.replace("providers", '["trustHost"]: true, providers') },
    { "/.env.example": `#${LINE}\n${LINE} # the public one\n` },
    NEXT,
    {
      ...NEXT,
      "/next.config.ts": 'import type { NextConfig } from "next";\nexport default {} satisfies NextConfig;\n',
    },
  ])("says nothing where the host is known: %j", (files) => {
    expect(move(files).lines).toEqual([]);
  });

  it.each([
    { "/Dockerfile": "ENV NODE_ENV=development\n" },
    { "/README.md": `Set ${LINE}.\n` },
    { "/.env.example": `AUTH_SECRET= # and AUTH_URL\n#${LINE}\n` },
    { "/Dockerfile": "# ENV NODE_ENV production\n" },
    { "/tsconfig.json": "{ // AUTH_TRUST_HOST is not set\n}" },
    { "/server.js": `// trustHost, AUTH_URL\n${EXPRESS.replace("providers", "/* trustHost: true */ providers")}` },
    { ...NEXT, "/start.js": 'import next from "next";\nnext({ dev: false });\n' },
    { ...NEXT, "/start.js": 'const app = require("next")({ dev: false });\n' },
  ])("names it where it is not: %j", (files) => {
    expect(move(files).lines).toHaveLength(1);
  });
});
