import type { Rule } from "./draft.ts";
import { moveAdapter } from "./rules/adapter.ts";
import { importAugmented } from "./rules/augmentation-modules.ts";
import { moveAuthOptions } from "./rules/auth-options.ts";
import { keepAuthorized } from "./rules/authorized.ts";
import { addBridge } from "./rules/bridge.ts";
import { keepCallbackResults } from "./rules/callback-results.ts";
import { moveComponents } from "./rules/components.ts";
import { renameCreateAuth } from "./rules/create-auth.ts";
import { typeCredentials } from "./rules/credentials.ts";
import { nameEmailLookups } from "./rules/email-lookups.ts";
import { moveNames } from "./rules/exported-names.ts";
import { moveExpress } from "./rules/express.ts";
import { keepFormerSessions } from "./rules/former-session.ts";
import { keepFormerTypes } from "./rules/former-types.ts";
import { moveImports } from "./rules/imports.ts";
import { configureJest } from "./rules/jest.ts";
import { typeJwtParameters } from "./rules/jwt-parameters.ts";
import { keepLateChanges } from "./rules/late-changes.ts";
import { nameLeftovers } from "./rules/leftovers.ts";
import { moveMiddleware } from "./rules/middleware.ts";
import { orderSecrets } from "./rules/order-secrets.ts";
import { moveOwnProviders } from "./rules/own-providers.ts";
import { nameOwnSettings } from "./rules/own-settings.ts";
import { removePackages } from "./rules/packages.ts";
import { typeProviderLists } from "./rules/provider-lists.ts";
import { typeProviders } from "./rules/provider-types.ts";
import { moveProviders } from "./rules/providers.ts";
import { moveClientCalls } from "./rules/react-client.ts";
import { moveServerSession } from "./rules/server-session.ts";
import { typeSessions } from "./rules/session-type.ts";
import { typeSignInResults } from "./rules/sign-in-results.ts";
import { moveSvelteKit } from "./rules/sveltekit.ts";
import { moveThrownTexts } from "./rules/thrown-texts.ts";
import { moveTokenReaders } from "./rules/token-readers.ts";
import { nameTrustedHost } from "./rules/trusted-host.ts";
import { nameUnfinished } from "./rules/unfinished.ts";
import { nameUnmoved } from "./rules/unmoved.ts";
import { moveUnreadAugmentations } from "./rules/unread-augmentations.ts";
import { nameUnreadOptions } from "./rules/unread-options.ts";

/** All steps of a migration, in order. Each sees the changes of the previous ones. */
export const RULES: readonly Rule[] = [
  moveProviders,
  moveOwnProviders,
  typeCredentials,
  moveThrownTexts,
  moveAdapter,
  moveAuthOptions,
  moveServerSession,
  renameCreateAuth,
  moveExpress,
  moveSvelteKit,
  moveClientCalls,
  keepFormerTypes,
  typeSignInResults,
  moveUnreadAugmentations,
  moveImports,
  moveComponents,
  moveNames,
  importAugmented,
  typeSessions,
  typeJwtParameters,
  typeProviderLists,
  typeProviders,
  keepAuthorized,
  addBridge,
  moveTokenReaders,
  orderSecrets,
  nameOwnSettings,
  nameTrustedHost,
  configureJest,
  removePackages,
  nameEmailLookups,
  keepCallbackResults,
  nameUnreadOptions,
  nameLeftovers,
  keepLateChanges,
  keepFormerSessions,
  moveMiddleware,
  nameUnmoved,
];

/** The steps that also find what an earlier run left. */
export const LEFT_RULES: readonly Rule[] = [
  typeCredentials,
  moveServerSession,
  moveClientCalls,
  moveNames,
  moveOwnProviders,
  importAugmented,
  moveTokenReaders,
  configureJest,
  nameUnreadOptions,
  nameLeftovers,
  nameUnmoved,
  nameUnfinished,
];
