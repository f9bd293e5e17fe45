import { useSuspenseQuery } from '@tanstack/react-query';
import { readSession, type SignedInUser, signOut } from '#contract/accounts.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { houseZone } from '#contract/house-zone.ts';
import { ApiError } from './api-error.ts';
import { call } from './call.ts';
import { queryClient, queryFor } from './query-for.ts';
import { showTimesIn } from './shown-zone.ts';
import { answerSignIn, isSignedInAgain } from './sign-in-again.ts';

/** AUTH-44 */
const toleratedSkewInMs = 120_000;
let serverAheadInMs = 0;

/**
 * An answer may cross with an act that gives the session another token, as turning on a second factor does. So the
 * session is read again up to this many times before the person is asked to sign in. The last time is after this pause.
 */
const crossedAnswers = 2;
const crossingInMs = 500;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Session = ResponseOf<typeof readSession>;

/**
 * AUTH-48: stands in for a session that could not be read. Nobody is signed in, and only screens for everybody show it.
 */
const unreadSession: Session = {
  user: null,
  awaitsSecondFactor: false,
  mustSetUpSecondFactor: false,
  secondFactorDueAt: null,
  mustChangePassword: false,
  assuranceLevel: null,
  deviceKey: null,
  expiresAt: null,
  serverTime: new Date(0).toISOString(),
  zone: houseZone,
  unreadMessages: 0,
  unreadNotices: 0,
  instance: { isDemo: false, demoPassword: null, demoAccounts: [], signInProviders: [], grantsChosenRole: false },
};

const sessionQuery = {
  ...queryFor(readSession),
  queryFn: async () => {
    let session = await call(readSession);
    for (let tries = 0; !session.user && isSessionMissed() && tries < crossedAnswers; tries += 1) {
      await pause(crossingInMs * tries);
      session = await call(readSession);
    }
    // The live stream may report the end before the sign-out is answered. Only the answer tells who left, and where.
    const former = queryClient.getQueryData(queryFor(readSession).queryKey);
    if (!session.user && former && isSigningOut() && !isLeaving) return former;
    // The screen keeps everything typed until the person signs in again or declines.
    if (!session.user && isSessionMissed()) {
      if (await isSignedInAgain()) session = await call(readSession);
      else isGivenUp = true;
    }
    serverAheadInMs = Date.parse(session.serverTime) - Date.now();
    // A server of the version before, which still answers while it is replaced, says none.
    showTimesIn(session.zone ?? houseZone);
    return session;
  },
  staleTime: 60_000,
  refetchInterval: ({ state }: { state: { data?: Session } }) => (state.data === unreadSession ? 3_000 : 120_000),
  refetchOnWindowFocus: 'always' as const,
};

const otherTabs = new BroadcastChannel('switchyard.session');
otherTabs.addEventListener('message', ({ data: { facts, isLeft } }) => {
  if (isLeft) {
    signedOutId = knownUserId ?? null;
    answerSignIn(false);
  }
  if (facts !== knownFacts) void queryClient.invalidateQueries({ queryKey: [readSession.name] });
});

let knownUserId: string | null | undefined;
/** The part of the session that all tabs of the browser share (AUTH-40). */
let knownFacts: string | undefined;
/** The person who signed out, in this tab or another, until somebody signs in. */
let signedOutId: string | null = null;
/** The person declined to sign in again. A read of the session that was still under way does not ask a second time. */
let isGivenUp = false;

/**
 * All data of the former person goes before anything is drawn for the new one. Other tabs then read the session too.
 */
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || query.queryKey[0] !== readSession.name || query.state.status !== 'success') return;
  const session = query.state.data as Session;
  if (session === unreadSession) return;
  const { user, awaitsSecondFactor, assuranceLevel, expiresAt } = session;
  const { mustSetUpSecondFactor, secondFactorDueAt, mustChangePassword } = session;
  const facts = JSON.stringify([
    ...[user, awaitsSecondFactor, assuranceLevel, expiresAt],
    ...[mustSetUpSecondFactor, secondFactorDueAt, mustChangePassword],
  ]);
  if (user) isGivenUp = false;
  if (knownFacts === facts) return;
  knownFacts = facts;
  const userId = user?.id ?? null;
  if (knownUserId && knownUserId !== userId) {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== readSession.name });
  }
  knownUserId = userId;
  if (userId) signedOutId = null;
  // Only the tab that signs out says this. From a tab that follows, it could arrive after the next sign-in.
  otherTabs.postMessage({ facts, isLeft: isLeaving && isLeftEverywhere && userId === null });
});

