import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

const IMPORT = 'import { getProviders } from "next-auth/react";\n';
const AUTH = 'import NextAuth from "next-auth";\nexport const { handlers, auth } = NextAuth({ providers: [] });\n';

function move(text: string, others: Readonly<Record<string, string>> = {}) {
  const manifest = JSON.stringify({ dependencies: { next: "16.4.6", "next-auth": "5.0.0-beta.32" } });
  const files = new Map([
    ["/package.json", manifest],
    ["/auth.ts", AUTH],
    ["/app/login/page.tsx", text],
    ...Object.entries(others),
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  return {
    text: result.files.get("/app/login/page.tsx") ?? text,
    left: result.report.filter(({ kind, what }) => kind === "left" && what.includes("getProviders()")),
    passed: result.report.filter(({ what }) => what === "`getProviders` is passed on").map(({ line }) => line),
  };
}

describe("moveClientCalls()", () => {
  it.each([
    `${IMPORT}export default async function Page() { const list = await getProviders(); return list; }\n`,
    `${IMPORT}async function Page() { return Object.values((await getProviders()) ?? {}); }\nexport default Page;\n`,
    `${IMPORT}const Page = async () => Object.values((await getProviders()) ?? {});\nexport default Page;\n`,
    `${IMPORT}const page = async () => Object.values((await getProviders()) ?? {});\nexport default page;\n`,
    `${IMPORT}export const getServerSideProps = async () => ({ props: { list: await getProviders() } });\n`,
    `${IMPORT}export async function getServerSideProps() { return { props: { list: await getProviders() } }; }\n`,
    `${IMPORT}export const getServerSideProps: GetServerSideProps = async (context) => ({ props: { list: await getProviders() } });\n`,
  ])("leaves getProviders() on a server, and names it: %s", (text) => {
    const moved = move(text);
    expect(moved.left).toHaveLength(1);
    expect(moved.text).not.toContain("fromEntries");
  });

  const PAGE = "export default async function Page() { return";
  it.each([
    [`import * as client from "next-auth/react";\n${PAGE} client.getProviders(); }\n`, {}],
    [`${PAGE} (await import("next-auth/react")).getProviders(); }\n`, {}],
    [
      `export default async function Page() { const { getProviders: all } = await import("next-auth/react"); all(); }\n`,
      {},
    ],
    [
      `import { all } from "../../lib";\n${PAGE} all(); }\n`,
      { "/lib.ts": 'export { getProviders as all } from "next-auth/react";\n' },
    ],
    [
      `import { getProviders } from "../../lib";\n${PAGE} getProviders(); }\n`,
      { "/lib.ts": 'export * from "./more";\n', "/more.ts": 'export * from "next-auth/react";\n' },
    ],
    [`import all from "../../lib";\n${PAGE} all(); }\n`, { "/lib.ts": `${IMPORT}export default getProviders;\n` }],
    [
      `import { load } from "../../lib";\n${PAGE} load(); }\n`,
      { "/lib.ts": `${IMPORT}export const load = async () => await getProviders();\n` },
    ],
    [
      `import load from "../../lib";\n${PAGE} load(); }\n`,
      { "/lib.ts": `${IMPORT}const ask = () => getProviders();\nexport default function load() { return ask(); }\n` },
    ],
    [`${IMPORT}export async function Buttons() { return await getProviders(); }\n`, {}],
    [`"use server";\n${IMPORT}export const load = async () => await getProviders();\n`, {}],
    [`import "server-only";\n${IMPORT}export const load = async () => await getProviders();\n`, {}],
  ])("finds it in every spelling, and through other files: %s", (text, others) => {
    expect(move(text, others).left).toHaveLength(1);
  });

  it("names the function where it is passed on, and leaves its type", () => {
    const passed = `"use client";\n${IMPORT}type All = Awaited<ReturnType<typeof getProviders>>;\nexport const Page = () => useSWR("all", getProviders);\n`;
    expect(move(passed).passed).toEqual([4]);
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
