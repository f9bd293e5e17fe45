import { z } from 'zod';
import { Id } from './endpoint.ts';

/** An act upon several people takes at most so many. */
export const mostPeopleAtOnce = 1000;

export const PeopleIds = z
  .array(Id)
  .min(1, 'Please select at least one person')
  .max(mostPeopleAtOnce, `At most ${mostPeopleAtOnce.toLocaleString('en-US')} people can be selected at once`);

/** A person for whom the act is not possible. The reason is without the name, so that equal ones stand together. */
export const RefusedPerson = z.object({ id: Id, name: z.string(), reason: z.string() });
export type RefusedPerson = z.infer<typeof RefusedPerson>;

/** What an act upon several people would do now. The act takes `ready`, so nobody else is touched. */
export const PeoplePreview = z.object({ ready: z.array(Id), refused: z.array(RefusedPerson) });
export type PeoplePreview = z.infer<typeof PeoplePreview>;
