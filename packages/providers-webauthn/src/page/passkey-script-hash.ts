// Made from passkey-page.js by tools/page-scripts.mjs.

/** The hash of the script, as `integrity` and a Content-Security-Policy name it (SRI §3.1). */
export const PASSKEY_SCRIPT_HASH: string = "sha256-85o2jbQhyJk6gvrfR2KeijH8jcy5xXYKmruFsihntYY=";
