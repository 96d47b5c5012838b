import type { WholeAdapter } from "./interrupted-process.ts";
import { type Site, visitor } from "./visitor.ts";

/** Two processes that can be interrupted, and one for what is before and after the race. */
interface Stage {
  readonly one: Site;
  readonly other: Site;
  readonly calm: Site;
  readonly database: WholeAdapter;
  /** An address that no other race uses. */
  readonly address: string;
}

/** Two requests that meet. */
interface Race {
  readonly one: () => Promise<unknown>;
  readonly other: () => Promise<unknown>;
  /** What must not be so afterwards, by name; `done` tells which of the requests were carried out to the end. */
  readonly wrong: (done: {
    readonly one: boolean;
    readonly other: boolean;
  }) => Promise<Readonly<Record<string, boolean>>>;
}

/** The provider of these tests reports any address. */
const atProvider = (email: string, name: string, email_verified = true) => ({
  sub: `${name} of ${email}`,
  email,
  email_verified,
});

const keyOf = ({ sub }: { readonly sub: string }) => ({ provider: "op", providerAccountId: sub });

/** Whether a new link does not sign in the owner of an address. */
async function isLockedOut({ calm }: Stage, email: string): Promise<boolean> {
  const owner = visitor(calm);
  await owner.signInByLink(email);
  return (await owner.who()) !== email;
}

/** A user who has proven their address, in a browser. */
async function signUp({ calm, database }: Stage, email: string) {
  const user = visitor(calm);
  await user.signInByLink(email);
  const id = (await database.getUserByEmail(email))?.id ?? "";
  return { user, id };
}

/** A user under an address that was never verified, and two browsers in which its owner has opened a link. */
async function plant(stage: Stage) {
  const { calm, database, address } = stage;
  const account = atProvider(address, "planter", false);
  const planter = visitor(calm);
  await planter.open(await planter.beginAccount(account));
  const id = (await database.getUserByEmail(address))?.id ?? "";
  const [owner, again] = [visitor(calm), visitor(calm)];
  for (const one of [owner, again]) await one.signInByLink(address);
  const startFresh = (site: Site, who: typeof owner) => () =>
    who.at(site).post("/auth/confirm-address", { step: "start-fresh-confirmed", email: address });
  const planterReaches = async () => {
    const before = (await database.getUserByEmail(address))?.id;
    const next = visitor(calm);
    await next.open(await next.beginAccount(account));
    return before !== id && (await next.who()) === address;
  };
  return { account, id, owner, again, startFresh, planterReaches };
}

async function freshTwice(stage: Stage): Promise<Race> {
  const { owner, again, startFresh, planterReaches, id } = await plant(stage);
  const { one, other, database, address } = stage;
  return {
    one: startFresh(one, owner),
    other: startFresh(other, again),
    wrong: async () => ({
      "the former user has the address": (await database.getUser(id))?.email === address,
      "the owner is locked out": await isLockedOut(stage, address),
      "an account leads to the owner": await planterReaches(),
    }),
  };
}

async function freshOrAsBefore(stage: Stage): Promise<Race> {
  const { owner, again, startFresh, account, id } = await plant(stage);
  const { one, other, database, address } = stage;
  const back = await again.beginAccount(account);
  return {
    one: startFresh(one, owner),
    other: () => again.at(other).open(back),
    wrong: async () => {
      const [former, holder] = [await database.getUser(id), await database.getUserByEmail(address)];
      const ways = holder === null ? [] : await database.listAccountsByUserId(holder.id);
      return {
        "a user without the address has verified it": former?.email !== address && Boolean(former?.emailVerified),
        "the former user has no account": (await database.getUserByAccount(keyOf(account)))?.id !== id,
        "the new user has the former account": holder?.id !== id && ways.length > 0,
      };
    },
  };
}

async function linkAndCode(stage: Stage): Promise<Race> {
  const { one, other, calm, address } = stage;
  const asking = visitor(calm);
  const { url, code, form } = await asking.ask(address);
  const page = await asking.browser.navigate(form);
  const typing = visitor(calm);
  typing.browser.cookies.restore(asking.browser.cookies.snapshot());
  return {
    one: () => asking.at(one).open(url),
    other: () => typing.at(other).browser.submit(page, { button: "Sign in", fields: { code } }),
    wrong: async (done) => {
      const signedIn = [await asking.at(calm).who(), await typing.at(calm).who()].filter((who) => who === address);
      return {
        "both counted": signedIn.length > 1,
        "none counted": done.one && done.other && signedIn.length === 0,
        "the owner is locked out": await isLockedOut(stage, address),
      };
    },
  };
}

