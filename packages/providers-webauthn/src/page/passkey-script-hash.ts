// Made from passkey-page.js by tools/passkey-script.mjs.

/** The hash of the script, as `integrity` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-6u5nVTKtOT9/HFYbOwydss3L8hUY8eq0si3ZbjKb9Uo=";
