import { type ContractTest, contractTest } from "./contract-test.ts";
import { halvesOf, hostileTexts, lookAlikes, sampleToken, unicode, unique, uniqueOfLength } from "./samples.ts";

/** Pending e-mail sign-ins: used once, and only with both address and token. */
export const verificationTokenTests: readonly ContractTest[] = [
  contractTest(
    "returns a token once, with every field",
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, check) => {
      const token = sampleToken();
      await adapter.createVerificationToken(token);
      check.record(await adapter.useVerificationToken(halvesOf(token)), token);
      check.equal(await adapter.useVerificationToken(halvesOf(token)), null);
    },
  ),
  contractTest("returns null for an unknown token", ["useVerificationToken"], async (adapter, check) => {
    check.equal(await adapter.useVerificationToken(halvesOf(sampleToken())), null);
  }),
  contractTest(
    "requires address and token, and consumes nothing for a wrong one",
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, check) => {
      const [ann, bo] = [sampleToken(), sampleToken()];
      for (const token of [ann, bo]) await adapter.createVerificationToken(token);
      for (const token of [unique("token"), bo.token, ...hostileTexts]) {
        const row = await adapter.useVerificationToken({ identifier: ann.identifier, token });
        check.equal({ token, row }, { token, row: null });
      }
      check.equal(await adapter.useVerificationToken({ identifier: unique("eve"), token: ann.token }), null);
      check.record(await adapter.useVerificationToken(halvesOf(ann)), ann);
      check.record(await adapter.useVerificationToken(halvesOf(bo)), bo);
    },
  ),
  contractTest(
    "does not confuse tokens or addresses that look alike",
    ["createVerificationToken", "useVerificationToken", "exactText"],
    async (adapter, check) => {
      const token = sampleToken({ token: unique("AbcdEf") });
      await adapter.createVerificationToken(token);
      for (const other of lookAlikes(token.token)) {
        const row = await adapter.useVerificationToken({ identifier: token.identifier, token: other });
        check.equal({ other, row }, { other, row: null });
      }
      for (const identifier of lookAlikes(token.identifier)) {
        const row = await adapter.useVerificationToken({ identifier, token: token.token });
        check.equal({ identifier, row }, { identifier, row: null });
      }
      check.record(await adapter.useVerificationToken(halvesOf(token)), token);
    },
  ),
  contractTest(
    "keeps several tokens of one address",
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, check) => {
      const older = sampleToken();
      const newer = sampleToken({ identifier: older.identifier });
      for (const token of [older, newer]) await adapter.createVerificationToken(token);
      check.record(await adapter.useVerificationToken(halvesOf(newer)), newer);
      check.record(await adapter.useVerificationToken(halvesOf(older)), older);
    },
  ),
  contractTest(
    "returns an expired token unchanged, or null, and removes it",
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, check) => {
      const token = sampleToken({ expires: new Date("2020-01-01T00:00:00.001Z") });
      await adapter.createVerificationToken(token);
      const row = await adapter.useVerificationToken(halvesOf(token));
      if (row !== null) check.record(row, token);
      check.equal(await adapter.useVerificationToken(halvesOf(token)), null);
    },
  ),
  contractTest(
    "keeps long addresses and addresses in any script",
    ["createVerificationToken", "useVerificationToken"],
    async (adapter, check) => {
      for (const identifier of [uniqueOfLength(254), `${unicode}${unique("ann")}`]) {
        const token = sampleToken({ identifier, token: uniqueOfLength(128) });
        await adapter.createVerificationToken(token);
        check.record(await adapter.useVerificationToken(halvesOf(token)), token);
      }
    },
  ),
];
