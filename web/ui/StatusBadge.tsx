import { Badge } from '@mantine/core';
import { CircleAlert, CircleCheck, CircleDot, Clock, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import wrapping from './wrapping.module.css';

export type Tone = 'success' | 'warning' | 'danger' | 'info' | 'neutral';

const looks = {
  success: { color: 'teal', icon: CircleCheck },
  warning: { color: 'yellow', icon: Clock },
  danger: { color: 'red', icon: CircleAlert },
  info: { color: 'indigo', icon: Info },
  neutral: { color: 'gray', icon: CircleDot },
} as const;

/** A status by icon, word and color together, never by color alone. */
export function StatusBadge({ tone, children, icon }: { tone: Tone; children: ReactNode; icon?: ReactNode }) {
  const { color, icon: Icon } = looks[tone];
  return (
    <Badge
      color={color}
      leftSection={icon ?? <Icon size={13} aria-hidden />}
      h="auto"
      py={3}
      className={wrapping.wholeWords}
      // A long title beside it gives way. Otherwise the status would be cut off.
      style={{ whiteSpace: 'normal', flexShrink: 0, maxWidth: '100%' }}
      styles={{ label: { whiteSpace: 'normal', overflow: 'visible' } }}
    >
      {children}
    </Badge>
  );
}
