// Made from passkey-page.js by tools/passkey-script.mjs.

/** The hash of the script, as `integrity` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-J2efsaqT1FkIZfsQwOEwTwAqA9TwZ02to5GEiwjSCcY=";