async function linkedOrSignedUp(stage: Stage): Promise<Race> {
  const { one, other, calm, database, address } = stage;
  const account = atProvider(`other-${address}`, "account");
  const { user } = await signUp(stage, address);
  const stranger = visitor(calm);
  const [back, start] = [await user.beginAccount(account), await stranger.beginAccount(account)];
  return {
    one: () => user.at(one).open(back),
    other: () => stranger.at(other).open(start),
    wrong: async (done) => {
      const owner = await database.getUserByAccount(keyOf(account));
      const second = await database.getUserByEmail(account.email);
      const who = await stranger.at(calm).who();
      return {
        "a user has no way in": second !== null && second.id !== owner?.id,
        "the account is lost": done.one && done.other && owner === null,
        "someone is signed in as another user": who !== null && who !== owner?.email,
        "the user lost their session": done.one && (await user.at(calm).who()) !== address,
      };
    },
  };
}

async function linkedOrEnded(stage: Stage): Promise<Race> {
  const { one, other, calm, database, address } = stage;
  const account = atProvider(`other-${address}`, "account");
  const { user, id } = await signUp(stage, address);
  const back = await user.beginAccount(account);
  const copy = visitor(calm);
  copy.browser.cookies.restore(user.browser.cookies.snapshot());
  let isRefused = false;
  return {
    one: async () => {
      isRefused = (await user.at(one).open(back)).redirectsTo?.includes("error=") === true;
    },
    other: () => other.endAll(id),
    wrong: async (done) => ({
      "the session has not ended": done.other && (await copy.who()) !== null,
      "a refused account is linked":
        done.one && isRefused && (await database.getUserByAccount(keyOf(account)))?.id === id,
    }),
  };
}

async function deletedMeanwhile(stage: Stage, by: "account" | "passkey"): Promise<Race> {
  const { one, other, database, address } = stage;
  const account = atProvider(`other-${address}`, "account");
  const { user, id } = await signUp(stage, address);
  const back = await user.beginAccount(account);
  const store = by === "passkey" ? await user.beginPasskey() : undefined;
  return {
    one: () => (store === undefined ? user.at(one).open(back) : user.at(one) && store()),
    other: async () => other.adapter.deleteUser(id),
    wrong: async (done) => {
      const rows = [...(await database.listAccountsByUserId(id)), ...(await database.listAuthenticatorsByUserId(id))];
      return {
        "the user is there": done.other && (await database.getUser(id)) !== null,
        "an account or passkey has no user":
          done.other && rows.length + (await database.listSessionsByUserId(id)).length > 0,
        "the owner is locked out": await isLockedOut(stage, address),
      };
    },
  };
}

async function addressChanges(stage: Stage): Promise<Race> {
  const { one, other, calm, database, address } = stage;
  const { id } = await signUp(stage, address);
  const opening = visitor(calm);
  const { url } = await opening.ask(address);
  const next = { id, email: `new-${address}`, emailVerified: new Date() };
  return {
    one: () => opening.at(one).open(url),
    other: async () => other.adapter.updateUser(next),
    wrong: async (done) => {
      const row = await database.getUser(id);
      // Where both are written at the same moment, the mark is removed by a second call (docs/email.md#unproven-addresses).
      const isMet = one.calls().filter((name) => name === "updateUser").length > 1;
      return {
        "the address was not changed": done.other && row?.email !== next.email,
        "the mark was lost": done.other && !isMet && !row?.emailVerified,
        "another user has the new address": done.other && (await database.getUserByEmail(next.email))?.id !== id,
      };
    },
  };
}

async function passwordChanges(stage: Stage): Promise<Race> {
  const { one, other, calm, address } = stage;
  const [former, next] = ["purple monkey sings", "quiet river under stones"];
  const [user, thief] = [visitor(calm), visitor(calm)];
  await user.register(address, former);
  return {
    one: () => user.at(one).changePassword(former, next),
    other: () => thief.at(other).signInByPassword(address, former),
    wrong: async (done) => {
      const works: string[] = [];
      for (const password of [former, next]) {
        const trying = visitor(calm);
        await trying.signInByPassword(address, password);
        if ((await trying.who()) === address) works.push(password);
      }
      return {
        "not one password works": works.length !== 1,
        "the former one works": done.one && works[0] === former,
        "a sign-in with the former one stays": done.one && (await thief.at(calm).who()) !== null,
      };
    },
  };
}

/** By what meets. */
export const RACES: Readonly<Record<string, (stage: Stage) => Promise<Race>>> = {
  "starting fresh, twice": freshTwice,
  "starting fresh, and a sign-in as before": freshOrAsBefore,
  "the link and the code of an e-mail": linkAndCode,
  "linking an account, and signing up with it": linkedOrSignedUp,
  "linking an account, and the end of every session": linkedOrEnded,
  "linking an account, and the deletion of the user": (stage) => deletedMeanwhile(stage, "account"),
  "adding a passkey, and the deletion of the user": (stage) => deletedMeanwhile(stage, "passkey"),
  "a link to an address, and its change": addressChanges,
  "a new password, and a sign-in with the former": passwordChanges,
};
