import { APPLICATION_TIMEOUT_MS, EventError, type ResolvedConfig, withTimeout } from "@cardea/core/extension-host";
import {
  type ForgottenAccount,
  type SecurityFact,
  type SecurityFactBody,
  type Tools,
  toError,
} from "@cardea/core/extension-kit";
import { extensionError, extensionsOf } from "./extensions-of.ts";

/** What extensions are told outside of a request as well. */

/** Lets every extension revoke and remove the tokens of an account. Never throws. Resolves to whether one stores tokens. */
export async function forgetTokens(
  config: ResolvedConfig,
  toolsFor: (id: string) => Tools,
  account: ForgottenAccount,
): Promise<boolean> {
  const list = extensionsOf(config);
  const able = list.filter((one) => one.forgetTokens !== undefined);
  for (const extension of able) {
    const tools = toolsFor(extension.id);
    try {
      await withTimeout(APPLICATION_TIMEOUT_MS, extension.forgetTokens?.(account, tools));
    } catch (error) {
      tools.logger.error(extensionError(extension, "forgetTokens", error));
    }
  }
  return able.length > 0 || list.some(({ keepsTokens }) => keepsTokens === true);
}

/** Notifies every extension of a security fact. Never throws. */
export function notifyFact(config: ResolvedConfig, toolsFor: (id: string) => Tools, body: SecurityFactBody): void {
  const fact: SecurityFact = { ...body, v: 1, time: Date.now() };
  for (const extension of extensionsOf(config)) {
    if (extension.observe === undefined) continue;
    const tools = toolsFor(extension.id);
    const failed = (error: unknown) => {
      const cause = { err: toError(error), event: fact.kind };
      tools.logger.error(new EventError(`\`observe\` of the extension "${extension.id}" failed.`, { cause }));
    };
    try {
      const answer: unknown = extension.observe(fact, tools);
      // Not awaited; an unhandled rejection would end the process.
      Promise.resolve(answer).catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}
