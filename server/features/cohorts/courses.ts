import type { z } from 'zod';
import type { CourseFacts } from '#contract/programme-setup.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { changed } from '#server/platform/telling.ts';

type Facts = z.output<typeof CourseFacts>;

export async function createCourse(db: Db, actor: Actor, { title, trackType }: Facts) {
  const id = newId();
  await db.insertInto('courses').values({ id, title, trackType }).execute();
  await changed(db, 'training', []);
  await audit(db, actor.id, { action: 'course.create', ...subject(id), after: { title, trackType } });
  return { id };
}

/** The course's track stays, because people were enrolled for it. */
export async function updateCourse(db: Db, actor: Actor, id: string, given: Facts & { version: number }) {
  const before = await lockCourse(db, id);
  const { title, trackType, isArchived, version } = given;
  refuseOvertaken(before.version, version, 'course');
  const enrolments = await countEnrolments(db, id);
  if (trackType !== before.trackType && enrolments > 0) {
    const message = `${enrolments.toLocaleString('en-US')} people are or were enrolled in this course, so its track cannot change.`;
    throw new AppError('conflict', message, { errors: [{ path: 'trackType', message }] });
  }
  const archivedAt = isArchived ? (before.archivedAt ?? now()) : null;
  await db
    .updateTable('courses')
    .set((row) => ({ title, trackType, archivedAt, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  await changed(db, 'training', []);
  await audit(db, actor.id, {
    action: 'course.update',
    ...subject(id),
    before: { title: before.title, trackType: before.trackType, isArchived: before.archivedAt !== null },
    after: { title, trackType, isArchived },
  });
  return { id };
}

export async function deleteCourse(db: Db, actor: Actor, id: string) {
  const before = await lockCourse(db, id);
  const enrolments = await countEnrolments(db, id);
  if (enrolments > 0) {
    throw new AppError(
      'conflict',
      `${enrolments.toLocaleString('en-US')} people are or were enrolled in this course: archive it instead.`,
    );
  }
  await db.deleteFrom('courses').where('id', '=', id).execute();
  const { title, trackType } = before;
  await changed(db, 'training', []);
  await audit(db, actor.id, { action: 'course.delete', ...subject(id), before: { title, trackType } });
  return { done: true as const };
}

/** Until the transaction ends, nobody is enrolled in it. */
async function lockCourse(db: Db, id: string) {
  const course = await db.selectFrom('courses').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!course) throw notFound('This course no longer exists. Somebody may have deleted it.');
  return course;
}

async function countEnrolments(db: Db, courseId: string): Promise<number> {
  const { n } = await db
    .selectFrom('userCourses')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('courseId', '=', courseId)
    .executeTakeFirstOrThrow();
  return n;
}

function subject(id: string) {
  return { subjectType: 'course', subjectId: id };
}
