// Made from passkey-page.js by tools/page-scripts.mjs.

/** The hash of the script, as `integrity` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-ltE881Jgz8lqym4NmPS5tLIFdVK7fk0Ad3NWOFam61c=";
