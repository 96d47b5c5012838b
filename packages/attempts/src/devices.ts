import type { RequestTools, Seconds, Store, Tools } from "@cardea/core/extend";

/** How long a device is known after the last sign-in on it. */
const DEVICE_LIFE: Seconds = 90 * 24 * 60 * 60;

/** How many devices of one account are known; the oldest goes first. */
const MAX_DEVICES = 10;

/** How often the list is written again when another process changed it in between. */
const MAX_TRIES = 20;

/** What a device is known to: an account by its name, or a user whose factor was proven. They are never mixed up. */
export type DeviceScope = "account" | "user";

const COOKIES = { account: "device", user: "factor-device" } as const;
const LISTS = { account: "devices", user: "factor-devices" } as const;

/**
 * The device of a browser, where its user has signed in to this account, and the account has not forgotten it. Its tries have a budget
 * of their own: strangers use up that of strangers.
 *
 * While the store is away the seal of the cookie alone counts.
 */
export async function findDevice(t: RequestTools, scope: DeviceScope, account: string): Promise<string | undefined> {
  const { id, account: of } = (await t.cookies.read(COOKIES[scope])) ?? {};
  if (id === undefined || of !== (await t.permanentKey(scope, account))) return undefined;
  try {
    const { store } = t;
    if (store === undefined) return undefined;
    return parseIds(await store.get(await listKey(t, scope, account))).includes(id) ? id : undefined;
  } catch (error) {
    t.logger.warn(`attempts-devices-unavailable: the seal of the cookie alone counts: ${String(error)}`);
    return id;
  }
}

/** Makes the device of a browser known to an account. */
export async function rememberDevice(t: RequestTools, scope: DeviceScope, account: string): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  const id = (await findDevice(t, scope, account)) ?? t.randomId();
  await changeIds(store, await listKey(t, scope, account), (ids) =>
    [...ids.filter((one) => one !== id), id].slice(-MAX_DEVICES),
  );
  await t.cookies.write(COOKIES[scope], { id, account: await t.permanentKey(scope, account) }, DEVICE_LIFE);
}

/** Makes an account forget every device, as after a reset of its password. */
export async function forgetDevices(t: Tools, scope: DeviceScope, account: string): Promise<void> {
  if (t.store !== undefined) await changeIds(t.store, await listKey(t, scope, account), () => []);
}

function listKey(t: Tools, scope: DeviceScope, account: string): Promise<string> {
  return t.permanentKey(LISTS[scope], account);
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
