import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { sql } from 'kysely';
import type { UploadArea } from '#contract/files.ts';
import type { Db } from '#server/db/database.ts';
import { storedPathOf } from '#server/features/files/uploads.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { idOf } from './draws.ts';
import type { CohortPlan } from './plan.ts';

interface WantedFile {
  /** It is the same in every run of a seed, so that a run that begins anew writes over its own files. */
  id: string;
  ownerId: string;
  area: UploadArea;
  displayName: string;
  /** The lines of its one page. */
  lines: string[];
  at: Date | string;
}

type KeptFile = WantedFile & { path: string };

/** One in so many participants has uploaded files. All files hold real bytes. */
const oneIn = 40;
const writtenAtOnce = 8;

/** The handout of the cohort's first lab. */
export async function seedHandout(
  db: Db,
  storage: Storage,
  plan: CohortPlan,
  cohortId: string,
  admin: Actor,
): Promise<void> {
  const [file] = await keep(db, storage, [
    {
      id: idOf(`seed ${plan.seed}`, 'handout', plan.name),
      ownerId: admin.id,
      area: 'content',
      displayName: 'Lab handout.pdf',
      lines: ['Lab handout', plan.name, 'Safety glasses on before you enter the lab.'],
      at: plan.until,
    },
  ]);
  await sql`
    update content_items set file_path = ${file?.path ?? null}
    where id = (select item.id from content_items item join training_activities activity on activity.id = item.training_activity_id
      where activity.cohort_id = ${cohortId} and activity.week_number = 1 and item.title = 'What to read before the lab')`.execute(
    db,
  );
}

/** Files of My Files, of reports that were handed in, and of messages. The last two are in temporary tables. */
export async function seedFiles(db: Db, storage: Storage, { seed, state }: CohortPlan): Promise<void> {
  const reports = await sql<{ assignmentId: string; participantId: string; title: string; name: string; at: Date }>`
    select assignment_id, participant_id, title, name, min(submitted_at) as at from seeded_rounds
    where place % ${oneIn}::integer = 0 and assignment_type = 'project_submission'
    group by assignment_id, participant_id, title, name`.execute(db);
  const handedIn = await keep(
    db,
    storage,
    reports.rows.map(({ participantId, title, name, at, assignmentId }) => ({
      id: idOf(`seed ${seed}`, 'report', participantId, title),
      ownerId: participantId,
      area: 'submissions' as const,
      displayName: `${title.replace(/[^\p{L}\p{N} -]/gu, '')}.pdf`,
      lines: [title, `Handed in by ${name}`, 'Voltage 12.47 kV, current 208 A, measured twice.'],
      at,
      assignmentId,
    })),
  );
  await keepPaths(
    db,
    'seeded_files',
    sql`assignment_id uuid, participant_id uuid`,
    handedIn.map(({ assignmentId, ownerId, path }) => ({ assignment_id: assignmentId, participant_id: ownerId, path })),
  );

  const letters = await sql<{ id: string; senderId: string; name: string; at: Date }>`
    select id, sender_id, sender_name as name, at from seeded_messages where text like 'Here it is.%'`.execute(db);
  const attached = await keep(
    db,
    storage,
    letters.rows.map(({ id, senderId, name, at }) => ({
      id: idOf(`seed ${seed}`, 'attachment', id),
      ownerId: senderId,
      area: 'messages' as const,
      displayName: `Résumé ${name}.pdf`,
      lines: ['Résumé', name, 'Power systems fellow'],
      at,
      messageId: id,
    })),
  );
  await keepPaths(
    db,
    'seeded_message_files',
    sql`id uuid`,
    attached.map(({ messageId, path }) => ({ id: messageId, path })),
  );
  if (state !== 'planning') await seedOwnFiles(db, storage, seed);
}

async function seedOwnFiles(db: Db, storage: Storage, seed: number): Promise<void> {
  const owners = await sql<{ participantId: string; name: string; at: Date }>`
    select participant_id, name, joined_on + interval '34 hours' as at from seeded_members
    where place % ${oneIn}::integer = 0`.execute(db);
  const kept = await keep(
    db,
    storage,
    owners.rows.flatMap(({ participantId, name, at }) =>
      ['OSHA 10 card', 'Résumé, first draft'].map((title) => ({
        id: idOf(`seed ${seed}`, title, participantId),
        ownerId: participantId,
        area: 'my_files' as const,
        displayName: `${title}.pdf`,
        lines: [title, name],
        at,
      })),
    ),
  );
  await sql`
    insert into user_files (user_id, file_path, display_name, size, mime_type, upload_date)
    select owner_id, path, display_name, size, mime_type, completed_at from stored_files
    where path = any(${kept.map(({ path }) => path)}::text[])`.execute(db);
}

async function keep<File extends WantedFile>(db: Db, storage: Storage, files: File[]): Promise<(File & KeptFile)[]> {
  const kept = files.map((file) => ({
    ...file,
    path: storedPathOf(file.area, file.ownerId, file.id, file.displayName),
  }));
  const bytes = new Map(kept.map(({ id, lines }) => [id, pdfOf(lines)]));
  const rows = kept.map(({ id, ownerId, area, path, displayName, at }) => {
    return { id, owner_id: ownerId, area, path, display_name: displayName, size: bytes.get(id)?.length, at };
  });
  await sql`
    insert into stored_files (id, owner_id, area, path, display_name, size, mime_type, created_at, continued_at, completed_at)
    select id, owner_id, area, path, display_name, size, 'application/pdf', at, at, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
      (id uuid, owner_id uuid, area text, path text, display_name text, size bigint, at timestamptz)`.execute(db);
  for (let first = 0; first < kept.length; first += writtenAtOnce) {
    const some = kept.slice(first, first + writtenAtOnce);
    await Promise.all(some.map(({ id, path }) => write(storage, path, bytes.get(id) ?? Buffer.alloc(0))));
  }
  return kept;
}

/** Through the store of uploads, so it works wherever files are kept. Made-up bytes need not survive a power cut. */
async function write({ tusStore }: Storage, path: string, bytes: Buffer): Promise<void> {
  await tusStore.create(new Upload({ id: path, size: bytes.length, offset: 0 }));
  await tusStore.write(Readable.from([bytes]), path, 0);
}

async function keepPaths(db: Db, table: string, columns: ReturnType<typeof sql>, rows: object[]): Promise<void> {
  await sql`
    create temporary table ${sql.table(table)} on commit drop as
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (${columns}, path text)`.execute(db);
}

/** A page with these lines, in the letters that every reader has. */
function pdfOf(lines: string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const stream = `BT /F1 14 Tf 20 TL 72 720 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = Buffer.byteLength(text, 'latin1');
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${Buffer.byteLength(text, 'latin1')}\n%%EOF\n`;
  return Buffer.from(text + end + trailer, 'latin1');
}
