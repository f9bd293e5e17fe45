import type { Actor } from './actor.ts';
import { AppError } from './errors.ts';

/**
 * Why this person can't decide on it, pay, rate or review it: it is their own, whatever role they have by now. The
 * triggers that call `refuse_own` hold the same.
 */
export function ownRefusal(actor: Pick<Actor, 'id'>, ownerId: string): AppError | null {
  return actor.id === ownerId
    ? new AppError('forbidden', 'This is your own. Somebody else has to decide about it.')
    : null;
}
