import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Audience, copyProgrammeFacts, updateProgramme as updateEndpoint } from '#contract/programmes.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { refuseTaken } from '#server/platform/taken-names.ts';
import { changed } from '#server/platform/telling.ts';
import { findProgramme, findUses } from './programme-queries.ts';

type Copy = ParsedInputOf<typeof copyProgrammeFacts>['body'];
type Edit = ParsedInputOf<typeof updateEndpoint>['body'];
type Facts = Edit['facts'];

/** The copy has all facts of the other one, and the rules that are in force there as a draft. A repeat makes no other. */
export async function copyProgramme(db: Db, actor: Actor, { id, sourceId, name }: Copy) {
  const source = await findProgramme(db, sourceId);
  const made = await sql`
    insert into programmes (id, name, weeks, first_weekday, days_per_week, zone, pay_period, holidays, kind_labels,
      paid_kinds, module_names)
    select ${id}, ${name}, weeks, first_weekday, days_per_week, zone, pay_period, holidays, kind_labels, paid_kinds,
      module_names
    from programmes where id = ${sourceId}
    on conflict (id) do nothing`
    .execute(db)
    .catch(refuseTaken(takenWords(name), 'name'));
  if (made.numAffectedRows === 0n) return { id };
  await sql`
    insert into programme_audiences (programme_id, label, kinds, place)
    select ${id}, label, kinds, place from programme_audiences where programme_id = ${sourceId}`.execute(db);
  await sql`
    insert into rule_sets (programme_id, version, rules, drafted_by, drafted_at)
    select ${id}, 1, rules || '{"version": 1}', ${actor.id}, ${now()} from rule_sets
    where programme_id = ${sourceId} and published_at is not null order by version desc limit 1`.execute(db);
  await changed(db, 'training', 'everybody');
  await audit(db, actor.id, {
    ...{ action: 'programme.create', subjectType: 'programme', subjectId: id },
    after: { name, source: source.name },
  });
  return { id };
}

/** What judged weeks rest on stays, and no week with attendance, ratings or stipends is cut off. */
export async function updateProgramme(db: Db, actor: Actor, id: string, { facts, isArchived, version }: Edit) {
  await db.selectFrom('programmes').select('id').where('id', '=', id).forUpdate().execute();
  const before = await findProgramme(db, id);
  refuseOvertaken(before.version, version, 'program');
  await refuseBrokenRules(db, before, facts);
  const { audiences, holidays, kindLabels, ...columns } = facts;
  await db
    .updateTable('programmes')
    .set((row) => ({
      ...columns,
      holidays: JSON.stringify(holidays),
      kindLabels: JSON.stringify(kindLabels),
      archivedAt: isArchived ? sql`coalesce(archived_at, ${now()})` : null,
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken(takenWords(facts.name), 'facts.name'));
  await writeAudiences(db, id, audiences);
  await changed(db, 'training', 'everybody');
  await changed(db, 'cohorts', 'everybody');
  await audit(db, actor.id, {
    ...{ action: 'programme.update', subjectType: 'programme', subjectId: id },
    ...{ before: factsOf(before, before.isArchived), after: factsOf(facts, isArchived) },
  });
  return { id };
}

async function refuseBrokenRules(db: Db, before: Facts & { id: string }, after: Facts): Promise<void> {
  const { timeStaysBecause, lastWeekInUse } = await findUses(db, before.id);
  const fixed = ['zone', 'payPeriod', 'daysPerWeek'] as const;
  const errors = [
    ...(timeStaysBecause === null ? [] : fixed.filter((name) => before[name] !== after[name])).map((name) => ({
      path: `facts.${name}`,
      message: `This stays: ${timeStaysBecause}`,
    })),
    ...(after.weeks >= lastWeekInUse
      ? []
      : [
          { path: 'facts.weeks', message: `Week ${lastWeekInUse} is in use, so at least ${lastWeekInUse} weeks stay.` },
        ]),
    ...(await keptAudiences(db, before, after)),
  ];
  const [first] = errors;
  if (first) throw new AppError('invalid_input', first.message, { errors });
}

/** An audience that activities are meant for stays. */
async function keptAudiences(db: Db, before: Facts, { audiences }: Facts) {
  const kept = new Set(audiences.map(({ key }) => key));
  const removed = before.audiences.flatMap(({ key }) => (key === null || kept.has(key) ? [] : [key]));
  const unknown = audiences.some(({ key }) => key !== null && !before.audiences.some((one) => one.key === key));
  if (unknown) return [{ path: 'facts.audiences', message: 'One of these audiences is not of this program.' }];
  if (removed.length === 0) return [];
  const { rows } = await sql<{ label: string; count: number }>`
    select audience.label, count(*)::integer as count from programme_audiences audience
    join training_activities activity on audience.key = any(activity.audiences)
    where audience.key = any(${removed}) group by audience.label order by audience.label`.execute(db);
  return rows.map(({ label, count }) => ({
    path: 'facts.audiences',
    message: `${label} stays: ${count === 1 ? '1 activity is' : `${count.toLocaleString('en-US')} activities are`} meant for it.`,
  }));
}

async function writeAudiences(db: Db, id: string, audiences: Audience[]): Promise<void> {
  const kept = audiences.flatMap(({ key }) => key ?? []);
  await sql`delete from programme_audiences where programme_id = ${id} and key <> all(${kept})`.execute(db);
  const rows = JSON.stringify(audiences.map((audience, index) => ({ ...audience, place: index + 1 })));
  await sql`
    insert into programme_audiences (key, programme_id, label, kinds, place)
    select coalesce(key, time_ordered_id()::text), ${id}, label, kinds, place
    from jsonb_to_recordset(${rows}::jsonb) as given (key text, label text, kinds text[], place integer)
    on conflict (key) do update set label = excluded.label, kinds = excluded.kinds, place = excluded.place
    where programme_audiences.programme_id = excluded.programme_id`.execute(db);
}

function takenWords(name: string): string {
  return `There is a program named ${name} already.`;
}

function factsOf({ name, weeks, firstWeekday, daysPerWeek, zone, payPeriod, paidKinds }: Facts, isArchived: boolean) {
  return { name, weeks, firstWeekday, daysPerWeek, zone, payPeriod, paidKinds, isArchived };
}
