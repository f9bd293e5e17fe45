import { counted } from './counted.ts';
import { showToast } from './toast.tsx';

/** What an act upon several things left as it is, with the reason. */
export interface Refused {
  name: string;
  reason: string;
}

const namedAtMost = 5;

/** Says which ones an act upon several left as they are. It says nothing if there are none. */
export function tellOfRefused(refused: readonly Refused[], one: string, many?: string): void {
  if (refused.length === 0) return;
  const more = refused.length - namedAtMost;
  showToast({
    type: 'warning',
    title: `${counted(refused.length, one, many)} not changed`,
    message: [
      ...refused.slice(0, namedAtMost).map(({ name, reason }) => `${name}: ${reason}`),
      ...(more > 0 ? [`And ${more.toLocaleString('en-US')} more.`] : []),
    ].join(' '),
  });
}

/** Equal reasons stand together, each with the first names and the number of the others. */
export function byReason(refused: readonly Refused[]): { reason: string; count: number; names: string }[] {
  const groups = Map.groupBy(refused, ({ reason }) => reason);
  return [...groups].map(([reason, those]) => {
    const names = those.slice(0, namedAtMost).map(({ name }) => name);
    const more = those.length - names.length;
    return {
      reason,
      count: those.length,
      names: names.join(', ') + (more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''),
    };
  });
}
