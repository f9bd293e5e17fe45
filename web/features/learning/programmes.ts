import type { Programme } from '#contract/learning.ts';

export const programmeLabels: Record<Programme, string> = {
  fellowship: 'Fellowship',
  amp: 'Adult Mobilization (AMP)',
  fellowship_adjunct: 'Fellowship Adjunct',
  ambassador: 'Ambassador',
};
