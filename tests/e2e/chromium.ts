import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { expect } from "vitest";

/**
 * Keeps to itself: no update, no sync, no first-run page. And few processes: drawing happens in the main one, and a visitor's pages share one,
 * whichever origins they go to, except those that are open beside each other.
 */
const ARGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  ...["--in-process-gpu", "--disable-site-isolation-trials", "--renderer-process-limit=1"],
];

const require = createRequire(import.meta.url);

/** Half as long as the one with comments, and takes half of the time to load. */
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const ARTIFACTS = fileURLToPath(new URL("artifacts", import.meta.url));

/** As tools/find-program.mjs finds it, for a run of single files. */
const usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

let launched: Promise<Browser> | undefined;

/**
 * Debian's Chromium, or the one that CHROMIUM_PATH names: one for all files of a worker, which share modules; it ends with the
 * worker. Each visitor has a context of their own, and {@link closeContexts} ends those of a file.
 */
export async function launchChromium(): Promise<Browser> {
  if (launched !== undefined && !(await launched).isConnected()) launched = undefined;
  launched ??= launchWith([]);
  return launched;
}

/** A Chromium with further arguments, which its test closes. */
export function launchWith(args: readonly string[]): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? usual.find((path) => existsSync(path)) ?? "chromium";
  return chromium.launch({ executablePath, args: [...ARGS, ...args] });
}

/** Ends what the tests of a file have left open, those that failed among them. */
export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/**
 * A person's browser: fresh cookies, and a record of everything a page complained about. It goes to another address when nothing is under
 * way, as a user does who looks at a page first: what going on breaks off is a complaint.
 */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Another tab on the same cookies. */
  newTab(): Promise<Page>;
  /**
   * Fails when a page logged an error or a violation of its policy, but for answers with the status given, or when a request is not
   * answered, and closes.
   */
  leave(expected?: { readonly status?: readonly number[] }): Promise<void>;
}

/** Opens a browser of its own for one person. */
export async function visit(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ baseURL, locale: "en-GB", ...options });
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const underWay = new Set<Request>();
  let isLeaving = false;
  /** Waits until nothing is under way; what still is after twenty seconds. */
  const settle = async (): Promise<readonly string[]> => {
    await expect
      .poll(() => underWay.size)
      .toBe(0)
      .catch(() => undefined);
    return [...underWay].map((request) => request.url());
  };
  const watch = async (page: Page): Promise<Page> => {
    const goto = page.goto.bind(page);
    page.goto = (...args) => settle().then(() => goto(...args));
    page.on("request", (request) => underWay.add(request));
    page.on("requestfinished", (request) => underWay.delete(request));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning")
        complaints.push(`${message.location().url} ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("requestfailed", (request) => {
      underWay.delete(request);
      // Begun since nothing was under way: the visitor's doing, not the page's.
      if (isLeaving) return;
      const failure = `${request.url()} ${request.failure()?.errorText}`;
      // A user who goes on before the icon of the window is there misses nothing, nor who does not wait for autofill. SvelteKit itself
      // breaks off a page's data when it asks for them again, after a form that navigated.
      const isHarmless = /\/(?:icon\.svg|webauthn-options\S*|__data\.json\S*) net::ERR_ABORTED$/.test(failure);
      if (!isHarmless) complaints.push(failure);
    });
    return page;
  };
  const newTab = async (): Promise<Page> => watch(await context.newPage());
  return {
    context,
    page: await newTab(),
    newTab,
    leave: async ({ status = [] } = {}) => {
      complaints.push(...(await settle()).map((url) => `${url} is not answered`));
      isLeaving = true;
      await context.close();
      const known = status.map((code) => `the server responded with a status of ${code} `);
      const unknown = complaints.filter((text) => !known.some((part) => text.includes(part)));
      expect(unknown, unknown.join("\n")).toEqual([]);
    },
  };
}

/** Fails with what axe-core finds wrong with a page, by rule and element. */
export async function expectAccessible(page: Page): Promise<void> {
  // A page that streams may get its title after its content. Asked for from here: a page that draws no frame runs no such check itself.
  await expect.poll(() => page.title()).not.toBe("");
  // A colour on its way to another has neither's contrast.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(
    "Promise.allSettled(document.getAnimations().filter(({ animationName }) => animationName !== 'later').map(({ finished }) => finished))",
  );
  // As a debugger does, so that the page's own policy stays in force and is not asked. Loading it takes as long as running it.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  const found: unknown = await page.evaluate(
    `axe.run({ preload: false, resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]))`,
  );
  expect(found, `${page.url()}: ${JSON.stringify(found)}`).toEqual([]);
}

/** Takes a picture of the whole page into tests/e2e/artifacts, to be looked at; in `npm run test:all` alone. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.CARDEA_TEST_LONG) return;
  mkdirSync(ARTIFACTS, { recursive: true });
  await page.screenshot({ path: `${ARTIFACTS}/${name}.png`, fullPage: true });
}
