import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const AUTH = 'import NextAuth from "next-auth";\nexport const { handlers, auth } = NextAuth({ providers: [] });\n';

function reportOf(path: string, text: string) {
  const manifest = JSON.stringify({ dependencies: { next: "16.0.0", "next-auth": "5.0.0-beta.30" } });
  const files = new Map([
    ["/package.json", manifest],
    ["/auth.ts", AUTH],
    [path, text],
  ]);
  const adoption = adopt({ files });
  if ("refused" in adoption) throw new Error(adoption.refused);
  return { lines: adoption.report.filter(({ why }) => why?.includes("docs/account.md")), files: adoption.files };
}

describe("nameOwnSettings()", () => {
  it.each(["await prisma.account.delete({ where: { id } });", "await prisma.user.delete({ where: { id } });"])(
    "leaves a settings page as it is, and names the guide: %s",
    (line) => {
      const { lines, files } = reportOf(
        "/app/settings/actions.ts",
        `export async function act(id: string) {\n  ${line}\n}\n`,
      );
      expect(lines).toMatchObject([{ kind: "look", file: "app/settings/actions.ts" }]);
      expect(files.has("/app/settings/actions.ts")).toBe(false);
    },
  );

  it("says nothing of an adapter, which has the same methods", () => {
    const adapter = "export const adapter = { createUser() {}, unlinkAccount() {}, deleteUser() {} };\n";
    expect(reportOf("/adapter.ts", adapter).lines).toEqual([]);
  });
});
