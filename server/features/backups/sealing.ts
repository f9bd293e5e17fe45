import { createHash } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';

/** Loads only where a backup has a key. */
const loadAge = () => import('age-encryption');

/** The public half seals, and the secret half opens. `opens` is null where only the public half is known. */
export interface BackupKey {
  sealsFor: string;
  opens: string | null;
}

export interface Measure {
  bytes: number;
  sha256: string;
}

const secretForm = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/;

export async function readBackupKey(text: string): Promise<BackupKey> {
  if (secretForm.test(text)) return { sealsFor: await (await loadAge()).identityToRecipient(text), opens: text };
  return { sealsFor: text, opens: null };
}

export async function makeBackupKey(): Promise<BackupKey & { opens: string }> {
  const { generateX25519Identity, identityToRecipient } = await loadAge();
  const opens = await generateX25519Identity();
  return { sealsFor: await identityToRecipient(opens), opens };
}

export function packed(bytes: Readable): Readable {
  return joined(bytes, createZstdCompress());
}

export function unpacked(bytes: Readable): Readable {
  return joined(bytes, createZstdDecompress());
}

/** Seals in the format of age (age-encryption.org), so that its own program opens a part too. */
export async function sealed(bytes: Readable, key: BackupKey | null): Promise<Readable> {
  if (!key) return bytes;
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  encrypter.addRecipient(key.sealsFor);
  return fromWeb(await encrypter.encrypt(toWeb(bytes)));
}

/** Throws, or ends the stream with an error, if the key is not the one or a byte has changed. */
export async function opened(bytes: Readable, key: BackupKey | null): Promise<Readable> {
  if (!key?.opens) return bytes;
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  decrypter.addIdentity(key.opens);
  return fromWeb(await decrypter.decrypt(toWeb(bytes)));
}

/** The bytes unchanged. `measure()` answers once the stream has ended. */
export function measured(bytes: Readable): { stream: Readable; measure(): Measure } {
  const hash = createHash('sha256');
  let count = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      count += chunk.length;
      done(null, chunk);
    },
  });
  return { stream: joined(bytes, counting), measure: () => ({ bytes: count, sha256: hash.digest('hex') }) };
}

/** A failure of either ends both, and whoever reads is told. */
function joined(from: Readable, to: Transform | ReturnType<typeof createZstdCompress>): Readable {
  return pipeline(from, to, () => undefined);
}

function toWeb(bytes: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(bytes) as unknown as globalThis.ReadableStream<Uint8Array>;
}

function fromWeb(bytes: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(bytes as unknown as ReadableStream);
}
