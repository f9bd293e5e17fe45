import type { Actor } from './actor.ts';
import { AppError } from './errors.ts';

/**
 * The refusal if a person decides on, pays, rates or reviews something of their own, whatever role they have by now.
 * The triggers that call `refuse_own` enforce the same.
 */
export function ownRefusal(actor: Pick<Actor, 'id'>, ownerId: string): AppError | null {
  return actor.id === ownerId
    ? new AppError('forbidden', 'This is your own. Somebody else has to decide about it.')
    : null;
}
