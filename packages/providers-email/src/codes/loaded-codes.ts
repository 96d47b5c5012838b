import type { LoadedEmailCodes } from "@cardea/core/providers";
import { createCode, parseCode } from "./code.ts";
import { renderCodeForm } from "./form.ts";
import { areCodesOff, MAX_TRIES_OF_CODE, takeTry } from "./tries.ts";

/** Creates and verifies codes of eight digits. */
export const loadedCodes: LoadedEmailCodes = {
  async issue({ flow, address }, t) {
    const code = createCode();
    const [proof = ""] = await t.macs("code", flow, address, code);
    try {
      return { proof, code: (await areCodesOff(t, address)) ? undefined : code };
    } catch (error) {
      // Without the store, no code can be checked, but the link works.
      t.logger.warn("email-code: the store is unavailable, so an e-mail was sent without a code:", error);
      return { proof, code: undefined };
    }
  },

  parse: parseCode,

  /** An attempt is counted before the code is compared. */
  async verify(code, { flow, address, proof }, t) {
    const macs = await t.macs("code", flow, address, code);
    const allowed = await takeTry(t, { flow, address });
    if (allowed === null) return false;
    // A comparison of MACs takes a time that says nothing about the code.
    if (macs.includes(proof)) {
      await allowed.succeeded();
      return true;
    }
    if (allowed.number === MAX_TRIES_OF_CODE) {
      const what = `email-code: provider "${t.provider}" invalidated the code for an address`;
      t.logger.warn(`${what} after ${MAX_TRIES_OF_CODE} wrong attempts. The link in the e-mail stays valid.`);
    }
    return false;
  },

  form: renderCodeForm,
};
