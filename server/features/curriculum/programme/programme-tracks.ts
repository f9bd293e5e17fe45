import type { z } from 'zod';
import type { TrackFacts } from '#contract/programme-setup.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { refuseTaken } from '#server/platform/taken-names.ts';
import { changed } from '#server/platform/telling.ts';

type Facts = z.output<typeof TrackFacts>;

export async function createTrack(db: Db, actor: Actor, facts: Facts) {
  await requireLength(db, facts);
  const id = newId();
  await db
    .insertInto('specializationTracks')
    .values({ id, ...facts })
    .execute()
    .catch(refuseTaken(takenWords(facts.name), 'name'));
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, { action: 'track.create', ...subject(id), after: facts });
  return { id };
}

/** A person who has chosen a track keeps it, even if it is no longer offered. */
export async function updateTrack(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...after }: Facts & { version: number },
) {
  const before = await lockTrack(db, id);
  refuseOvertaken(before.version, version, 'track');
  await requireLength(db, after);
  await db
    .updateTable('specializationTracks')
    .set((row) => ({ ...after, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken(takenWords(after.name), 'name'));
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, { action: 'track.update', ...subject(id), before: factsOf(before), after });
  return { id };
}

export async function deleteTrack(db: Db, actor: Actor, id: string) {
  const before = await lockTrack(db, id);
  const { modules, selections } = await db
    .selectNoFrom(({ selectFrom, fn }) => [
      selectFrom('courseModules')
        .select(fn.countAll<number>().as('n'))
        .where('specializationTrackId', '=', id)
        .$asScalar()
        .$notNull()
        .as('modules'),
      selectFrom('trackSelections')
        .select(fn.countAll<number>().as('n'))
        .where('specializationTrackId', '=', id)
        .$asScalar()
        .$notNull()
        .as('selections'),
    ])
    .executeTakeFirstOrThrow();
  if (modules + selections > 0) {
    throw new AppError(
      'conflict',
      `${selections.toLocaleString('en-US')} people have chosen this track, and it has ${modules} modules: stop offering it instead.`,
    );
  }
  await db.deleteFrom('specializationTracks').where('id', '=', id).execute();
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, { action: 'track.delete', ...subject(id), before: factsOf(before) });
  return { done: true as const };
}

/** A track lasts no longer than the longest programme. */
async function requireLength(db: Db, { durationWeeks }: Facts): Promise<void> {
  const { weeks } = await db
    .selectFrom('programmes')
    .select(({ fn }) => fn.max('weeks').as('weeks'))
    .executeTakeFirstOrThrow();
  if (durationWeeks <= weeks) return;
  const message = `At most ${weeks} weeks.`;
  throw new AppError('invalid_input', message, { errors: [{ path: 'durationWeeks', message }] });
}

/** Until the transaction ends, nobody chooses it. */
async function lockTrack(db: Db, id: string) {
  const track = await db
    .selectFrom('specializationTracks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!track) throw notFound('This track no longer exists. Somebody may have deleted it.');
  return track;
}

function takenWords(name: string): string {
  return `There is a track named ${name} already.`;
}

function factsOf({ name, description, durationWeeks, isActive }: Facts): Facts {
  return { name, description, durationWeeks, isActive };
}

function subject(id: string) {
  return { subjectType: 'track', subjectId: id };
}
