import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '#contract/errors.ts';
import { cancelUpload, downloadFile } from '#contract/files.ts';
import { pdfOf } from '#test/factories/files.ts';
import type { Client } from '#test/support/app.ts';
import { askOffset, beginUpload, idOf, sendBytes, sendPartAndBreakOff } from '#test/support/uploads.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const sizes = [300 * kibibyte, 3 * mebibyte, 7 * mebibyte, 13 * mebibyte, 21 * mebibyte];
/** The browser sends pieces of five. The others make parts of other sizes in the bucket. */
const pieces = [5 * mebibyte, 9 * mebibyte, mebibyte, 30 * mebibyte];
/** From then on, files are small: the bucket is in memory. */
const mostBytes = 250 * mebibyte;
/** Nobody waits longer for an answer. */
const longestAnswerInMs = 10_000;
const triesOfOneUpload = 300;

export interface Person {
  id: string;
  client: Client;
}

export interface KeptFile {
  id: string;
  ownerId: string;
  client: Client;
  bytes: Buffer;
}

export interface Transferred {
  files: KeptFile[];
  /** Uploads that people began and never went on with. */
  left: string[];
  /** Uploads that people gave up. */
  givenUp: string[];
  bytes: number;
  cuts: number;
  ranges: number;
  refusals: number;
  slowestAnswer: number;
  failures: { at: number; what: string; why: string }[];
  faults: string[];
  /** Nothing is sent any more. */
  isLeft: boolean;
}

export interface Transfers {
  record: Transferred;
  /** Lets each upload come to its end. */
  stop(): Promise<void>;
  /** Sends nothing any more. */
  leave(): void;
}

/** Every person uploads, cuts, resumes, leaves, gives up and downloads, one after the other. */
export function startTransfers(publicUrl: string, people: Person[]): Transfers {
  const record: Transferred = {
    files: [],
    left: [],
    givenUp: [],
    bytes: 0,
    cuts: 0,
    ranges: 0,
    refusals: 0,
    slowestAnswer: 0,
    failures: [],
    faults: [],
    isLeft: false,
  };
  let isStopped = false;
  let turn = 0;
  const lines = people.map(async (person) => {
    while (!isStopped) {
      turn += 1;
      await transfer(record, publicUrl, person, turn);
      await readRange(record, person);
    }
  });
  return {
    record,
    stop: async () => {
      isStopped = true;
      await Promise.all(lines);
    },
    leave: () => {
      record.isLeft = true;
    },
  };
}

async function transfer(record: Transferred, publicUrl: string, person: Person, turn: number): Promise<void> {
  const size = record.bytes > mostBytes ? 200 * kibibyte : (sizes[turn % sizes.length] ?? 0);
  const bytes = pdfOf(size + turn);
  const id = await begin(record, person.client, bytes.length);
  if (turn % 7 === 0) {
    await putPiece(record, person.client, { id, bytes, offset: 0, size: Math.floor(bytes.length / 2) });
    record.left.push(id);
    return;
  }
  if (turn % 11 === 0) return giveUp(record, person.client, id);
  if (turn % 3 === 0) {
    record.cuts += 1;
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    await sendPartAndBreakOff(publicUrl, person.client.cookie, { id, bytes, sent: half.length });
  }
  if (!(await complete(record, person.client, { id, bytes, piece: pieces[turn % pieces.length] ?? 0 }))) return;
  record.files.push({ id, ownerId: person.id, client: person.client, bytes });
  record.bytes += bytes.length;
}

async function begin(record: Transferred, client: Client, size: number): Promise<string> {
  for (;;) {
    const answer = await ask(record, 'upload begun', () =>
      beginUpload(client, { area: 'my_files', name: 'drill.pdf', size }),
    );
    if (answer?.status === 201) return idOf(answer);
  }
}

async function giveUp(record: Transferred, client: Client, id: string): Promise<void> {
  const address = cancelUpload.path.replace(':id', id);
  const headers = { 'x-requested-with': 'drill' };
  for (;;) {
    const answer = await ask(record, 'upload given up', () => client.fetch(address, { method: 'DELETE', headers }));
    if (answer?.status === 204 || answer?.status === 404) break;
  }
  record.givenUp.push(id);
}

