import type { ActionAnswer } from "@cardea/extend";
import { fieldOf, type PageName, type Step } from "./answer.ts";

/** Cookie with the address of a refused form. It is not in the URL, which is logged and sent to other sites. */
const COOKIE = "typed";

/** In seconds. */
const LIFETIME = 5 * 60;

/** More than any address has (RFC 5321 §4.5.3.1), and little enough for a cookie. */
const MAX = 320;

/** Remembers the submitted address if the built-in page shows its form again with an error. */
export async function rememberAddress(step: Step, page: PageName, answer: ActionAnswer): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const email = fieldOf(step, "email");
  const isRefused = answer.kind === "redirect" && new URL(answer.url).searchParams.has("error");
  const isShown = isRefused && !action.wantsJson && settings.pages[page] === undefined;
  if (isShown && email !== "" && email.length <= MAX) await t.cookies.write(COOKIE, { email }, LIFETIME);
  return answer;
}

/** The address of the form that was just refused in this browser, once. */
export async function typedAddress({ action, t }: Step): Promise<string | undefined> {
  if (!action.query.has("error")) return undefined;
  const email = (await t.cookies.read(COOKIE))?.email;
  if (email === undefined) return undefined;
  t.cookies.clear(COOKIE);
  return email;
}
