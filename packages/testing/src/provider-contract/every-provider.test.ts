/** Every OAuth provider, by what `test/contract.ts` of its package expects of it. In one file, because a test file costs more than a contract. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ProviderExpectations } from "./expectations.ts";
import { providerContract } from "./provider-contract.ts";

// Replaced by Vite with an import of each file, so that a change to one of them runs these tests.
const contracts = import.meta.glob<{ readonly expectations: ProviderExpectations }>(
  "../../../providers-*/test/contract.ts",
  { eager: true },
);

/** Sign-in methods of their own, with tests of their own. */
const OTHERS = ["credentials", "email", "password", "webauthn"].map((name) => `providers-${name}`);

it("every package of an OAuth provider has a contract", () => {
  const packages = readdirSync(new URL("../../../", import.meta.url)).filter((name) => name.startsWith("providers-"));
  const tested = Object.keys(contracts).map((path) => path.split("/").at(-3));
  expect(tested.toSorted()).toEqual(packages.filter((name) => !OTHERS.includes(name)).toSorted());
});

for (const { expectations } of Object.values(contracts)) providerContract({ describe, it, expect }, expectations);
