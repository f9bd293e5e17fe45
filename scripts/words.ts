// Prints every text that people read, file by file, so that somebody can read them all.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { argumentsOrEnd, end } from '#server/command.ts';
import { findSourceFiles } from './import-graph.ts';
import { sentencesOf } from './spoken-words.ts';

const usage = 'Usage: npm run words [-- PART-OF-A-PATH]';
const [wanted = '', ...others] = argumentsOrEnd(usage, { allowPositionals: true }).positionals;
if (others.length > 0) end(usage);
/** Made-up people and work of the demo, and what only tests read. */
const notOfTheProduct = /\.(test|gen|d)\.tsx?$|^server\/db\/|\/a-[\w-]+\.ts$|config\.ts$/;

process.chdir(path.join(import.meta.dirname, '..'));
const files = findSourceFiles('.')
  .filter((file) => /^(contract|server|web)\//.test(file) && !notOfTheProduct.test(file))
  .filter((file) => file.includes(wanted));
if (files.length === 0) end(`No file with texts has ${wanted} in its path.`);
let count = 0;
for (const file of files) {
  const sentences = sentencesOf(readFileSync(file, 'utf8'), file);
  if (sentences.length === 0) continue;
  count += sentences.length;
  process.stdout.write(`\n${file}\n`);
  for (const { line, text } of sentences)
    process.stdout.write(`${String(line).padStart(5)}  ${text.replace(/\n+/g, ' ⏎ ')}\n`);
}
process.stdout.write(`\n${count} texts in ${files.length} files\n`);
