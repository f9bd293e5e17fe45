import type { ReactNode } from 'react';
import { markImage } from './marks.ts';
import classes from './StatusBadge.module.css';
import { lightColors } from './theme.ts';
import wrapping from './wrapping.module.css';

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

const looks = {
  success: { ...lightColors('teal'), '--mark': markImage('check') },
  warning: { ...lightColors('yellow'), '--mark': markImage('clock') },
  danger: { ...lightColors('red'), '--mark': markImage('alert') },
  info: { ...lightColors('indigo'), '--mark': markImage('info') },
  neutral: { ...lightColors('gray'), '--mark': markImage('dot') },
};

/**
 * A status by icon, word and color together, never by color alone. One element with its icon, because a long table has
 * several in every row.
 */
export function StatusBadge({ tone, children, icon }: { tone: Tone; children: ReactNode; icon?: ReactNode }) {
  return (
    <span
      className={`${classes.badge} ${wrapping.wholeWords}`}
      data-tone={tone}
      data-icon={icon ? 'own' : undefined}
      style={looks[tone]}
    >
      {icon}
      {children}
    </span>
  );
}
