// The guide for Next.js followed to the letter in what `create-next-app` makes today, with packages from a registry.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createBrowser, createTestSession } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stubFonts, stubModules } from "../applications/prepare-application.mjs";
import { applicationFor, generate, publishFor } from "./guided-application.mjs";
import { readWalkthrough } from "./read-walkthrough.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const GUIDE = "docs/getting-started-next.md";
const SECTIONS = [
  "1. Install",
  "2. Create `auth.ts` next to the `app` folder",
  "3. Add the route handler",
  "5. Protect a page",
  "6. Protect every page by default",
  "7. Build a custom sign-in page",
  "8. In the browser",
];
const steps = SECTIONS.flatMap((heading) => readWalkthrough(GUIDE, heading).steps);
const SECRET = "a secret of more than thirty-two bytes for tests";

let registries;
let application;
let url;
beforeAll(async () => {
  registries = await publishFor(steps);
  const made = await applicationFor("npm", ["3000"], registries);
  application = made.application;
  url = `http://localhost:${made.ports[0]}`;
});
afterAll(async () => {
  await application?.remove();
  await registries?.local.close();
});

const edit = (file, change) => {
  const path = join(application.folder, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
};

/** The newest version. The fonts come from a host that is not reachable in tests. */
async function create() {
  await generate(application, "npx --yes create-next-app@latest made --yes --skip-install --disable-git");
  return stubFonts(application.folder, ["app/layout.tsx"]);
}

/** A file of the guide; of one that the generator has made, the guide adds a member. */
function addFile({ file, text }) {
  if (file !== "next.config.ts") return application.write(file, text);
  const [, member] = /NextConfig = \{\n([\s\S]*?)\n\};/.exec(text);
  edit(file, (made) => made.replace("const nextConfig: NextConfig = {\n", (start) => `${start}${member}\n`));
  expect(readFileSync(join(application.folder, file), "utf8")).toContain("afterFiles");
}

/** What the members' page shows to a user with a session. */
async function showMembers() {
  const config = { providers: [], secret: SECRET, basePath: "/api/auth" };
  const user = { id: "7", name: "Ada Lovelace", email: "ada@example.com" };
  const { header: cookie } = await createTestSession(config, { url, user });
  const page = await sendAsIs(new Request(`${url}/members`, { headers: { cookie, accept: "text/html" } }));
  return (await page.text()).replaceAll("<!-- -->", "");
}

describe(`${GUIDE}, in what create-next-app makes`, () => {
  it("builds, guards every page, and shows who is signed in", async () => {
    const fonts = await create();
    for (const step of steps) {
      if (step.command !== undefined) await application.run(step.command);
      else addFile(step);
    }
    edit("auth.ts", (text) =>
      text
        .replace("  providers: [GitHub],", "  ...authConfig,\n  providers: [GitHub],")
        .replace(/\n\n/, '\nimport { authConfig } from "@/auth.config";\n\n'),
    );
    stubModules(application.folder, fonts);
    const env = { AUTH_SECRET: SECRET, AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "secret", AUTH_URL: url };
    await application.run("npx next build");
    const server = await application.start("npx next start", url, { ...env, PORT: new URL(url).port });

    const visitor = createBrowser(sendAsIs, { origin: url, follow: "same-origin" });
    expect((await visitor.navigate("/")).status).toBe(200);
    const page = await visitor.navigate("/members");
    expect(new URL(page.url).pathname).toBe("/api/auth/signin");
    const away = await visitor.submit(page, { button: "Sign in with GitHub" });
    const target = new URL(away.redirectsTo);
    expect(target.origin + target.pathname).toBe("https://github.com/login/oauth/authorize");
    expect(target.searchParams.get("redirect_uri")).toBe(`${url}/api/auth/callback/github`);
    expect((await visitor.navigate("/_next/static/members")).status).toBe(404);

    expect(await showMembers()).toContain("Hello, Ada Lovelace");
    expect(server.output).not.toMatch(/error|\[cardea\]/i);
    await application.stop(server);
  });

  it("runs in development without a complaint about what a page reads", async () => {
    const env = { AUTH_SECRET: SECRET, AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "secret", PORT: new URL(url).port };
    rmSync(join(application.folder, ".next"), { recursive: true, force: true });
    const server = await application.start("npx next dev", `${url}/api/auth/csrf`, env);
    expect(await showMembers()).toContain("Hello, Ada Lovelace");
    expect(server.output).not.toMatch(/Date\.now|Math\.random|blocking-route|⨯/);
  });
});
