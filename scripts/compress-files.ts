import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const compressible = /\.(css|html|js|json|svg)$/;
const smallestInBytes = 1024;

/** Writes a .br and a .gz beside each file that shrinks. The server sends those and compresses nothing itself. */
export function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!compressible.test(name)) continue;
    const file = path.join(folder, name);
    const content = readFileSync(file);
    if (content.length < smallestInBytes) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    writeFileSync(`${file}.gz`, gzipSync(content));
  }
}
