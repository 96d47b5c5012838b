import type { Session } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { type OperationRequest, openContext, type WithCookies } from "./read-session.ts";
import { loggedError } from "./run-operation.ts";

/**
 * Calls the callbacks with trigger `update` and the given data. Returns the updated session; null if there is none.
 *
 * @throws SessionUnavailable.
 */
export async function updateSession(
  config: ResolvedConfig,
  request: OperationRequest,
  data: unknown,
): Promise<WithCookies & { readonly session: Session | null }> {
  const context = openContext(config, request);
  try {
    const session = await strategyOf(config).update(context, data);
    await context.written();
    return { session, cookies: context.jar.list() };
  } catch (thrown) {
    throw await loggedError(context, thrown);
  }
}
