import type { Readable } from 'node:stream';
import { startsLikeFormula } from '#contract/csv.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { exportUsers, User } from '#contract/user-management.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { begunStream } from '#server/platform/begun-stream.ts';
import { findUsersInBatches } from './user-list-queries.ts';

type Filters = ParsedInputOf<typeof exportUsers>['query'];
type Exported = Omit<User, 'can'>;

const batchSize = 2000;

const columns: [string, (user: Exported) => string][] = [
  ['first_name', ({ firstName }) => firstName],
  ['last_name', ({ lastName }) => lastName],
  ['email', ({ email }) => email],
  ['role', ({ role }) => role],
  ['track_type', ({ trackType }) => trackType ?? ''],
  ['cohorts', ({ cohorts }) => cohorts.map(({ name }) => name).join('; ')],
  ['coach', ({ coach }) => (coach ? `${coach.firstName} ${coach.lastName}` : '')],
  ['invitation', ({ invitation }) => invitation?.state ?? ''],
  ['last_sign_in_at', ({ lastSignInAt }) => lastSignInAt ?? ''],
  ['created_at', ({ createdAt }) => createdAt],
  ['id', ({ id }) => id],
];

/** Returns the list as CSV, read while it is sent. The log records who took the people's data out of the product. */
export async function exportUsersAsCsv(db: Db, actor: Actor, filters: Filters): Promise<Readable> {
  const { search, role, order } = filters;
  await audit(db, actor.id, {
    action: 'user.export',
    subjectType: 'user',
    subjectId: actor.id,
    // The log leaves out the words, because they may be somebody's name or address.
    after: { hasSearch: search !== '', role: role ?? 'all', order },
  });
  return begunStream(linesOf(db, filters));
}

async function* linesOf(db: Db, filters: Filters): AsyncGenerator<string> {
  // Without this byte order mark, spreadsheet programs misread letters.
  let head = `\ufeff${csvLine(columns.map(([name]) => name))}`;
  for await (const users of findUsersInBatches(db, filters, batchSize)) {
    yield `${head}${users.map((user) => csvLine(columns.map(([, value]) => value(user)))).join('')}`;
    head = '';
  }
  if (head !== '') yield head;
}

function csvLine(values: string[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/** A value that a spreadsheet program would run as a formula is written as text. */
function csvCell(value: string): string {
  const text = startsLikeFormula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