/** The only screen open to a person who must do something first. Null for everybody else. */
export function requiredPlace({ mustChangePassword, mustSetUpSecondFactor }: Session) {
  if (mustChangePassword) return '/change-password' as const;
  return mustSetUpSecondFactor ? ('/account/security' as const) : null;
}

export function useSession() {
  return useSuspenseQuery(sessionQuery).data;
}

/** Only screens behind the guard may call this. */
export function useSignedInUser(): SignedInUser {
  const { user } = useSession();
  if (!user) throw new Error('A screen behind the guard was rendered without a session.');
  return user;
}

/** Throws if the session cannot be read. A person who may be signed in is not told that they are not. */
export function fetchSession(): Promise<Session> {
  const isUnread = queryClient.getQueryData(sessionQuery.queryKey) === unreadSession;
  return isUnread ? refetchSession() : queryClient.ensureQueryData(sessionQuery);
}

/** AUTH-48: for screens that open to everybody. Nobody is signed in there until the server answers. */
export async function fetchSessionOrNobody(): Promise<Session> {
  const known = queryClient.getQueryData(sessionQuery.queryKey);
  if (known) return known;
  try {
    return await fetchSession();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    queryClient.setQueryData(sessionQuery.queryKey, unreadSession);
    return unreadSession;
  }
}

/** True until the server has said who is signed in (AUTH-48). */
export function useIsSessionUnread(): boolean {
  return useSession() === unreadSession;
}

/** Reads the session again after a sign-in or a sign-out, or when the server says that there is none. */
export async function refetchSession(): Promise<Session> {
  // An answer that is still on its way may be older than the sign-in or sign-out.
  await queryClient.cancelQueries({ queryKey: [readSession.name] });
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

let isLeaving = false;
let isLeftEverywhere = true;

interface KeptOfPerson {
  /** What signing out would lose, in words, because only this browser has it. */
  lost: (userId: string) => string[];
  forget: (userId: string) => void;
}
const kept = new Set<KeptOfPerson>();

/** Registers what else this browser keeps of a person. Every way to sign out forgets it. */
export function whenLeaving(ofPerson: KeptOfPerson): void {
  kept.add(ofPerson);
}

/** Lists what only this browser has of the signed-in person. Signing out would lose it. */
export function lostByLeaving(): string[] {
  const userId = knownUserId;
  return userId ? [...kept].flatMap(({ lost }) => lost(userId)) : [];
}

/**
 * Runs after the server ended the session at the person's wish. First everything of theirs goes, then `goOn` leads
 * away. Other tabs show nothing either. With `otherTabsAsk` they ask to sign in again instead, and keep what was typed.
 */
export async function leaveSession(goOn: () => Promise<unknown>, { otherTabsAsk = false } = {}): Promise<void> {
  const leaverId = knownUserId;
  isLeaving = true;
  isLeftEverywhere = !otherTabsAsk;
  try {
    if (leaverId && !otherTabsAsk) {
      signedOutId = leaverId;
      for (const { forget } of kept) forget(leaverId);
    }
    await refetchSession();
    await goOn();
  } finally {
    isLeaving = false;
  }
}

/**
 * True if somebody is signed in right now. If the session has ended meanwhile, the person is asked to sign in again.
 */
export async function isSessionAlive(): Promise<boolean> {
  const { user } = await call(readSession);
  if (!user) void queryClient.invalidateQueries({ queryKey: [readSession.name] });
  return user !== null;
}

/** True if the session ended without the person's wish. */
function isSessionMissed(): boolean {
  return Boolean(knownUserId) && !isSigningOut() && !isLeaving && signedOutId === null && !isGivenUp;
}

function isSigningOut(): boolean {
  return queryClient.isMutating({ mutationKey: [signOut.name] }) > 0;
}

/** The person who signed out last, if nobody has signed in since. This browser keeps nothing of theirs any more. */
export function whoSignedOut(): string | null {
  return signedOutId;
}

/** True if the session is missing because the person is signing out just now. */
export function isLeavingSession(): boolean {
  return isLeaving;
}

/**
 * True if the device's clock differed from the server's by more than two minutes when the session was read (AUTH-44).
 */
export function isClockOff(): boolean {
  return Math.abs(serverAheadInMs) > toleratedSkewInMs;
}

/**
 * In ms since 1970. Uses the server's clock if the device's is off. Everything that begins or ends for a person goes by
 * it.
 */
export function serverNow(): number {
  return Date.now() + (isClockOff() ? serverAheadInMs : 0);
}
