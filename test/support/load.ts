import { randomBytes } from 'node:crypto';
import { writePersonNote } from '#contract/person-notes.ts';
import { approveStipend } from '#contract/stipends.ts';
import type { Client } from './app.ts';
import { uploadFile } from './uploads.ts';

export interface Acknowledged {
  kind: 'note' | 'file' | 'approval';
  /** Of the file or of the stipend. The text of the note. */
  id: string;
  content: string;
  at: Date;
}

export interface LoadWriters {
  admin: Client;
  participant: Client;
  participantId: string;
  /** Stipends that wait for a decision. Each is approved once. */
  stipends: { id: string; version: number }[];
}

/** Writes notes, files and approvals, one after the other each, until it is stopped. Keeps what was acknowledged. */
export function startLoad({ admin, participant, participantId, stipends }: LoadWriters) {
  const acknowledged: Acknowledged[] = [];
  let isStopped = false;
  const waiting = stipends.values();

  async function note(): Promise<Acknowledged> {
    const content = `A note ${randomBytes(8).toString('hex')}`;
    await admin.call(writePersonNote, { params: { id: participantId }, body: { kind: 'staff', text: content } });
    return { kind: 'note', id: content, content, at: new Date() };
  }

  async function file(): Promise<Acknowledged> {
    const content = `A file ${randomBytes(2_000).toString('hex')}`;
    const id = await uploadFile(participant, { area: 'my_files', name: 'a.txt' }, content);
    return { kind: 'file', id, content, at: new Date() };
  }

  async function approval(): Promise<Acknowledged | null> {
    const next = waiting.next().value;
    if (!next) return null;
    await admin.call(approveStipend, { params: { id: next.id }, body: { version: next.version } });
    return { kind: 'approval', id: next.id, content: '', at: new Date() };
  }

  /** The server may be killed under a write. That one was not acknowledged. */
  async function repeat(write: () => Promise<Acknowledged | null>): Promise<void> {
    while (!isStopped) {
      const done = await write().catch((error: unknown) => {
        if (isStopped) return null;
        throw error;
      });
      if (!done) return;
      acknowledged.push(done);
    }
  }

  const writers = Promise.all([note, note, file, file, approval].map(repeat));
  return {
    acknowledged,
    /** What is on its way then may still arrive, or not. */
    stop: () => {
      isStopped = true;
    },
    ended: writers,
  };
}
