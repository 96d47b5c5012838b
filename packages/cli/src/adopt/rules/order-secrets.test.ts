import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

describe("orderSecrets()", () => {
  it("keeps the former names of variables, under which deployments have their secret", () => {
    const code = "secret: process.env.NEXTAUTH_SECRET";
    const kept = {
      "/.env": "NEXTAUTH_SECRET=example\nNEXTAUTH_URL=http://localhost:3000\n",
      "/.env.example": "NEXTAUTH_SECRET=\n",
      "/compose.yaml": `environment:\n  NEXTAUTH_SECRET: \${NEXTAUTH_SECRET:-example}\n`,
      "/Dockerfile": "ENV NEXTAUTH_SECRET=example\n",
      "/.github/workflows/ci.yml": `env:\n  NEXTAUTH_SECRET: \${{ secrets.NEXTAUTH_SECRET }}\n`,
    };
    const files = new Map([
      ["/package.json", JSON.stringify({ dependencies: { next: "15.3.2", "next-auth": "5.0.0-beta.32" } })],
      [
        "/auth.ts",
        `import NextAuth from "next-auth";\nexport const { auth } = NextAuth({ providers: [], ${code} });\n`,
      ],
      [
        "/code.ts",
        `import { getToken } from "next-auth/jwt";\nexport const a = (req) => getToken({ req, ${code}! });\n`,
      ],
      ...Object.entries(kept),
    ]);
    const result = adopt({ files });
    if ("refused" in result) throw new Error(result.refused);
    const read = (path: string) => result.files.get(path) ?? files.get(path);
    for (const [path, text] of Object.entries(kept)) expect(read(path)).toBe(text);
    for (const path of ["/auth.ts", "/code.ts"]) expect(read(path)).toContain(code);
  });
});
