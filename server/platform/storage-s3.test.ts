import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Upload } from '@tus/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pdfOf } from '#test/factories/files.ts';
import { testConfig } from '#test/support/app.ts';
import { type AskedOfS3, startS3, type TestS3 } from '#test/support/s3.ts';
import { type Patience, patienceOfPeople } from './s3-client.ts';
import { openS3Storage } from './storage-s3.ts';
import type { Storage } from './storage-shape.ts';

const mebibyte = 1024 * 1024;
const key = 'robin/report';
const content = pdfOf(20 * mebibyte);
/** How much the library makes one part. */
const part = 8 * mebibyte;
const gone = { status_code: 410 };

let s3: TestS3;
let storage: Storage;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());
beforeEach(async () => {
  s3.failWhen(null);
  storage = open();
  await storage.remove(key);
  await storage.tusStore.create(new Upload({ id: key, size: content.length, offset: 0 }));
});

/** Another process, which has nothing in its memory. */
function open(patience?: Patience): Storage {
  const { s3: config } = testConfig(s3.env);
  if (!config) throw new Error('The settings name no bucket.');
  return openS3Storage(config, patience);
}

const send = (from: number, upTo: number) =>
  storage.tusStore.write(Readable.from([content.subarray(from, upTo)]), key, from);
const offset = async () => (await storage.tusStore.getUpload(key)).offset;
const isPart = (number: number) => (asked: AskedOfS3) =>
  asked.method === 'PUT' && asked.search.get('partNumber') === String(number);
const isEnd = ({ method, search }: AskedOfS3) => method === 'POST' && search.has('uploadId');
const isRest = (method: string) => (asked: AskedOfS3) => asked.method === method && asked.key === `${key}.part`;

/** Goes on from where the bucket says. */
async function expectToComplete(): Promise<void> {
  await send(await offset(), content.length);
  await expectWhole();
}

async function expectWhole(): Promise<void> {
  const stored = await storage.read(key);
  expect(stored && (await buffer(stored.stream)).equals(content)).toBe(true);
  expect(s3.openUploads()).toEqual([]);
}

describe('an upload whose server failed goes on with what is stored', () => {
  test.each([1, 2])('part %i was refused', async (number) => {
    s3.failWhen((asked) => (isPart(number)(asked) ? 'refuse' : null));
    await expect(send(0, content.length)).rejects.toMatchObject({ name: 'InternalError' });
    s3.failWhen(null);
    expect(await offset()).toBe((number - 1) * part);
    await expectToComplete();
  });

  test('nothing is stored after a part that was refused, so no bytes come to lie in the place of others', async () => {
    s3.failWhen((asked) => (isPart(2)(asked) ? 'refuse' : null));
    // The rest after part 2 is too small for a part.
    await expect(send(0, 17 * mebibyte)).rejects.toMatchObject({ name: 'InternalError' });
    s3.failWhen(null);
    expect(await offset()).toBe(part);
    await expectToComplete();
  });

  test('the answer to a part was lost: the part counts', async () => {
    s3.failWhen((asked) => (isPart(1)(asked) ? 'lose' : null));
    await expect(send(0, content.length)).rejects.toThrow();
    s3.failWhen(null);
    expect(await offset()).toBe(part);
    await expectToComplete();
  });

  test('bytes that were acknowledged stay when the next ones fail', async () => {
    expect(await send(0, mebibyte)).toBe(mebibyte);
    s3.failWhen((asked) => (isPart(1)(asked) ? 'refuse' : null));
    await expect(send(mebibyte, content.length)).rejects.toMatchObject({ name: 'InternalError' });
    s3.failWhen(null);
    expect(await offset()).toBe(mebibyte);
    await expectToComplete();
  });

  test('bytes that a part has by now do not count twice', async () => {
    expect(await send(0, mebibyte)).toBe(mebibyte);
    s3.failWhen((asked) => (isRest('DELETE')(asked) ? 'refuse' : null));
    await expect(send(mebibyte, content.length)).rejects.toMatchObject({ name: 'InternalError' });
    s3.failWhen(null);
    expect(s3.objects.get(`${key}.part`)?.length).toBe(mebibyte);
    expect(await offset()).toBe(part);
    await expectToComplete();
  });

  test('small pieces one after the other become one file', async () => {
    for (let from = 0; from < 7 * mebibyte; from += 3.5 * mebibyte)
      expect(await send(from, from + 3.5 * mebibyte)).toBe(from + 3.5 * mebibyte);
    await expectToComplete();
    expect([...s3.objects.keys()].toSorted()).toEqual([key, `${key}.info`]);
  });
});

