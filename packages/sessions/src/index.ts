/** Session management: list, end and limit the sessions of users (docs/session-control.md). */

export type { Device } from "./device.ts";
export type { ListedSession } from "./listed-session.ts";
export { type ProviderAccount, type ProviderSession, type SessionEnds, sessionEndsOf } from "./session-ends.ts";
export { sessions } from "./sessions.ts";
export { type EndOptions, type SessionsOperations, type SparedRequest, sessionsOf } from "./sessions-of.ts";
export type { Duration, SessionPageTexts, SessionsOptions } from "./settings.ts";
