import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const IMPORT = 'import { getProviders } from "next-auth/react";\n';
const AUTH = 'import NextAuth from "next-auth";\nexport const { handlers, auth } = NextAuth({ providers: [] });\n';

function move(text: string) {
  const manifest = JSON.stringify({ dependencies: { next: "16.4.6", "next-auth": "5.0.0-beta.32" } });
  const files = new Map([
    ["/package.json", manifest],
    ["/auth.ts", AUTH],
    ["/app/login/page.tsx", text],
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  return {
    text: result.files.get("/app/login/page.tsx") ?? text,
    left: result.report.filter(({ kind, what }) => kind === "left" && what.includes("getProviders()")),
  };
}

describe("moveClientCalls()", () => {
  it.each([
    `${IMPORT}export default async function Page() { const list = await getProviders(); return list; }\n`,
    `${IMPORT}async function Page() { return Object.values((await getProviders()) ?? {}); }\nexport default Page;\n`,
    `${IMPORT}const Page = async () => Object.values((await getProviders()) ?? {});\nexport default Page;\n`,
    `${IMPORT}export const getServerSideProps = async () => ({ props: { list: await getProviders() } });\n`,
    `${IMPORT}export async function getServerSideProps() { return { props: { list: await getProviders() } }; }\n`,
    `${IMPORT}export const getServerSideProps: GetServerSideProps = async (context) => ({ props: { list: await getProviders() } });\n`,
  ])("leaves getProviders() on a server, and names it: %s", (text) => {
    const moved = move(text);
    expect(moved.left).toHaveLength(1);
    expect(moved.text).not.toContain("fromEntries");
  });

  it.each([
    `"use client";\n${IMPORT}export default async function load() { return await getProviders(); }\n`,
    `// A page.\n"use client";\n${IMPORT}const load = async () => await getProviders();\nexport default load;\n`,
    `${IMPORT}export default function Page() { useEffect(() => { getProviders().then(set); }, []); }\n`,
    `${IMPORT}export const load = async () => await getProviders();\n`,
  ])("keeps its shape in a browser: %s", (text) => {
    const moved = move(text);
    expect(moved.left).toEqual([]);
    expect(moved.text).toContain("fromEntries");
  });
});
