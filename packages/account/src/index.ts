/** The account page: profile, ways to sign in, change of address, export and deletion (docs/account.md). */

export { account } from "./account.ts";
export { type AccountOperations, type ActOptions, accountOf } from "./account-of.ts";
export type { RemovedMethod, Unlinked } from "./methods.ts";
export type { AccountMail, AccountMailKind, AccountOptions, AccountSection, Duration } from "./options.ts";
export type { AccountOverview, LinkedAccount, ListedPasskey } from "./overview.ts";
export type { Removal, RemovedUsers } from "./remove-user.ts";
export type { AccountTexts, MailText } from "./texts.ts";
