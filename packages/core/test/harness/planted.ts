/** A user who was planted under someone else's address, and the owner of that address. Test-only. */

import type { Adapter } from "@cardea/core/adapters";
import { createMemoryAdapter, type MemoryAdapter, type Visit } from "@cardea/testing";
import { BASE } from "./harness.ts";
import { type PasskeyCase, type PasskeyCaseOptions, setUpPasskeys } from "./passkey-app.ts";

/** The address that both claim; only the owner can prove it. */
export const ADDRESS = "victim@example.com";

/** A planted user, the database, and both browsers. */
export interface Planted {
  readonly memory: MemoryAdapter;
  readonly planter: PasskeyCase;
  readonly owner: PasskeyCase;
  /** The planted user's id. */
  readonly id: string;
  /** Asks for a link and opens it; the answer of the link. */
  prove(): Promise<Visit>;
  /** Opens the page and starts fresh, confirmed. */
  startFresh(): Promise<Visit>;
}

/** What the adapters of npm for Auth.js have. */
export function npmAdapter({ adapter }: MemoryAdapter): Adapter {
  const {
    createUserWithAccount: _c,
    listAccountsByUserId: _a,
    listSessionsByUserId: _s,
    deleteSessionsByUserId: _d,
    updateAccount: _u,
    ...npm
  } = adapter;
  return npm;
}

/** Plants a user under {@link ADDRESS}, by an account of a provider that does not verify addresses, or by a passkey. */
export async function plant(
  by: "account" | "passkey",
  options: PasskeyCaseOptions & { readonly adapterOf?: (memory: MemoryAdapter) => Adapter } = {},
): Promise<Planted> {
  const { adapterOf = ({ adapter }) => adapter, ...rest } = options;
  const memory = options.memory ?? createMemoryAdapter();
  const make = () =>
    setUpPasskeys({
      ...rest,
      memory,
      config: { adapter: adapterOf(memory), ...rest.config },
      email: { rateLimit: () => true, ...rest.email },
    });
  const [planter, owner] = [make(), make()];
  planter.op.user = { sub: "mallory", name: "Mallory", email: ADDRESS, email_verified: false };
  if (by === "account") await planter.signInWithOp();
  else await planter.register(`email=${ADDRESS}`);
  const [planted] = memory.snapshot().users;
  return {
    memory,
    planter,
    owner,
    id: planted?.id ?? "",
    prove: async () => {
      await owner.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" });
      return owner.open();
    },
    startFresh: async () => {
      const page = await owner.browser.navigate(`${BASE}/confirm-address`);
      const again = await owner.browser.submit(page, { button: "Start fresh" });
      return owner.browser.submit(again, { button: "Create a new account" });
    },
  };
}

/** The user who has {@link ADDRESS} now. */
export function holderOf(memory: MemoryAdapter) {
  return memory.snapshot().users.find(({ email }) => email === ADDRESS);
}
