/** The name of the channel on which tabs notify each other of sign-ins and sign-outs. */
const CHANNEL = "cardea";

/** The message after a change: fetch the session again. A boolean only reports a tab's state. */
export const CHANGED = null;

/** Opens the channel; undefined in browsers without it, and in Firefox if the user blocks cookies: there it throws. */
export function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return undefined;
  }
}

/**
 * Announces that the session has changed; the result is awaited.
 *
 * @param stays whether the page will still be open.
 */
export type Announce = (stays: boolean) => unknown;

/**
 * Notifies every session store in this browser that the session has changed.
 *
 * @param own the channel of the store that changed it, which is not notified. Absent: none, or it is closed already.
 */
export function announceChange(own?: BroadcastChannel): void {
  const channel = own ?? openChannel();
  channel?.postMessage(CHANGED);
  if (own === undefined) channel?.close();
}
