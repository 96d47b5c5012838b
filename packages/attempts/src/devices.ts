import { type RequestTools, retryChange, type Seconds, type Store, type Tools } from "@cardea/core/extend";
import { foldName } from "./fold-name.ts";

/** How long a device is remembered after its last sign-in. */
const DEVICE_LIFE: Seconds = 90 * 24 * 60 * 60;

/** The maximum number of devices per account; the oldest is dropped first. */
const MAX_DEVICES = 10;

/**
 * What a device is remembered for: an account by name, or a user who proved a second factor. The two are kept apart.
 */
export type DeviceScope = "account" | "user";

const COOKIES = { account: "device", user: "factor-device" } as const;
const MARKS = { account: "devices-mark", user: "factor-devices-mark" } as const;
const LISTS = { account: "devices", user: "factor-devices" } as const;

/** Longer than the life of a device, so that no device outlives the mark that made it unknown. */
const MARK_LIFE: Seconds = DEVICE_LIFE + 24 * 60 * 60;

/**
 * The device of a browser, if this account was signed in to on it and has not forgotten it. Its attempts have a
 * separate limit, which unknown browsers cannot exhaust.
 *
 * While the store is unavailable, only the encrypted cookie is checked.
 */
export async function findDevice(t: RequestTools, scope: DeviceScope, account: string): Promise<string | undefined> {
  const { store } = t;
  const cookie = await readCookie(t, scope, account);
  if (store === undefined || cookie === null) return undefined;
  const { id } = cookie;
  try {
    const { mark, list } = await readDevices(t, store, scope, account);
    return isKnown(cookie, mark, list) ? id : undefined;
  } catch (error) {
    t.logger.warn(`attempts-devices-unavailable: known devices are identified by their cookie only: ${String(error)}`);
    return id;
  }
}

/**
 * Remembers the device of a browser for an account.
 *
 * @returns the device, if it was known before.
 */
export async function rememberDevice(
  t: RequestTools,
  scope: DeviceScope,
  account: string,
): Promise<string | undefined> {
  const { store } = t;
  if (store === undefined) return undefined;
  const cookie = await readCookie(t, scope, account);
  const fresh = t.randomId();
  const { known, mark } = await retryChange(async () => {
    // Both at the same time: devices that are forgotten meanwhile include this one.
    const { mark: current, list } = await readDevices(t, store, scope, account);
    const found = cookie !== null && isKnown(cookie, current, list) ? cookie.id : undefined;
    const id = found ?? fresh;
    const ids = [...parseIds(list).filter((one) => one !== id), id].slice(-MAX_DEVICES);
    const key = await listKey(t, scope, account);
    const isDone = await store.swap(key, list, JSON.stringify(ids), { ttl: DEVICE_LIFE });
    return isDone ? { known: found, mark: current } : undefined;
  }, LIST);
  const of = await t.permanentKey(scope, account);
  await t.cookies.write(COOKIES[scope], { id: known ?? fresh, mark, account: of }, DEVICE_LIFE);
  return known;
}

interface DeviceCookie {
  readonly id: string;
  readonly mark: string;
}

/** The cookie of this account; null if there is none. */
async function readCookie(t: RequestTools, scope: DeviceScope, account: string): Promise<DeviceCookie | null> {
  const { id, account: of, mark = "" } = (await t.cookies.read(COOKIES[scope])) ?? {};
  return id === undefined || of !== (await t.permanentKey(scope, account)) ? null : { id, mark };
}

async function readDevices(t: Tools, store: Store, scope: DeviceScope, account: string) {
  const keys = await Promise.all([markKey(t, scope, account), listKey(t, scope, account)]);
  const [mark, list = null] = await Promise.all(keys.map((key) => store.get(key)));
  return { mark: mark ?? "", list };
}

function isKnown(cookie: DeviceCookie, mark: string, list: string | null): boolean {
  return cookie.mark === mark && parseIds(list).includes(cookie.id);
}

/**
 * Forgets all devices of an account, for example after a password reset, whatever spelling of its name they were remembered
 * for.
 */
export async function forgetDevices(t: Tools, scope: DeviceScope, account: string): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  await store.set(await markKey(t, scope, account), t.randomId(), { ttl: MARK_LIFE });
  const key = await listKey(t, scope, account);
  await retryChange(async () => {
    const text = await store.get(key);
    return (await store.swap(key, text, JSON.stringify([]), { ttl: DEVICE_LIFE })) || undefined;
  }, LIST);
}

const LIST = "The list of known devices";

/** One mark for all spellings of a name: it changes when the devices of a name are forgotten. */
function markKey(t: Tools, scope: DeviceScope, account: string): Promise<string> {
  return t.permanentKey(MARKS[scope], scope === "user" ? account : foldName(account));
}

/** By exact name: a stranger whose name only resembles it must not displace the owner's devices. */
function listKey(t: Tools, scope: DeviceScope, account: string): Promise<string> {
  return t.permanentKey(LISTS[scope], account);
}

function parseIds(text: string | null): readonly string[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
}
