// The guide to single-page applications followed in what `create-vite` makes today, with packages from a registry: one origin, through
// Vite's proxy, and a server of Express behind it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { applicationFor, generate, publishFor, readReadme } from "./guided-application.mjs";
import { readWalkthrough } from "./read-walkthrough.mjs";
import { sendAsIs } from "./send-as-is.mjs";

const GUIDE = "docs/single-page-applications.md";
const { text: section, steps } = readWalkthrough(GUIDE, "One origin");
/** The client, in a block without a name. */
const [, client] = /^```ts\n([\s\S]*?)^```$/m.exec(section);
const [, proxy] = /^ {2}(server: [\s\S]*?)^\};/m.exec(steps.find(({ file }) => file === "vite.config.js").text);
const SERVER = readReadme("express", "server.ts").find(({ file }) => file === "server.ts").text;

/** What the guide leaves to the application. */
const APP = `import { SessionProvider, signIn, useSession } from "./auth";

function User() {
  const { data, status } = useSession();
  if (status === "loading") return <p>…</p>;
  if (data === null) return <button onClick={() => signIn()}>Sign in</button>;
  return <p>{data.user?.name}</p>;
}

export default function App() {
  return (
    <SessionProvider>
      <User />
    </SessionProvider>
  );
}
`;

let registries;
beforeAll(async () => {
  registries = await publishFor([{ command: "@cardea/client @cardea/express" }]);
});
afterAll(() => registries?.local.close());

describe(`${GUIDE}, in what create-vite makes`, () => {
  const cleanUp = [];
  afterEach(async () => {
    for (const end of cleanUp.splice(0).reverse()) await end();
  });

  it("builds, and signs users in through the proxy", async () => {
    const { application, ports } = await applicationFor("npm", ["3000", "5173"], registries);
    cleanUp.push(() => application.remove());
    const url = `http://localhost:${ports[1]}`;
    const provider = await startOidcProvider({ redirectUris: [`${url}/auth/callback/example`] });
    cleanUp.push(() => provider.close());

    await generate(application, "npx --yes create-vite@latest made --template react-ts --no-interactive");
    await application.run("npm install @cardea/client @cardea/express express tsx");
    application.write("src/auth.ts", client);
    application.write("src/App.tsx", APP);
    application.write("server.ts", SERVER.replace("https://id.example.com", provider.issuer));
    const config = readFileSync(join(application.folder, "vite.config.ts"), "utf8");
    application.write(
      "vite.config.ts",
      config.replace("defineConfig({\n", (start) => `${start}  ${proxy}`),
    );
    expect(readFileSync(join(application.folder, "vite.config.ts"), "utf8")).toContain(`localhost:${ports[0]}`);
    await application.run("npm run build");

    const keys = { AUTH_EXAMPLE_ID: provider.clientId, AUTH_EXAMPLE_SECRET: provider.clientSecret };
    const env = { AUTH_SECRET: "a secret of more than thirty-two bytes for tests", AUTH_URL: url, ...keys };
    const server = await application.start("npx tsx server.ts", `http://localhost:${ports[0]}`, env);
    await application.start(`npx vite --port ${ports[1]} --strictPort`, url);

    const routes = { [provider.issuer]: sendAsIs };
    const browser = createBrowser(sendAsIs, { origin: url, routes, follow: "all" });
    expect(await (await browser.fetch("/auth/session")).json()).toBe(null);
    const signIn = await browser.navigate("/auth/signin?callbackUrl=/");
    const chooser = await browser.submit(signIn, { button: "Sign in with Example" });
    const page = await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
    expect(new URL(page.url).href).toBe(`${url}/`);
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { name: "Ada Lovelace" } });
    expect(server.output).not.toMatch(/\[cardea\]/);
  });
});
