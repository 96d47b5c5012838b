import { type ActionAnswer, type ActionSpec, defineExtension, type Extension, type Surroundings } from "@cardea/extend";
import type { Step } from "./answers.ts";
import { notifyOfMethod } from "./notify-of-method.ts";
import { type AccountOptions, resolveOptions, type Settings } from "./options.ts";
import { findRemoval } from "./remove-user.ts";

const page = { csrf: "none", answers: "page", head: "skip" } as const;
const form = { csrf: "required", answers: "page", head: "skip" } as const;

/**
 * One page on which users manage how they sign in, their address and their data: `GET account`. Changing the address and deleting the account
 * are safe by default (ASVS 6.3.7, 7.5.1).
 *
 * @throws TypeError for an invalid option.
 */
export function account(options: AccountOptions = {}): Extension {
  const settings = resolveOptions(options);
  /** Each group of actions is loaded on its first request. */
  const own =
    (load: () => Promise<(step: Step) => Promise<ActionAnswer>>): ActionSpec["run"] =>
    async (action, t) =>
      (await load())({ settings, action, t });
  return defineExtension({
    id: "account",
    settings,
    needs: { store: true, sessionInfo: true },
    warnings: (surroundings) => findLosses(settings, surroundings),
    actions: {
      "GET account": { ...page, segment: "optional", run: own(async () => (await import("./show.ts")).show) },
      "POST account": { ...form, segment: "required", run: own(async () => (await import("./change.ts")).change) },
    },
    observe: (fact, t) => {
      if (fact.kind === "method.added") notifyOfMethod(settings, t, fact);
    },
    // A sign-in of a user who is to be deleted is interrupted by the question whether to keep the account.
    admit: async ({ user, isNewUser }, t) => {
      if (user.id === undefined || isNewUser) return { admit: true };
      const removal = await findRemoval(t, String(user.id));
      if (removal === null) return { admit: true };
      return removal.began === undefined ? { ask: "account" } : { refuse: "the user is being deleted" };
    },
  });
}

/** What this configuration cannot do, for the log at start. */
function findLosses({ mail, sections }: Settings, { adapterHas }: Surroundings): readonly string[] {
  const has = (name: Settings["sections"][number]) => sections.includes(name);
  const off = (what: string, why: string) => `account-off: ${what} ${why} (docs/account.md#what-each-adapter-lacks).`;
  if (!adapterHas("getUser")) return [off("The page shows only the session, because", "there is no database adapter")];
  return [
    ...(has("sign-in") && !adapterHas("listAccountsByUserId")
      ? [off("Accounts at providers are not listed, because", "the adapter has no `listAccountsByUserId`")]
      : []),
    ...(has("sign-in") && adapterHas("listAccountsByUserId") && !adapterHas("removeSignInMethod")
      ? [
          off(
            "Two removals at once are kept apart by a lease in the store, because",
            "the adapter has no `removeSignInMethod`",
          ),
        ]
      : []),
    ...(has("profile") && !adapterHas("updateUser")
      ? [off("Name and address cannot be changed, because", "the adapter has no `updateUser`")]
      : []),
    ...(has("profile") && mail === undefined
      ? [off("The address cannot be changed, and users are not told of changes, because", "account() has no `mail`")]
      : []),
    ...(has("data") && !adapterHas("deleteUser")
      ? [off("Users cannot delete their account, because", "the adapter has no `deleteUser`")]
      : []),
  ];
}
