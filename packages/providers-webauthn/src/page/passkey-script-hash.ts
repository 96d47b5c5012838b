// Made from passkey-page.js by tools/passkey-script.mjs.

/** The hash of the script, as `integrity` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-oSOa0Rngmk+6fX5yZK+mh7NC7hbNRHYnyd8ORaBHC64=";
