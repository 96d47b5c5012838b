import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(config: string, page: string) {
  const manifest = JSON.stringify({ dependencies: { express: "5.2.1", "@auth/express": "0.11.0" } });
  const files = {
    "/package.json": manifest,
    "/config.ts": `import { ExpressAuth, type ExpressAuthConfig } from "@auth/express";\n${config}\nexport const handler = ExpressAuth(authConfig);\n`,
    "/page.ts": `import { authConfig } from "./config";\n${page}\n`,
  };
  const result = adopt({ files: new Map(Object.entries(files)) });
  if ("refused" in result) throw new Error(result.refused);
  return result.files.get("/page.ts") ?? files["/page.ts"];
}

const ANNOTATED = "export const authConfig: ExpressAuthConfig = { providers: [] };";

describe("typeProviderLists()", () => {
  it("casts the list of a configuration that the application goes through", () => {
    expect(move(ANNOTATED, "export const ids = authConfig.providers.map((one) => one.id);")).toBe(
      'import { authConfig } from "./config";\nimport type { Provider } from "@cardea/core/providers";\nexport const ids = (authConfig.providers as Provider[]).map((one) => one.id);\n',
    );
  });

  it.each([
    [
      "a list whose type is that of its literal",
      ANNOTATED.replace(": ExpressAuthConfig", ""),
      "authConfig.providers.map(f);",
    ],
    ["a list that is spread", ANNOTATED, "export const all = [...authConfig.providers];"],
    ["its length", ANNOTATED, "show(authConfig.providers.length);"],
    ["another list", ANNOTATED, "show(authConfig); other.providers.map(f);"],
  ])("leaves %s", (_what, config, page) => {
    expect(move(config, page)).toBe(`import { authConfig } from "./config";\n${page}\n`);
  });
});
