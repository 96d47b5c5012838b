import { describe, expect, it } from "vitest";
import { adopt } from "../adopt.ts";

function move(files: Readonly<Record<string, string>>) {
  const manifest = JSON.stringify({ type: "module", dependencies: { express: "5.1.0", "@auth/express": "0.10.0" } });
  const all = new Map(Object.entries({ "/package.json": manifest, ...files }));
  const result = adopt({ files: all });
  if ("refused" in result) throw new Error(result.refused);
  return { read: (path: string) => result.files.get(path) ?? all.get(path) ?? "", report: result.report };
}

describe("moveExpress()", () => {
  it.each(["await getConfig()", "getConfig()", "configs[0]"])(
    "creates the instance where the configuration is made: %s",
    (config) => {
      const { read, report } = move({
        "/config.ts": "export const getConfig = async () => ({ providers: [] });\n",
        "/app.ts": `import { ExpressAuth, getSession } from "@auth/express";
import { getConfig } from "./config.js";
export async function start(app) {
  app.use("/auth/*", ExpressAuth(${config}));
  app.get("/", async (req, res) => res.json(await getSession(req, ${config})));
}
`,
      });
      // What is not read may have sessions in a database.
      const given = config === "configs[0]" ? `formerSession(${config})` : config;
      expect(read("/app.ts")).toContain(`app.use("/auth", createAuth(${given}).router);`);
      expect(read("/app.ts")).toContain(`res.json(await createAuth(${given}).auth(req, res))`);
      expect(read("/app.ts")).toContain('import { createAuth } from "@cardea/express";');
      expect(read("/app.ts")).not.toMatch(/ExpressAuth|getSession/);
      expect(report.filter(({ what }) => what === "the instance is created here")).toHaveLength(2);
      if (config.includes("getConfig")) expect(read("/config.ts")).toContain("extensions: [bridge(");
    },
  );
});
