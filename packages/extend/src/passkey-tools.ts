import type { ResolvedConfig } from "@cardea/core/extension-host";
import { InvalidRequest, type PasskeyTools, type RequestTools } from "@cardea/core/extension-kit";

/**
 * Passkey authentication of a known user, through the configured passkey providers. With several, the first for which
 * the user has a passkey is used.
 *
 * @returns null if no provider supports it.
 */
export function createPasskeyTools({ providers }: ResolvedConfig, t: RequestTools): PasskeyTools | null {
  const passkeyProviders = [...providers.values()].filter((one) => one.kind === "webauthn");
  const able = passkeyProviders.flatMap((provider) => {
    const { prove: prover } = provider.method;
    return prover === undefined ? [] : [{ provider, prover }];
  });
  const [first] = able;
  if (first === undefined) return null;
  return {
    async challenge(request) {
      for (const { provider, prover } of able) {
        const made = await prover.challenge(provider, request, t);
        if (made !== null) return { action: "authenticate", provider: provider.id, ...made };
      }
      return null;
    },
    async verify(request, body) {
      const [id, state] = [body.get("provider"), body.get("state")];
      const asked = able.find(({ provider }) => provider.id === id);
      if (asked === undefined || typeof state !== "string")
        throw new InvalidRequest("The passkey response does not identify its challenge.", 400);
      return asked.prover.verify(asked.provider, request, state, body.get("data"), t);
    },
    form: (form) => first.prover.form(form),
  };
}
