const holdKey = 'switchyard.set-password';

/**
 * ROUTE-04: a signed-in person who came by a set-password link stays on that page until they set the password or sign
 * out. This survives a reload, so the hold keeps the link's part of the address.
 */
export function holdForPassword(linkHash: string): void {
  sessionStorage.setItem(holdKey, linkHash);
}

export function endPasswordHold(): void {
  sessionStorage.removeItem(holdKey);
}

/** The hash of the set-password address that holds the person, or null. */
export function heldPasswordLink(): string | null {
  return sessionStorage.getItem(holdKey);
}
