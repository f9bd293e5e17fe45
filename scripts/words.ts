// Prints every text that people read, file by file, so that somebody can read them all.
// npm run words -- [part of a file's path]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findSourceFiles } from './import-graph.ts';
import { sentencesOf } from './spoken-words.ts';

const [wanted = ''] = process.argv.slice(2);
/** Made-up people and work of the demo, and what only tests read. */
const notOfTheProduct = /\.(test|gen|d)\.tsx?$|^server\/db\/|\/a-[\w-]+\.ts$|config\.ts$/;

process.chdir(path.join(import.meta.dirname, '..'));
const files = findSourceFiles('.')
  .filter((file) => /^(contract|server|web)\//.test(file) && !notOfTheProduct.test(file))
  .filter((file) => file.includes(wanted));
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
