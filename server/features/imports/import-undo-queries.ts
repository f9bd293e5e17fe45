import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readImport } from '#contract/import-results.ts';
import type { Db } from '#server/db/database.ts';

/** What an undo would take away, and which of these people have been here already. */
export type Presence = Omit<ReplyOf<typeof readImport>['undo'], 'refusal'> & {
  /** The first people who have been here. */
  names: string[];
  beenHere: number;
};

interface UploadToUndo {
  hasEnded: boolean;
  undoneAt: unknown;
  successfulRecords: number;
}

const namedAtMost = 10;

/** A person has been here after accepting, choosing a password, signing in or coming by another way. */
export async function findPresence(db: Db, importId: string): Promise<Presence> {
  const found = await sql<Presence>`
    with person as (
      select profiles.id, full_name, role, row_number,
        exists (select from auth.account where user_id = profiles.id)
          or exists (select from auth.session where user_id = profiles.id)
          or exists (select from auth."user" sign_in where sign_in.id = profiles.id and email_verified)
          or exists (select from invitations where user_id = profiles.id and accepted_at is not null) as has_been_here
      from bulk_import_rows row join profiles on profiles.id = row.user_id
      where row.import_id = ${importId} and deleted_at is null
    )
    select count(*)::int as accounts,
      count(*) filter (where role = 'participant')::int as participants,
      count(*) filter (where role = 'coach')::int as coaches,
      count(*) filter (where role = 'admin')::int as admins,
      count(*) filter (where has_been_here)::int as been_here,
      (select count(*)::int from cohort_participants where status = 'active' and participant_id in (select id from person))
        as places,
      (select count(distinct user_id)::int from user_courses
        where status = 'enrolled' and coach_id in (select id from person) and user_id not in (select id from person))
        as left_without_coach,
      coalesce((array_agg(full_name order by row_number) filter (where has_been_here))
        [:${namedAtMost}::int], '{}') as names
    from person`.execute(db);
  const [presence] = found.rows;
  // Stryker disable next-line CallExpression,ConditionalExpression,StringLiteral: The statement always has one row.
  if (!presence) throw new Error('A count has one row.');
  return presence;
}

/** The reason why an upload cannot be undone, or null if it can. */
export function refusalOfUndo(
  { hasEnded, undoneAt, successfulRecords }: UploadToUndo,
  { accounts, beenHere, names }: Pick<Presence, 'accounts' | 'beenHere' | 'names'>,
): string | null {
  if (!hasEnded) return 'This import is still running. It can be undone when it has ended.';
  if (undoneAt !== null) return 'This import was undone already.';
  if (beenHere > 0) {
    const others = beenHere > names.length ? ` and ${beenHere - names.length} more` : '';
    const verb = beenHere === 1 ? 'has' : 'have';
    return `${names.join(', ')}${others} ${verb} accepted the invitation or signed in, so the import stays. Remove people one by one in User Management.`;
  }
  if (successfulRecords === 0) return 'This import added nobody.';
  return accounts === 0 ? 'Everybody of this import has been removed already.' : null;
}