/** Asks where to go on, and goes on, as the browser does. True once the server says that it has all. */
async function complete(
  record: Transferred,
  client: Client,
  { id, bytes, piece }: { id: string; bytes: Buffer; piece: number },
): Promise<boolean> {
  let offset: number | null = null;
  let acknowledged = 0;
  for (let tries = 0; tries < triesOfOneUpload; tries += 1) {
    if (offset === null) {
      const asked = await ask(record, 'offset', () => askOffset(client, id));
      if (asked?.status !== 200) {
        if (asked && [404, 410].includes(asked.status)) return isGone(record, id, `its offset is ${asked.status}`);
        continue;
      }
      offset = Number(asked.headers.get('upload-offset'));
      if (offset < acknowledged)
        record.faults.push(`Upload ${id} had ${acknowledged} bytes acknowledged, and then says ${offset}.`);
    }
    if (offset === bytes.length) return true;
    offset = await putPiece(record, client, { id, bytes, offset, size: piece });
    acknowledged = Math.max(acknowledged, offset ?? 0);
  }
  return isGone(record, id, 'it never came to its end');
}

function isGone(record: Transferred, id: string, why: string): false {
  record.faults.push(`Upload ${id} cannot be gone on with: ${why}.`);
  return false;
}

async function putPiece(
  record: Transferred,
  client: Client,
  { id, bytes, offset, size }: { id: string; bytes: Buffer; offset: number; size: number },
): Promise<number | null> {
  const piece = new Uint8Array(bytes.subarray(offset, offset + size));
  const answer = await ask(record, `piece of ${size} bytes`, () => sendBytes(client, id, offset, piece));
  return answer?.status === 204 ? Number(answer.headers.get('upload-offset')) : null;
}

/** Reads some bytes out of the middle of an own file. */
async function readRange(record: Transferred, { id: ownerId, client }: Person): Promise<void> {
  const file = record.files.findLast((each) => each.ownerId === ownerId);
  if (!file) return;
  const start = Math.floor(file.bytes.length / 3);
  const end = Math.min(start + mebibyte, file.bytes.length) - 1;
  const answer = await ask(record, 'download', () =>
    client.fetch(downloadFile.path.replace(':id', file.id), { headers: { range: `bytes=${start}-${end}` } }),
  );
  if (answer?.status !== 206) return;
  record.ranges += 1;
  const found = await bodyOf(record, answer);
  if (found && !found.equals(file.bytes.subarray(start, end + 1)))
    record.faults.push(`A range of file ${file.id} is not what was uploaded.`);
}

async function bodyOf(record: Transferred, answer: Response): Promise<Buffer | null> {
  return Buffer.from(
    await answer.arrayBuffer().catch((error: Error) => {
      record.failures.push({ at: performance.now(), what: 'download under way', why: error.message });
      return new ArrayBuffer(0);
    }),
  );
}

/** Sends one request. Null if there was no answer. */
async function ask(record: Transferred, what: string, send: () => Promise<Response>): Promise<Response | null> {
  if (record.isLeft) await new Promise(() => undefined);
  const begunAt = performance.now();
  const failed = (why: string) => record.failures.push({ at: performance.now(), what, why });
  try {
    const answer = await send();
    const took = performance.now() - begunAt;
    record.slowestAnswer = Math.max(record.slowestAnswer, took);
    if (took > longestAnswerInMs) record.faults.push(`An answer took ${(took / 1000).toFixed(1)} s: ${what}.`);
    // A question for the offset may overtake the piece that was cut, so the next piece begins elsewhere.
    if (answer.status < 400 || answer.status === 409) return answer;
    const words = await answer.clone().text();
    failed(`${answer.status} ${words}`);
    record.refusals += 1;
    if (!isClear(answer, words)) record.faults.push(`Not a clear refusal: ${what}: ${answer.status} ${words}`);
    await pause(200);
    return answer;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    failed(`${error instanceof Error ? error.message : String(error)} ${cause}`);
    await pause(200);
    return null;
  }
}

/** The storage is away, in words. A question for the offset has no words. */
function isClear({ status }: Response, words: string): boolean {
  if (status !== 503) return false;
  return words === '' || Problem.safeParse(tryToRead(words)).success;
}

function tryToRead(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
