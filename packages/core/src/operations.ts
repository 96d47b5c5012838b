/**
 * The programmatic operations for framework adapters: data in, data out. Each returns the `cookies` to set on the response.
 * Reading a session creates no Request and repeats no validation.
 */

export { matchAction } from "./actions/routes.ts";
export {
  type AddedCookies,
  addCookies,
  addNodeCookies,
  holdAnswer,
  keepPrivate,
  type NodeAnswer,
  settleResponse,
  takeCookies,
  withCookies,
} from "./http/add-cookies.ts";
export type { BodyPart, BodyReader, IncomingBody, IncomingRequest } from "./http/incoming-request.ts";
export {
  bodilessRequest,
  carriedMethod,
  type NodeBody,
  type NodeHeaders,
  type NodeIncoming,
  type NodeOutgoing,
  type NodeRequestHead,
  nodeBody,
  nodeHeaders,
  nodeHost,
  nodePath,
  nodeRequest,
  withAuthority,
} from "./http/node-request.ts";
export { serializeCookie } from "./http/serialize-cookie.ts";
export { requestInTurn } from "./http/take-turn.ts";
export type { ResolvedConfig } from "./model/resolved-config.ts";
export type { Cookie } from "./model/result.ts";
export { isSecureUrl } from "./protocol/parse-url.ts";
export { isPlainTarget, splitTarget, type TargetParts } from "./protocol/request-target.ts";
export { createReaderResolver } from "./reader.ts";
export { attachHandle } from "./server/application-handle.ts";
export {
  type Authorization,
  authorizeRequest,
  denyUnavailable,
  type GuardOptions,
} from "./server/authorize-request.ts";
export type { AuthorizationParams } from "./server/begin-sign-in.ts";
export { issueSession, signOut, startSignIn, updateSession } from "./server/change-session.ts";
export {
  type ConfigResolver,
  type ConfigSource,
  requireServer,
} from "./server/config-resolver.ts";
export { errorUrl } from "./server/error-url.ts";
export {
  bindOperations,
  type Departure,
  type EventConfigSource,
  type EventOperations,
  type EventPort,
  type EventResolver,
} from "./server/event-operations.ts";
export { type GuardedRequest, guardRequest } from "./server/guard-request.ts";
export { logWarning } from "./server/log-warning.ts";
export { readForm } from "./server/read-form.ts";
export {
  assumeSession,
  type OperationRequest,
  publicUrl,
  readSession,
  type SessionRequest,
  type WithCookies,
} from "./server/read-session.ts";
export { redirectResponse, toFields } from "./server/redirect-response.ts";
export { methodRejection, rejectHost, rejection, rejectPath, rejectRequest } from "./server/reject-request.ts";
export { respond } from "./server/respond.ts";
export { createConfigResolver, createEventResolver } from "./standard-resolvers.ts";
