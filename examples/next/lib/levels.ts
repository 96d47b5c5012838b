import { stepUp } from "@cardea/step-up";

/** What has to be proven freshly, and for what. */
export const level = stepUp({
  // Changes of factors and passwords ask for it by themselves.
  settings: { within: "15m" },
  safe: { within: "5m", factors: ["password", "totp"] },
  // The user confirms the very content, and their passkey signs it.
  money: { within: "5m", factors: ["passkey"], bind: true },
});
