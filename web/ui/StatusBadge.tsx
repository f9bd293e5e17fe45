import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from './Mark.tsx';
import wrapping from './wrapping.module.css';

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

const looks = {
  success: { color: 'teal', mark: 'check' },
  warning: { color: 'yellow', mark: 'clock' },
  danger: { color: 'red', mark: 'alert' },
  info: { color: 'indigo', mark: 'info' },
  neutral: { color: 'gray', mark: 'dot' },
} as const;

/** A status by icon, word and color together, never by color alone. */
export function StatusBadge({ tone, children, icon }: { tone: Tone; children: ReactNode; icon?: ReactNode }) {
  const { color, mark } = looks[tone];
  return (
    <Badge
      color={color}
      leftSection={icon ?? <Mark name={mark} size={14} />}
      h="auto"
      className={wrapping.wholeWords}
      // A long title beside it gives way. Otherwise the status would be cut off.
      style={{ whiteSpace: 'normal', flexShrink: 0, maxWidth: '100%', paddingBlock: 'var(--badge-space, 3px)' }}
      styles={{ label: { whiteSpace: 'normal', overflow: 'visible' } }}
    >
      {children}
    </Badge>
  );
}
