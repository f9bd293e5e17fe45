import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

/** The commit, the machine, and whether others use it: what a figure means nothing without. */
export function describeRun(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const [first] = cpus();
  const [load = 0] = loadavg();
  return `${commit}, ${cpus().length} × ${first?.model.trim()}, Node ${process.version}, load ${load.toFixed(1)} at the start`;
}
