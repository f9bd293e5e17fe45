import { useSuspenseQuery } from '@tanstack/react-query';
import { readSession, type SignedInUser } from '#contract/accounts.ts';
import { queryClient, queryFor } from './query-for.ts';

const sessionQuery = { ...queryFor(readSession), staleTime: 60_000, refetchInterval: 120_000 };

/** AUTH-44 */
const toleratedSkewInMs = 120_000;
let serverAheadInMs = 0;

export function useSession() {
  return useSuspenseQuery(sessionQuery).data;
}

/** The signed-in person; only screens behind the guard ask. */
export function useSignedInUser(): SignedInUser {
  const { user } = useSession();
  if (!user) throw new Error('A screen behind the guard was rendered without a session.');
  return user;
}

export function fetchSession() {
  return queryClient.ensureQueryData(sessionQuery);
}

/** Reads the session anew, after a sign-in, a sign-out, or when the server says there is none. */
export function refetchSession() {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Notes how far the device's clock is off; true when it is off by more than two minutes. */
export function noteServerTime(serverTime: string): boolean {
  serverAheadInMs = Date.parse(serverTime) - Date.now();
  return Math.abs(serverAheadInMs) > toleratedSkewInMs;
}

/** The present instant by the server's clock where the device's is off (AUTH-44). */
export function serverNow(): Date {
  const correction = Math.abs(serverAheadInMs) > toleratedSkewInMs ? serverAheadInMs : 0;
  return new Date(Date.now() + correction);
}

const holdKey = 'switchyard.set-password';

/**
 * ROUTE-04: a signed-in person who came by a set-password link stays on that page until the password is set or they
 * sign out; also after a reload, so the hold keeps the link's part of the address.
 */
export function holdForPassword(linkHash: string): void {
  sessionStorage.setItem(holdKey, linkHash.replace(/^#/, ''));
}

export function endPasswordHold(): void {
  sessionStorage.removeItem(holdKey);
}

/** The hash of the set-password address that the person is held on, or null. */
export function heldPasswordLink(): string | null {
  return sessionStorage.getItem(holdKey);
}
