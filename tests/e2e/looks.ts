import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, takePicture } from "./chromium.ts";

/** How a page may be looked at. */
interface Look extends BrowserContextOptions {
  readonly colorScheme: "light" | "dark";
  readonly viewport: { readonly width: number; readonly height: number };
}

const phone = { hasTouch: true, isMobile: true };
const looks = {
  light: { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  dark: { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  phone: { colorScheme: "light", viewport: { width: 360, height: 740 }, ...phone },
  "phone-dark": { colorScheme: "dark", viewport: { width: 320, height: 640 }, ...phone },
} as const satisfies Record<string, Look>;

type LookName = keyof typeof looks;

/** `npm run test:all` makes every journey on each device. `npm test` makes it once, and turns the window into the others at each page. */
const isLong = Boolean(process.env.CARDEA_TEST_LONG);

/** The devices on which the journeys through all pages are made. */
export const DEVICES: readonly (readonly [LookName, Look])[] = isLong
  ? Object.entries(looks).map(([name, look]) => [assumeName(name), look])
  : [["light", looks.light]];

/** The looks that differ most in what a user sees: both colours, and the widest and the narrowest window. */
const mostDifferent: readonly LookName[] = ["phone-dark", "light"];

/** Fails when a user could not use a page, however they look at it. The window is as before then. */
export async function inspect(page: Page, name: string, device: LookName): Promise<void> {
  const others = isLong ? [] : Object.entries(looks).filter(([other]) => other !== device);
  for (const [other, look] of others) {
    await turnInto(page, look);
    await expectNoOverflow(page);
    if (mostDifferent.some((one) => one === other)) await expectAccessible(page);
  }
  if (others.length > 0) await turnInto(page, looks[device]);
  await takePicture(page, `${name}-${device}`);
  await expectAccessible(page);
  await expectNoOverflow(page);
}

async function turnInto(page: Page, { colorScheme, viewport }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect(overflow, `overflow of ${page.url()} at a width of ${page.viewportSize()?.width} pixels`).toBe(0);
}

/** A cast: `Object.entries` forgets which keys an object has. */
function assumeName(name: string): LookName {
  return name as LookName;
}
