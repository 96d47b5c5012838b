import type { ActionContext } from "../model/context.ts";
import type { PublicProvider } from "../model/records.ts";
import type { AuthResult } from "../model/result.ts";

/** GET `providers`: the public facts about the configured providers. */
export async function providers(context: ActionContext): Promise<AuthResult> {
  const { baseUrl } = context;
  const body = [...context.config.providers.values()].map(
    ({ id, name, type }): PublicProvider => ({
      id,
      name,
      type,
      signinUrl: `${baseUrl}/signin/${id}`,
      callbackUrl: `${baseUrl}/callback/${id}`,
    }),
  );
  return { kind: "json", status: 200, body };
}
