import type { Rule } from "./draft.ts";
import { moveAdapter } from "./rules/adapter.ts";
import { moveAuthOptions } from "./rules/auth-options.ts";
import { completeAuthorized } from "./rules/authorized.ts";
import { addBridge } from "./rules/bridge.ts";
import { renameCreateAuth } from "./rules/create-auth.ts";
import { typeCredentials } from "./rules/credentials.ts";
import { nameEmailLookups } from "./rules/email-lookups.ts";
import { renameEnvironment } from "./rules/environment.ts";
import { moveExpress } from "./rules/express.ts";
import { keepFormerTypes } from "./rules/former-types.ts";
import { moveImports } from "./rules/imports.ts";
import { nameLeftovers } from "./rules/leftovers.ts";
import { removePackages } from "./rules/packages.ts";
import { moveProviders } from "./rules/providers.ts";
import { moveClientCalls } from "./rules/react-client.ts";
import { moveServerSession } from "./rules/server-session.ts";
import { typeSessions } from "./rules/session-type.ts";
import { keepSessionUserId } from "./rules/session-user-id.ts";
import { moveWithAuth } from "./rules/with-auth.ts";

/** Every step of a move, in order: each sees what the ones before it have changed. */
export const RULES: readonly Rule[] = [
  moveProviders,
  typeCredentials,
  moveAdapter,
  moveAuthOptions,
  moveServerSession,
  moveWithAuth,
  renameCreateAuth,
  moveExpress,
  moveClientCalls,
  keepFormerTypes,
  moveImports,
  keepSessionUserId,
  typeSessions,
  completeAuthorized,
  addBridge,
  renameEnvironment,
  removePackages,
  nameEmailLookups,
  nameLeftovers,
];
