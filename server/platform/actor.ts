import type { FastifyRequest } from 'fastify';
import type { Role, TrackType } from '#contract/roles.ts';

/** The signed-in person, as stored at the moment of the request (SEC-03). */
export interface Actor {
  id: string;
  role: Role;
  trackType: TrackType | null;
  email: string;
  firstName: string;
  lastName: string;
  sessionId: string;
}

/** How sure the session is of the person. */
export interface Assurance {
  /** aal2 means that the person gave the second factor in this session. */
  level: 'aal1' | 'aal2';
  provedAt: Date;
  /**
   * The person's role needs a second factor and has none. Until it is set up, only the person's own account is open.
   */
  mustSetUpSecondFactor: boolean;
  /** The end of the days that the person still has to set up the second factor. */
  secondFactorDueAt: Date | null;
  /** Somebody else chose the password. Until the person changes it, nothing else is open. */
  mustChangePassword: boolean;
}

/** The sender of a request. `pending` has signed in without the second factor yet, and counts as nobody until then. */
export interface Identity {
  actor: Actor | null;
  pending: Actor | null;
  assurance: Assurance | null;
  /** Where the primary's log was when the sender was looked up. Only kept where there is a replica. */
  logPosition: string | null;
}

export const nobody: Identity = { actor: null, pending: null, assurance: null, logPosition: null };

/** What the platform asks of sessions. */
export interface Sessions {
  /**
   * Finds the sender by session cookie or bearer token. Only an answer that can carry a cookie may prolong the session.
   * A stream that prolonged it would make it outlive the browser's cookie.
   */
  identify(request: FastifyRequest, options?: { mayProlong?: boolean }): Promise<Identity>;
  /** True while the session opens what it did, even under a newer token than its first. */
  isOpen(sessionId: string): Promise<boolean>;
}
