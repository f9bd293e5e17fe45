import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { changeOwnNames } from '#contract/own-details.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { changed } from '#server/platform/telling.ts';

/** AUTH-60: changes the names in the profile, and in the sign-in in case the profile has to be made again. */
export async function changeNames(
  db: Db,
  actor: Actor,
  given: ParsedInputOf<typeof changeOwnNames>['body'],
): Promise<ReplyOf<typeof changeOwnNames>> {
  const names = { firstName: given.firstName ?? actor.firstName, lastName: given.lastName ?? actor.lastName };
  await sql`
    with profile as (
      update profiles set first_name = ${names.firstName}, last_name = ${names.lastName} where id = ${actor.id}
    )
    update auth."user" set first_name = ${names.firstName}, last_name = ${names.lastName},
      name = trim(${`${names.firstName} ${names.lastName}`}), updated_at = now()
    where id = ${actor.id}`.execute(db);
  await audit(db, actor.id, { action: 'name.change', subjectType: 'user', subjectId: actor.id });
  await changed(db, 'people', [actor.id]);
  return names;
}
