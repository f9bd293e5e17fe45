import { Readable } from 'node:stream';

/**
 * Ends bytes with an error if the other side brings none for so long. It counts only while somebody waits for them: a
 * slow reader is no stall.
 */
export function unlessStalled(bytes: Readable, limitInMs: number): Readable {
  const watched = Readable.from(readWatched(bytes, limitInMs), { objectMode: false });
  // Nothing has been read yet if it is closed at once.
  watched.once('close', () => bytes.destroy());
  return watched;
}

async function* readWatched(bytes: Readable, limitInMs: number): AsyncGenerator<Buffer> {
  const stalled = () => bytes.destroy(new DOMException(`No byte came for ${limitInMs} ms.`, 'TimeoutError'));
  let timer = setTimeout(stalled, limitInMs);
  try {
    for await (const chunk of bytes) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(stalled, limitInMs);
    }
  } finally {
    clearTimeout(timer);
  }
}
