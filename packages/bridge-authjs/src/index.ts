/** Accepts or shares sessions of Auth.js v5 and NextAuth v4. */

export { type AcceptedFormat, type BridgeOptions, bridge } from "./bridge.ts";
export type { FormerVersion } from "./formats.ts";
export { formerServerSession, formerSession } from "./former-session.ts";
