import { Readable } from 'node:stream';

/**
 * A text that is sent while it is read. Its first part is read before the answer begins, so that a failure is answered in
 * words. A later one breaks the answer off.
 */
export async function begunStream(parts: AsyncGenerator<string>): Promise<Readable> {
  const first = await parts.next();
  return Readable.from(wholeOf(first, parts));
}

async function* wholeOf(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
