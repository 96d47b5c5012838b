import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function left(text: string) {
  const manifest = JSON.stringify({ dependencies: { next: "15.1.0", "next-auth": "5.0.0-beta.32" } });
  const files = new Map([
    ["/package.json", manifest],
    ["/lib/cookie.ts", text],
  ]);
  const result = adopt({ files });
  if ("refused" in result) throw new Error(result.refused);
  return result.report.filter(({ kind }) => kind === "left").map(({ line, what }) => [line, what]);
}

describe("nameLeftovers()", () => {
  it.each([
    'const name = "authjs.session-token";',
    "const name = `authjs.session-token`;",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
    'const name = `${isSecure ? "__Secure-" : ""}next-auth.session-token`;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
    "const name = `next-auth.session-token.${index}`;",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
    "const name = `${prefix}authjs.session-token.${index}`;",
  ])("names a former cookie: %s", (line) => {
    expect(left(`export const a = 1;\n${line}\n`)).toEqual([[2, "name of a former cookie"]]);
  });

  it("tells the option that sets the name from code that reads the cookie", () => {
    const text =
      'export const cookies = {\n  sessionToken: { name: isSecure ? "__Secure-authjs.session-token" : "a" },\n};\n';
    expect(left(text)).toEqual([[2, "a configuration has the name of a former cookie"]]);
  });

  it.each([
    ["context", true],
    ["optionsOf(req)", true],
    ["{ req }", true],
    ["{ req } as never", true],
    ["{ ...context }", true],
    ["", false],
    ['{ event: "storage", broadcast: false }', false],
  ])("names `getSession(%s)` with the request of a server", (given, isNamed) => {
    const text = `import { getSession } from "next-auth/react";\nexport const read = ({ req, context }) => getSession(${given});\n`;
    expect(left(text)).toEqual(isNamed ? [[2, "`getSession()` of the browser with the request of a server"]] : []);
  });

  it("leaves out other texts", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
    expect(left("const a = `${b}-session-token`;\nconst c = `authjs`;\n")).toEqual([]);
  });

  it.each([
    ["redirect: ({ url }) => (url.startsWith(`myapp://`) ? url : `myapp://home`)", ["myapp"]],
    ["redirect", ["com.example.app"]],
    ["redirect: ({ url, baseUrl }) => (url.startsWith('https://a.example') ? url : baseUrl)", []],
  ])("names schemes that `callbacks.redirect` may return: %s", (member, schemes) => {
    const before = 'const redirect = () => "com.example.app:/done";\n';
    const text = `import NextAuth from "next-auth";\n${before}export const { auth } = NextAuth({ providers: [], callbacks: { ${member} } });\n`;
    expect(left(text).map(([, what]) => what)).toEqual(
      schemes.map((scheme) => `\`callbacks.redirect\` names the scheme \`${scheme}\``),
    );
  });
});
