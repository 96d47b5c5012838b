import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

/** A person in front of the Next.js example. */
export interface NextVisitor {
  readonly context: BrowserContext;
  readonly page: Page;
  newTab(): Promise<Page>;
  /** Fails when a page threw or logged an error, but for answers with the status given, and closes. */
  leave(expected?: { readonly status?: readonly number[] }): Promise<void>;
}

/** What Next.js says of a page that it loads ahead, when its visitor has signed out in the meantime. */
const LOADED_AHEAD = /\?_rsc=\S* Failed to load resource: the server responded with a status of 401 /;

/** Opens a browser of its own for one person. What Next.js loads ahead and drops again is no complaint. */
export async function visitNext(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<NextVisitor> {
  const context = await browser.newContext({ baseURL, locale: "en-GB", ...options });
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const newTab = async () => {
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      const text = `${message.location().url} ${message.text()}`;
      if (message.type() === "error" && !LOADED_AHEAD.test(text)) complaints.push(text);
    });
    return page;
  };
  return {
    context,
    page: await newTab(),
    newTab,
    leave: async ({ status = [] } = {}) => {
      await context.close();
      const known = status.map((code) => `the server responded with a status of ${code} `);
      expect(complaints.filter((text) => !known.some((part) => text.includes(part)))).toEqual([]);
    },
  };
}
