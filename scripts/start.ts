import path from 'node:path';
import { buildWebWhenStale } from './build-web.ts';

process.chdir(path.join(import.meta.dirname, '..'));
if (!buildWebWhenStale()) process.exit(1);
await import('#server/main.ts');
