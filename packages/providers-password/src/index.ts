/** Passwords: registration, sign-in, reset and change. */

export { type AspnetOptions, aspnetV3 } from "./hash/aspnet.ts";
export { betterAuthScrypt } from "./hash/better-auth.ts";
export { type FirebaseOptions, firebaseHash, firebaseScrypt } from "./hash/firebase.ts";
export type { Hasher, HashFormat } from "./hash/format.ts";
export { type Pbkdf2Options, pbkdf2 } from "./hash/pbkdf2.ts";
export { type PhpassOptions, phpass } from "./hash/phpass.ts";
export { type ScryptCost, scrypt } from "./hash/scrypt.ts";
export type { Duration, PasswordMail, PasswordOptions } from "./options.ts";
export type { MailTexts, PasswordTexts } from "./pages/texts.ts";
export { Password, Password as default, type PasswordProvider } from "./password.ts";
export { type ImportEntry, type ImportResult, type PasswordOperations, passwordsOf } from "./passwords-of.ts";
export type { PasswordRule } from "./rule/check-rule.ts";
export { type BreachedCheck, type PwnedOptions, pwned } from "./rule/pwned.ts";
