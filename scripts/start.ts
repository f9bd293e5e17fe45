import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { startArguments } from '#server/command.ts';
import { buildWebWhenStale } from './build-web.ts';

startArguments();
process.chdir(path.join(import.meta.dirname, '..'));
if (!buildWebWhenStale()) process.exit(1);
// The next start reads what this one compiled.
enableCompileCache(path.resolve('node_modules', '.cache', 'node'));
await import('#server/main.ts');
