import type { RequestTools, Seconds, Store, Tools } from "@cardea/core/extend";

/** How long a device is known after the last sign-in on it. */
const DEVICE_LIFE: Seconds = 90 * 24 * 60 * 60;

/** How many devices of one account are known; the oldest goes first. */
const MAX_DEVICES = 10;

/** How often the list is written again when another process changed it in between. */
const MAX_TRIES = 20;

const COOKIE = "device";

/**
 * The device of a browser, where its user has signed in to this account, and the account has not forgotten it. Its tries have a budget
 * of their own: strangers use up that of strangers.
 *
 * While the store is away the seal of the cookie alone counts.
 */
export async function findDevice(t: RequestTools, account: string): Promise<string | undefined> {
  const { id, account: of } = (await t.cookies.read(COOKIE)) ?? {};
  if (id === undefined || of !== (await t.permanentKey("account", account))) return undefined;
  try {
    const { store } = t;
    if (store === undefined) return undefined;
    return parseIds(await store.get(await listKey(t, account))).includes(id) ? id : undefined;
  } catch (error) {
    t.logger.warn(`attempts-devices-unavailable: the seal of the cookie alone counts: ${String(error)}`);
    return id;
  }
}

/** Makes the device of a browser known to an account. */
export async function rememberDevice(t: RequestTools, account: string): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  const id = (await findDevice(t, account)) ?? t.randomId();
  await changeIds(store, await listKey(t, account), (ids) =>
    [...ids.filter((one) => one !== id), id].slice(-MAX_DEVICES),
  );
  await t.cookies.write(COOKIE, { id, account: await t.permanentKey("account", account) }, DEVICE_LIFE);
}

/** Makes an account forget every device, as after a reset of its password. */
export async function forgetDevices(t: Tools, account: string): Promise<void> {
  if (t.store !== undefined) await changeIds(t.store, await listKey(t, account), () => []);
}

function listKey(t: Tools, account: string): Promise<string> {
  return t.permanentKey("devices", account);
}

async function changeIds(
  store: Store,
  key: string,
  change: (ids: readonly string[]) => readonly string[],
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = await store.get(key);
    if (await store.swap(key, text, JSON.stringify(change(parseIds(text))), { ttl: DEVICE_LIFE })) return;
  }
  throw new Error("The list of an account's devices was changed by others again and again.");
}

function parseIds(text: string | null): readonly string[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
}
