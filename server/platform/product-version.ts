import { readFileSync } from 'node:fs';
import path from 'node:path';

export function productVersion(): string {
  const manifest = readFileSync(path.join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
