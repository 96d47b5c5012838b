/** The name of the channel on which tabs tell each other of sign-ins and sign-outs. */
const CHANNEL = "cardea";

/** The message that says: the session is another one now, ask the server. A boolean only tells what a tab sees. */
export const CHANGED = null;

/** Opens the channel; undefined in the few browsers without it. */
export function openChannel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === "function" ? new BroadcastChannel(CHANNEL) : undefined;
}

/**
 * Says that the session has changed; what it returns is awaited.
 *
 * @param stays whether the page is here to see it.
 */
export type Announce = (stays: boolean) => unknown;

/** Tells every session store of this browser that the session has changed. */
export function announceChange(): void {
  const channel = openChannel();
  channel?.postMessage(CHANGED);
  channel?.close();
}
