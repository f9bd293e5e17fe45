import path from 'node:path';
import { findBrokenBoundaries } from './boundary-rules.ts';
import { readImportGraph } from './import-graph.ts';

const graph = readImportGraph(path.join(import.meta.dirname, '..'));
const broken = findBrokenBoundaries(graph);
for (const line of broken) console.error(line);
console.log(`boundaries: ${graph.size} files read, ${broken.length} problems`);
process.exitCode = broken.length === 0 && graph.size > 0 ? 0 : 1;
