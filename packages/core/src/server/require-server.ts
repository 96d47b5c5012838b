import { InvalidConfiguration } from "../model/errors.ts";

/**
 * Fails in a browser, where a bundler may load server code: there, the missing secret would be reported instead, and must not be
 * added. Tests of server code may have a `document` too, but run in Node.
 *
 * @param instead what code in a browser can use.
 * @throws InvalidConfiguration.
 */
export function requireServer(instead: string): void {
  const { document, process }: { readonly document?: unknown; readonly process?: unknown } = Object(globalThis);
  if (document === undefined || Object(Object(process).versions).node !== undefined) return;
  throw new InvalidConfiguration(
    `createAuth() runs on servers only, and a module that calls it was loaded in a browser. ${instead}`,
  );
}
