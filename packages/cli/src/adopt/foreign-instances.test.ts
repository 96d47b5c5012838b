import { describe, expect, it } from "vitest";
import type { WorkspacePackage } from "../files/workspace.ts";
import { adopt } from "./adopt.ts";

const V5 = { next: "15.3.2", "next-auth": "5.0.0-beta.25" };
const V4 = { next: "15.3.2", "next-auth": "4.24.15" };
const PROVIDER = 'import GitHub from "next-auth/providers/github";\n';

interface Options {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly packages?: readonly WorkspacePackage[];
}

function move(files: Readonly<Record<string, string>>, { dependencies = V5, packages = [] }: Options = {}) {
  const manifest = JSON.stringify({
    name: "web",
    dependencies: { ...dependencies, wrapper: "^1.0.0", lodash: "^4.0.0" },
  });
  const workspace = { settings: new Map([["package.json", manifest]]), patches: [], packages };
  const result = adopt({ files: new Map(Object.entries({ "/package.json": manifest, ...files })), workspace });
  if ("refused" in result) throw new Error(result.refused);
  const stops = result.report.filter(({ what }) => what.includes("this instance is made by"));
  return { ...result, stops };
}

const wrapper = (dependencies: Readonly<Record<string, string>>): WorkspacePackage => ({
  name: "wrapper",
  folder: "../../packages/wrapper",
  manifest: {
    type: undefined,
    packageManager: undefined,
    dependencies: {},
    devDependencies: {},
    peerDependencies: dependencies,
    scripts: {},
  },
});

describe("foreignInstances()", () => {
  const CALL = "export const { handlers, auth, signIn } = make({ providers: [GitHub] });\n";

  it.each([
    ['import { make } from "wrapper";\n', CALL],
    ['import make from "wrapper/next";\n', CALL],
    [
      'import { create as make } from "wrapper";\n',
      `import { config } from "./config";\n${CALL.replace("{ providers", "{ ...config, providers")}`,
    ],
    ['import { make } from "@acme/hoisted";\n', CALL],
    ['import * as wrapper from "wrapper";\n', CALL.replace("make", "wrapper.make")],
    ['const { make } = require("wrapper");\n', CALL],
    ['import { make } from "./wrapper";\n', CALL],
    [
      'import { make } from "wrapper";\n',
      "const made = make({ providers: [GitHub] });\nexport const auth = made.auth;\n",
    ],
    [
      'import { make } from "wrapper";\n',
      "export const { auth: middleware } = (make as any)({ providers: [GitHub] });\n",
    ],
    ['import { make } from "wrapper";\n', "export const { handlers, auth } = make(load());\n"],
  ])("changes nothing where another package makes the instance: %s%s", (imports, call) => {
    const { files, added, removed, stops } = move({
      "/auth.ts": `${imports}${PROVIDER}${call}`,
      "/wrapper.ts": 'export { make } from "wrapper";\n',
      "/config.ts": "export const config = { session: { strategy: 'jwt' } };\n",
      "/service.ts":
        'import { CredentialsSignin } from "next-auth";\nexport const fail = () => new CredentialsSignin();\n',
    });
    expect(stops).toMatchObject([
      { kind: "left", file: "auth.ts", what: expect.stringMatching(/move (?:wrapper|@acme\/hoisted) first/) },
    ]);
    expect([files.size, added, removed]).toEqual([0, [], []]);
  });

  it.each([
    ["/pages/api/auth/[...nextauth].ts", "export default make(options);\n"],
    ["/pages/api/auth/[...nextauth].ts", "export default (req: any, res: any) => make(req, res, options);\n"],
    [
      "/app/api/auth/[...nextauth]/route.ts",
      "const handler = make(options);\nexport { handler as GET, handler as POST };\n",
    ],
  ])("finds the handler of a route: %s %s", (path, call) => {
    const options = `${PROVIDER}const options = { providers: [GitHub({ clientId: "a", clientSecret: "b" })] };\n`;
    const { files, stops } = move(
      { [path]: `import { make } from "wrapper";\n${options}${call}` },
      { dependencies: V4 },
    );
    expect(stops).toHaveLength(1);
    expect(files.size).toBe(0);
  });

  it("says which package of the workspace is first, until it is moved", () => {
    const files = { "/auth.ts": `import { make } from "wrapper";\n${PROVIDER}${CALL}` };
    const { stops } = move(files, { packages: [wrapper({ "next-auth": "5.0.0-beta.25" })] });
    expect(stops).toMatchObject([{ why: "run the command in ../../packages/wrapper first, then here" }]);
    const root = { ...wrapper({}), folder: "../.." };
    expect(move(files, { packages: [root, wrapper({ "next-auth": "*" })] }).stops).toEqual(stops);
    const moved = move(files, { packages: [wrapper({ "@cardea/next": "1.0.0" })] });
    expect(moved.stops).toEqual([]);
    expect(moved.files.get("/auth.ts")).toContain("@cardea/providers-github");
  });

  it.each([
    [
      'import { wrap } from "wrapper";\n',
      "export const { handlers, auth } = wrap(NextAuth({ providers: [GitHub] }));\n",
    ],
    [
      'import { wrap } from "wrapper";\n',
      "const made = NextAuth({ providers: [GitHub] });\nexport const { handlers, auth } = wrap(made);\n",
    ],
    [
      'import { merge } from "lodash";\n',
      "const config = merge({ providers: [GitHub], trustHost: true }, {});\nexport const { handlers, auth } = NextAuth(config);\n",
    ],
    [
      'import { wrap } from "wrapper";\n',
      "export const { handlers } = wrap({ a: 1 });\nexport const { auth } = NextAuth({ providers: [GitHub] });\n",
    ],
    ['import { make } from "./generated";\n', "export const { handlers, auth } = make({ providers: [GitHub] });\n"],
    ['import { make } from "@/generated";\n', "export const { handlers, auth } = make({ providers: [GitHub] });\n"],
    ['import { make } from "./own";\n', "export const { handlers, auth } = make({ providers: [GitHub] });\n"],
  ])("moves an application that makes its instance itself: %s%s", (imports, call) => {
    const { files, stops } = move({
      "/auth.ts": `import NextAuth from "next-auth";\n${imports}${PROVIDER}${call}`,
      "/own.ts":
        'import NextAuth, { type NextAuthConfig } from "next-auth";\nexport const make = (config: NextAuthConfig) => NextAuth(config);\n',
    });
    expect(stops).toEqual([]);
    expect(files.get("/auth.ts")).toContain("@cardea/next");
  });
});
