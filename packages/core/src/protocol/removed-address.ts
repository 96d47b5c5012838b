/** A domain that never exists (RFC 6761 §6.4). */
const REMOVED_DOMAIN = "removed.invalid";

/**
 * What stands in for the address of a user from whom it was taken, in tables that require one. Nothing is ever mailed to it,
 * and no sign-in matches it.
 */
export function removedAddressOf(userId: string): string {
  return `${userId}@${REMOVED_DOMAIN}`;
}

/** Whether an address is such a stand-in. */
export function isRemovedAddress(address: string): boolean {
  return address.toLowerCase().endsWith(`@${REMOVED_DOMAIN}`);
}
