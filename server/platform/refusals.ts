import type { ErrorCode } from '#contract/errors.ts';
import type { RefusedPerson } from '#contract/people-sets.ts';
import { AppError } from './errors.ts';

/** Why an act upon a person is not possible. One rule says it for the act upon one person and for that upon many. */
export interface Refusal {
  code: ErrorCode;
  /** The sentence for the act upon this person alone. */
  detail: string;
  /** The words for a list of people, without the person's name. */
  inList: string;
}

export interface NamedPerson {
  id: string;
  firstName: string;
  lastName: string;
}

/**
 * Parts the people for whom an act is possible from the others. An id without a person is one who is gone. The order
 * is that of the ids, and an id that is named twice counts once.
 */
export function partPeople<Person extends NamedPerson>(
  ids: readonly string[],
  found: readonly Person[],
  refusalOf: (person: Person) => Refusal | null,
): { open: Person[]; refused: RefusedPerson[] } {
  const byId = new Map(found.map((person) => [person.id, person]));
  const open: Person[] = [];
  const refused: RefusedPerson[] = [];
  for (const id of new Set(ids.map((each) => each.toLowerCase()))) {
    const person = byId.get(id);
    const refusal = person ? refusalOf(person) : null;
    if (person && !refusal) open.push(person);
    else {
      const name = person ? fullNameOf(person) : 'Somebody';
      refused.push({ id, name, reason: refusal?.inList ?? 'No longer there' });
    }
  }
  return { open, refused };
}

export function throwRefusal(refusal: Refusal | null): void {
  if (refusal) throw new AppError(refusal.code, refusal.detail);
}

export function fullNameOf({ firstName, lastName }: Pick<NamedPerson, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}
