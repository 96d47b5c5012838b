import { loadRunner } from "../context/extension-runner.ts";
import { InvalidConfiguration } from "../model/errors.ts";
import type { AddedFacts, OpenedSession } from "../model/extension.ts";
import type { ExtensionRunner } from "../model/extension-runner.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Tools } from "../model/tools.ts";
import { type OperationRequest, openContext, type WithCookies } from "./read-session.ts";

/** What functions of extensions do for server code. */

/**
 * The tools of an extension.
 *
 * @throws InvalidConfiguration when it is not configured.
 */
export async function openTools(config: ResolvedConfig, id: string): Promise<Tools> {
  return (await runnerOf(config, id)).tools(config, id);
}

/**
 * The session of a request, if it is valid for every extension; else null.
 *
 * @throws SessionUnavailable.
 */
export async function openSession(
  config: ResolvedConfig,
  id: string,
  request: OperationRequest,
): Promise<OpenedSession | null> {
  const runner = await runnerOf(config, id);
  return runner.session(openContext(config, request), id);
}

/**
 * Re-issues the session of a request with further facts.
 *
 * @throws SessionUnavailable.
 */
export async function renewSession(
  config: ResolvedConfig,
  id: string,
  request: OperationRequest,
  facts: AddedFacts,
): Promise<WithCookies> {
  const runner = await runnerOf(config, id);
  const context = openContext(config, request);
  await runner.renew(context, facts);
  return { cookies: context.jar.list() };
}

async function runnerOf(config: ResolvedConfig, id: string): Promise<ExtensionRunner> {
  const runner = await loadRunner(config);
  if (runner !== undefined && config.extensions?.list.some((one) => one.id === id) === true) return runner;
  throw new InvalidConfiguration(`The extension "${id}" is not configured: add it to \`extensions\`.`);
}