describe('an upload whose bytes are all there is settled', () => {
  test.each(['refuse', 'lose'] as const)('though its end met trouble: %s', async (how) => {
    s3.failWhen((asked) => (isEnd(asked) ? how : null));
    await expect(send(0, content.length)).rejects.toThrow();
    s3.failWhen(null);
    expect(await offset()).toBe(content.length);
    await storage.settle(key);
    await expectWhole();
    await storage.settle(key);
  });

  test('its end had an answer that was lost once: the next try finds it done', async () => {
    let ends = 0;
    s3.failWhen((asked) => {
      if (!isEnd(asked)) return null;
      ends += 1;
      return ends === 1 ? 'lose' : null;
    });
    expect(await send(0, content.length)).toBe(content.length);
    await expectWhole();
  });
});

describe('what is not known is not said', () => {
  test('a server that could not look for an upload does not say that there is none', async () => {
    storage = open();
    s3.failWhen(({ key: asked }) => (asked === `${key}.info` ? 'refuse' : null));
    await expect(offset()).rejects.toMatchObject({ name: 'InternalError' });
    s3.failWhen(null);
    expect(await offset()).toBe(0);
  });

  test('an upload that never began is not found', async () => {
    await expect(storage.tusStore.getUpload('robin/never')).rejects.toMatchObject({ status_code: 404 });
  });

  test('an upload that was given up is gone, and not complete', async () => {
    s3.failWhen(({ search }) => (search.has('delete') ? 'refuse' : null));
    await expect(storage.remove(key)).rejects.toMatchObject({ name: 'InternalError' });
    s3.failWhen(null);
    await expect(offset()).rejects.toMatchObject(gone);
    await storage.remove(key);
    expect(s3.objects.size).toBe(0);
  });

  test('an upload with a hole is gone, because nobody can tell what comes after it', async () => {
    await fetch(`${s3.env.S3_ENDPOINT}/files/${key}?uploadId=${s3.uploadIdOf(key)}&partNumber=2`, {
      method: 'PUT',
      body: new Uint8Array(content.subarray(part)),
    });
    await expect(offset()).rejects.toMatchObject(gone);
  });
});

test('a beginning whose answer was lost is not made twice', async () => {
  await storage.remove(key);
  s3.failWhen(({ method, search }) => (method === 'POST' && search.has('uploads') ? 'lose' : null));
  await expect(storage.tusStore.create(new Upload({ id: key, size: 1, offset: 0 }))).rejects.toThrow();
  s3.failWhen(null);
  expect(s3.openUploads()).toEqual([key]);
});

test('an upload of which only the beginning reached the bucket is removed from it', async () => {
  await storage.remove(key);
  s3.failWhen(({ key: asked }) => (asked === `${key}.info` ? 'refuse' : null));
  await expect(storage.tusStore.create(new Upload({ id: key, size: content.length, offset: 0 }))).rejects.toMatchObject(
    { name: 'InternalError' },
  );
  s3.failWhen(null);
  expect(s3.openUploads()).toEqual([key]);
  await storage.remove(key);
  expect(s3.openUploads()).toEqual([]);
});

describe('a server that hangs', () => {
  const impatient = { connect: 50, answer: 50, silence: 50, attempts: 2 };
  const late = { name: 'TimeoutError' };

  test('has failed after a while, whatever it was asked', async () => {
    await send(0, mebibyte);
    storage = open(impatient);
    s3.failWhen(() => 'hang');
    await expect(storage.read(key)).rejects.toMatchObject(late);
    await expect(offset()).rejects.toMatchObject(late);
    await expect(storage.settle(key)).rejects.toMatchObject(late);
    await expect(storage.remove(key)).rejects.toMatchObject(late);
  });

  test('takes no piece for longer either, and nothing is lost', async () => {
    await send(0, mebibyte);
    storage = open({ ...patienceOfPeople, silence: impatient.silence });
    s3.failWhen((asked) => (isPart(1)(asked) ? 'hang' : null));
    await expect(send(mebibyte, content.length)).rejects.toMatchObject(late);
    s3.failWhen(null);
    expect(await offset()).toBe(mebibyte);
  });
});
