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
  const { id, account: of, mark = "" } = (await t.cookies.read(COOKIES[scope])) ?? {};
  if (id === undefined || of !== (await t.permanentKey(scope, account))) return undefined;
  try {
    const { store } = t;
    if (store === undefined || mark !== (await markOf(t, store, scope, account))) return undefined;
    return parseIds(await store.get(await listKey(t, scope, account))).includes(id) ? id : undefined;
  } catch (error) {
    t.logger.warn(`attempts-devices-unavailable: known devices are identified by their cookie only: ${String(error)}`);
    return id;
  }
}

/** Remembers the device of a browser for an account. */
export async function rememberDevice(t: RequestTools, scope: DeviceScope, account: string): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  const id = (await findDevice(t, scope, account)) ?? t.randomId();
  // Read first: devices that are forgotten meanwhile include this one.
  const mark = await markOf(t, store, scope, account);
  await changeIds(store, await listKey(t, scope, account), (ids) =>
    [...ids.filter((one) => one !== id), id].slice(-MAX_DEVICES),
  );
  await t.cookies.write(COOKIES[scope], { id, mark, account: await t.permanentKey(scope, account) }, DEVICE_LIFE);
}

/**
 * Forgets all devices of an account, for example after a password reset, whatever spelling of its name they were remembered
 * for.
 */
export async function forgetDevices(t: Tools, scope: DeviceScope, account: string): Promise<void> {
  const { store } = t;
  if (store === undefined) return;
  await store.set(await markKey(t, scope, account), t.randomId(), { ttl: MARK_LIFE });
  await changeIds(store, await listKey(t, scope, account), () => []);
}

/** Changes when the devices of a name are forgotten; empty if they never were. */
async function markOf(t: Tools, store: Store, scope: DeviceScope, account: string): Promise<string> {
  return (await store.get(await markKey(t, scope, account))) ?? "";
}

/** One mark for all spellings of a name. */
function markKey(t: Tools, scope: DeviceScope, account: string): Promise<string> {
  return t.permanentKey(MARKS[scope], scope === "user" ? account : foldName(account));
}

/** By exact name: a stranger whose name only resembles it must not displace the owner's devices. */
function listKey(t: Tools, scope: DeviceScope, account: string): Promise<string> {
  return t.permanentKey(LISTS[scope], account);
}

async function changeIds(
  store: Store,
  key: string,
  change: (ids: readonly string[]) => readonly string[],
): Promise<void> {
  await retryChange(async () => {
    const text = await store.get(key);
    return (await store.swap(key, text, JSON.stringify(change(parseIds(text))), { ttl: DEVICE_LIFE })) || undefined;
  }, "The list of known devices");
}

function parseIds(text: string | null): readonly string[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
}
