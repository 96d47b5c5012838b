/** A domain that never exists (RFC 6761 §6.4). */
const REMOVED_DOMAIN = "removed.invalid";

/**
 * Replaces the address of a user from whom it was removed, in tables that require one. No e-mail is ever sent to it, and no
 * sign-in matches it.
 */
export function removedAddressOf(userId: string): string {
  return `${userId}@${REMOVED_DOMAIN}`;
}

/** Whether an address is such a placeholder. */
export function isRemovedAddress(address: string): boolean {
  return address.toLowerCase().endsWith(`@${REMOVED_DOMAIN}`);
}
