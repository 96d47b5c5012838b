import type { FlowContext } from "../model/context.ts";
import type { Seconds } from "../model/units.ts";
import { setCookie } from "./own-cookie.ts";

/** The provider that this browser used last, for the built-in sign-in page (`theme.lastMethod`). */

const LIFETIME: Seconds = 90 * 24 * 60 * 60;

/** Keeps the id of a provider, if the page may show it. */
export function rememberMethod(context: FlowContext, provider: string): void {
  if (context.config.theme.lastMethod === true)
    setCookie(context, "lastMethod", encodeURIComponent(provider), LIFETIME);
}

/** The id of a configured provider; undefined for anything else. */
export function readMethod({ config, cookies, received }: FlowContext): string | undefined {
  const value = config.theme.lastMethod === true ? received.get(cookies.lastMethod.name) : undefined;
  return [...config.providers.keys()].find((id) => encodeURIComponent(id) === value);
}
