import type { Finding } from '#contract/operations.ts';
import type { App } from '#server/platform/app-parts.ts';
import { readInspected } from './inspected.ts';
import { looks, takeLooks } from './looks.ts';

/**
 * Throws if the installation has a fault that would let strangers in. Returns a line for each other error. What asks
 * other machines waits for the doctor. Nothing ran before the start, so jobs may wait.
 */
export async function refuseDangers(app: Pick<App, 'db' | 'config' | 'secrets' | 'storage'>): Promise<string[]> {
  const inspected = await readInspected(app);
  const found = await takeLooks(
    inspected,
    ({ isCostly, isDangerous }, code) => (!isCostly || isDangerous !== undefined) && code !== 'jobs-stand',
  );
  const errors = found.filter(({ severity }) => severity === 'error');
  const dangers = errors.filter(
    ({ code }) => code in looks && looks[code as keyof typeof looks].isDangerous?.(inspected),
  );
  if (dangers.length > 0) throw new Error(dangers.map(inWords).join('\n'));
  return errors.map((finding) => `error: ${inWords(finding)} npm run doctor says more.`);
}

export function inWords({ problem, remedy }: Pick<Finding, 'problem' | 'remedy'>): string {
  return `${problem} ${remedy}`;
}
