import { type RequestTools, retryChange, type Seconds, type Store, type Tools } from "@cardea/extend";
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
const LISTS = { account: "devices", user: "factor-devices" } as const;

/** Longer than the life of a device, so that no device outlives the mark that made it unknown. */
const MARK_LIFE: Seconds = DEVICE_LIFE + 24 * 60 * 60;

/**
 * The device of a browser, if this account was signed in to on it and has not forgotten it, and the epoch of its user is still the same. Its
 * attempts have a separate limit, which unknown browsers cannot exhaust.
 *
 * While the store is unavailable, only the encrypted cookie is checked.
 */
export async function findDevice(t: RequestTools, scope: DeviceScope, account: string): Promise<string | undefined> {
  const { store } = t;
  const cookie = await readCookie(t, scope, account);
  if (store === undefined || cookie === null) return undefined;
  try {
    const owner = cookie.user ?? (await userNamed(t, account));
    const [devices, epoch] = await Promise.all([readDevices(t, store, scope, account), epochOf(t, owner)]);
    return isKnown(cookie, devices, epoch) ? cookie.id : undefined;
  } catch (error) {
    t.logger.warn("attempts-devices-unavailable: known devices are identified by their cookie only:", error);
    return cookie.id;
  }
}

/**
 * Remembers the device of a browser for an account.
 *
 * @param userId Whose account it is; unknown where an application gives its users no ids.
 * @returns the device, if it was known before.
 */
export async function rememberDevice(
  t: RequestTools,
  scope: DeviceScope,
  account: string,
  userId = "",
): Promise<string | undefined> {
  const { store } = t;
  if (store === undefined) return undefined;
  const cookie = await readCookie(t, scope, account);
  const epoch = await epochOf(t, userId);
  const fresh = t.randomId();
  const { known, mark } = await retryChange(async () => {
    // Both at the same time: devices that are forgotten meanwhile include this one.
    const devices = await readDevices(t, store, scope, account);
    const found = cookie !== null && isKnown(cookie, devices, epoch) ? cookie.id : undefined;
    const id = found ?? fresh;
    const ids = [...parseIds(devices.list).filter((one) => one !== id), id].slice(-MAX_DEVICES);
    const key = await listKey(t, scope, account);
    const isDone = await store.swap(key, devices.list, JSON.stringify(ids), { ttl: DEVICE_LIFE });
    return isDone ? { known: found, mark: devices.mark } : undefined;
  }, LIST);
  const of = await t.permanentKey(scope, account);
  const written = { id: known ?? fresh, mark, account: of, user: userId, epoch: String(epoch) };
  await t.cookies.write(COOKIES[scope], written, DEVICE_LIFE);
  return known;
}

interface DeviceCookie {
  readonly id: string;
  readonly mark: string;
  /** Empty if unknown; absent in cookies of earlier versions. */
  readonly user: string | undefined;
  readonly epoch: number;
}

/** The cookie of this account; null if there is none. */
async function readCookie(t: RequestTools, scope: DeviceScope, account: string): Promise<DeviceCookie | null> {
  const { id, account: of, mark = "", user, epoch = 0 } = (await t.cookies.read(COOKIES[scope])) ?? {};
  if (id === undefined || of !== (await t.permanentKey(scope, account))) return null;
  return { id, mark, user: scope === "user" ? account : user, epoch: Number(epoch) };
}

interface Devices {
  readonly mark: string;
  readonly list: string | null;
}

async function readDevices(t: Tools, store: Store, scope: DeviceScope, account: string): Promise<Devices> {
  const keys = await Promise.all([listKey(t, scope, account), ...(scope === "user" ? [] : [markKey(t, account)])]);
  const [list = null, mark] = await Promise.all(keys.map((key) => store.get(key)));
  return { mark: mark ?? "", list };
}

/** Whether a device has neither been forgotten, nor ended with the epoch of its user. */
function isKnown({ id, ...cookie }: DeviceCookie, { mark, list }: Devices, epoch: number): boolean {
  return cookie.mark === mark && cookie.epoch >= epoch && parseIds(list).includes(id);
}

async function epochOf(t: Tools, userId: string): Promise<number> {
  return userId === "" ? 0 : t.epoch(userId).read();
}

/** The user whose e-mail address is the name of an account; empty if there is none. */
async function userNamed(t: Tools, account: string): Promise<string> {
  const isKept = account.includes("@") && t.adapterHas("getUserByEmail");
  const user = isKept ? await t.findUserByAddress(account) : null;
  // Databases may have other ids than texts.
  return user === null ? "" : String(user.id);
}

/** Forgets all devices of an account, whatever spelling of its name they were remembered for. */
export async function forgetDevices(t: Tools, scope: DeviceScope, account: string): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  if (scope === "account") await store.set(await markKey(t, account), t.randomId(), { ttl: MARK_LIFE });
  const key = await listKey(t, scope, account);
  await retryChange(async () => {
    const text = await store.get(key);
    return (await store.swap(key, text, JSON.stringify([]), { ttl: DEVICE_LIFE })) || undefined;
  }, LIST);
}

const LIST = "The list of known devices";

/** One mark for all spellings of a name: it changes when the devices of a name are forgotten. */
function markKey(t: Tools, account: string): Promise<string> {
  return t.permanentKey("devices-mark", foldName(account));
}

/** By exact name: a stranger whose name only resembles it must not displace the owner's devices. */
function listKey(t: Tools, scope: DeviceScope, account: string): Promise<string> {
  return t.permanentKey(LISTS[scope], account);
}

function parseIds(text: string | null): readonly string[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
}
