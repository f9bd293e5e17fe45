import { globSync } from 'node:fs';

/** Returns the scenarios whose names contain one of these, or all. A name that fits none comes back as unknown. */
export function chooseScenarios(folder: string, names: string[]): { files: string[]; unknown: string[] } {
  const files = globSync('*.bench.ts', { cwd: folder }).toSorted();
  return {
    files: files.filter((file) => names.length === 0 || names.some((name) => file.includes(name))),
    unknown: names.filter((name) => !files.some((file) => file.includes(name))),
  };
}
