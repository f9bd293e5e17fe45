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
  /** aal2: the second factor was given in this session. */
  level: 'aal1' | 'aal2';
  /** When the person last proved in this session who they are. */
  provedAt: Date;
  /** The person's role needs a second factor and none is set up: until then only the own account is open. */
  mustSetUpSecondFactor: boolean;
  /** From when on that is so, where the person still has days for it. */
  secondFactorDueAt: Date | null;
  /** Somebody else chose the password: until it is changed nothing else is open. */
  mustChangePassword: boolean;
}

/** Who a request comes from; `pending` has signed in but not yet given the second factor, and is nobody until then. */
export interface Identity {
  actor: Actor | null;
  pending: Actor | null;
  assurance: Assurance | null;
}

export const nobody: Identity = { actor: null, pending: null, assurance: null };

/** What plumbing asks of sessions. */
export interface Sessions {
  /**
   * Who sends the request, by session cookie or bearer token. Only an answer that can carry a cookie may prolong the
   * session: prolonged by a stream, it would outlive the browser's cookie.
   */
  identify(request: FastifyRequest, options?: { mayProlong?: boolean }): Promise<Identity>;
  /** Whether the session still opens what it did, also by another token than that of its beginning. */
  isOpen(sessionId: string): Promise<boolean>;
}
