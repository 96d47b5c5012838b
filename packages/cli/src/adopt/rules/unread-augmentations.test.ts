import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(text: string, other = "export {};\n") {
  const manifest = JSON.stringify({ dependencies: { next: "15.0.0", "next-auth": "5.0.0-beta.25" } });
  const files = { "/package.json": manifest, "/types.d.ts": text, "/other.ts": other };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get("/types.d.ts") ?? text;
}

const IMPORT = 'import { type DefaultSession } from "next-auth";\n\n';

describe("moveUnreadAugmentations()", () => {
  it("moves types of adapters out of the augmentation of another module", () => {
    const text = `${IMPORT}declare module "next-auth" {
  interface Session {
    user: { role: string } & DefaultSession["user"];
  }

  /** With an address. */
  interface VerificationToken {
    identifier: string;
    hashedIp: string;
  }
}
`;
    expect(move(text)).toBe(`import { type DefaultSession } from "@cardea/next";

declare module "@cardea/next" {
  interface Session {
    user: { role: string } & DefaultSession["user"];
  }

}

/** With an address. */
export interface VerificationToken {
  identifier: string;
  hashedIp: string;
}
`);
  });

  it("moves the token out of the main module, and leaves it in its own", () => {
    const own = 'declare module "next-auth/jwt" {\n  interface JWT {\n    id: string;\n  }\n}\n';
    const main = `${IMPORT}declare module "next-auth" {\n  interface JWT {\n    role: string;\n  }\n}\n`;
    expect(move(main)).toContain('declare module "@cardea/next" {\n}\n\nexport interface JWT {\n  role: string;\n}\n');
    expect(move(IMPORT + own)).toContain(own.replace("next-auth", "@cardea/next"));
  });

  it("keeps line ends", () => {
    const text =
      'import "next-auth";\r\ndeclare module "next-auth" {\r\n  interface AdapterUser {\r\n    a: 1;\r\n  }\r\n}\r\n';
    expect(move(text)).toBe(
      'import "@cardea/next";\r\ndeclare module "@cardea/next" {\r\n}\r\n\r\nexport interface AdapterUser {\r\n  a: 1;\r\n}\r\n',
    );
  });

  it.each([
    [
      "where a file imports it",
      IMPORT,
      'import type { AdapterUser } from "next-auth";\nexport type A = AdapterUser;\n',
    ],
    ["where the file has the name", `${IMPORT}export interface AdapterUser {\n  b: 1;\n}\n`, undefined],
  ])("leaves it %s", (_where, head, other) => {
    const text = `${head}declare module "next-auth" {\n  interface AdapterUser {\n    a: 1;\n  }\n}\n`;
    expect(move(text, other)).toContain(
      'declare module "@cardea/next" {\n  interface AdapterUser {\n    a: 1;\n  }\n}\n',
    );
  });

  it("leaves the augmentation of the module that has the type", () => {
    const text = `${IMPORT}declare module "next-auth/adapters" {\n  interface AdapterUser {\n    a: 1;\n  }\n}\n`;
    expect(move(text)).toContain('declare module "@cardea/core/adapters" {\n  interface AdapterUser {');
  });
});
