import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import type { OAuthIdentity } from "../model/identity.ts";
import type { Account, User } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { isSameId } from "../protocol/same-id.ts";
import { linkAccount, storedAccount } from "./create-user.ts";
import { findAccountOwner } from "./find-user.ts";
import { requireRoom } from "./way-in.ts";

/** An account that is not linked yet: the owner of its address decides first (`pending-address.ts`). */
export interface WaitingAccount {
  /** What is stored of the account. */
  readonly account: Account;
  /** The user at the provider, for the event `linkAccount`. */
  readonly user: User;
}

/** With its destination, a cookie of this size stays below the 4096 bytes that browsers store. */
const MAX_LENGTH = 1800;

/** The account of a proven identity, as far as it is stored. */
export function waitingAccount(config: ResolvedConfig, identity: OAuthIdentity): WaitingAccount {
  const { name, email, image } = identity.user;
  return { account: storedAccount({ config }, identity), user: { name, email, image } };
}

/** The account as text that fits into a cookie: if it is too long, without the ID token, then without all tokens and the user's data. */
export function writeWaiting({ account, user }: WaitingAccount): string {
  const plain = Object.entries(account).filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  const { id_token: _, ...withoutIdToken } = Object.fromEntries(plain);
  const { provider, providerAccountId, type } = account;
  const key = { provider, providerAccountId, type };
  const texts = [
    { account: Object.fromEntries(plain), user },
    { account: withoutIdToken, user },
    { account: key, user: { email: user.email } },
  ].map((one) => JSON.stringify(one));
  return texts.find((text) => new TextEncoder().encode(text).length <= MAX_LENGTH) ?? texts.at(-1) ?? "";
}

/** Reads the text of {@link writeWaiting} from an encrypted cookie; undefined if its provider is no longer configured. */
export function parseWaiting(
  { config, redactNamed }: FlowContext,
  text: string | undefined,
): WaitingAccount | undefined {
  if (text === undefined) return undefined;
  // Written by `writeWaiting`, as the encryption proves.
  const waiting = JSON.parse(text) as WaitingAccount;
  if (config.providers.get(waiting.account.provider)?.kind !== "oauth") return undefined;
  redactNamed(Object.entries(waiting.account));
  return waiting;
}

/**
 * Links a waiting account to the user whom the owner of its address decided for. If it belongs to someone by now, the sign-in is valid
 * without it, and if a further proof is required first: the user can add it afterwards.
 *
 * @param mayAdd asks about the session that adds it; default: it belongs to a new user.
 * @throws AdapterError, and errors of `mayAdd`.
 */
export async function linkWaiting(
  context: FlowContext,
  waiting: WaitingAccount,
  user: AdapterUser,
  changes: Changes,
  mayAdd: () => Promise<boolean> = async () => true,
): Promise<void> {
  const identity = { kind: "waiting", ...waiting } as const;
  try {
    const owner = await findAccountOwner(context, identity);
    if (owner !== null && isSameId(owner.id, user.id)) return;
    if (owner !== null) throw new AccountNotLinked("Another user linked the account meanwhile.");
    if (!(await mayAdd())) throw new AccountNotLinked("An extension requires a further proof before it is added.");
    await requireRoom(context, identity, user.id);
    await linkAccount(context, identity, user, changes);
  } catch (error) {
    if (!(error instanceof AccountNotLinked)) throw error;
    const { provider } = waiting.account;
    context.logger.warn(`waiting-account: the account of provider "${provider}" was not linked:`, error.message);
  }
}
