/** What is promised while something is away: each dependency × each action, one outcome each. The page docs/session-control.md has it from here. */

/** What is away, and how the application is set up for it. */
export const CONDITIONS = {
  nothing: "nothing",
  brief: "the store, for less than `stale`",
  long: "the store, for longer",
  serving: 'the store, for longer, with `onStale: "serve"`',
  begun: "the store, and this process began meanwhile",
  emptied: "the store was emptied",
  database: "the database (`database` strategy)",
} as const;

/** What is done meanwhile. */
const ACTIONS = {
  read: "reading a session",
  readEnded: "reading one that ended in this process",
  signIn: "signing in",
  signOut: "signing out",
  list: "listing",
  end: "`end`, `endAll`",
  block: "`block`",
} as const;

/** What may come of it, as the documentation puts it. */
const OUTCOMES = {
  goesOn: "the session",
  none: "no session",
  unavailable: "503, and the cookie stays",
  signsIn: "signs in",
  refused: "refused",
  everywhere: "ends everywhere",
  incomplete: "cookie cleared, `error=SignOutIncomplete`; as JSON `{ url, complete: false }`",
  notSignedOut: "cookie cleared, `error=Configuration`",
  lists: "lists",
  rejects: "rejects; ended in this process at once",
  rejectsOnly: "rejects",
} as const;

export type Condition = keyof typeof CONDITIONS;
export type Action = keyof typeof ACTIONS;
export type Outcome = keyof typeof OUTCOMES;

/** One outcome each. */
export const FAILURES = {
  nothing: {
    read: "goesOn",
    readEnded: "none",
    signIn: "signsIn",
    signOut: "everywhere",
    list: "lists",
    end: "everywhere",
    block: "everywhere",
  },
  brief: {
    read: "goesOn",
    readEnded: "none",
    signIn: "refused",
    signOut: "incomplete",
    list: "unavailable",
    end: "rejects",
    block: "rejectsOnly",
  },
  long: {
    read: "unavailable",
    readEnded: "unavailable",
    signIn: "refused",
    signOut: "incomplete",
    list: "unavailable",
    end: "rejectsOnly",
    block: "rejectsOnly",
  },
  serving: {
    read: "goesOn",
    readEnded: "none",
    signIn: "refused",
    signOut: "incomplete",
    list: "unavailable",
    end: "rejects",
    block: "rejectsOnly",
  },
  begun: {
    read: "unavailable",
    readEnded: "unavailable",
    signIn: "refused",
    signOut: "incomplete",
    list: "unavailable",
    end: "rejectsOnly",
    block: "rejectsOnly",
  },
  emptied: {
    read: "goesOn",
    readEnded: "none",
    signIn: "signsIn",
    signOut: "everywhere",
    list: "lists",
    end: "everywhere",
    block: "everywhere",
  },
  database: {
    read: "unavailable",
    readEnded: "unavailable",
    signIn: "refused",
    signOut: "notSignedOut",
    list: "unavailable",
    end: "everywhere",
    block: "everywhere",
  },
} as const satisfies Readonly<Record<Condition, Readonly<Record<Action, Outcome>>>>;

/** The table as the page has it. */
export function renderFailures(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const actions = Object.keys(ACTIONS) as Action[];
  return [
    row(["unavailable", ...Object.values(ACTIONS)]),
    `|${"---|".repeat(actions.length + 1)}`,
    ...(Object.keys(CONDITIONS) as Condition[]).map((condition) =>
      row([CONDITIONS[condition], ...actions.map((action) => OUTCOMES[FAILURES[condition][action]])]),
    ),
  ].join("\n");
}
