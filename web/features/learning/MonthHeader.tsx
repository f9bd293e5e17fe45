import { ActionIcon, Button, Group, Title } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { addMonths, monthInWords } from './month-days.ts';

interface MonthHeaderProps {
  /** `YYYY-MM` */
  month: string;
  /** The program's day, `YYYY-MM-DD`. */
  today: string;
  /** Takes less room, and has no Today button in the present month, where it would lead nowhere. */
  isSlim?: boolean;
  onMonth: (month: string) => void;
}

export function MonthHeader({ month, today, isSlim = false, onMonth }: MonthHeaderProps) {
  return (
    <Group justify="space-between" p={isSlim ? 'xs' : 'md'} ps="md" gap="sm">
      <Title order={2} aria-live="polite">
        {monthInWords(month)}
      </Title>
      <Group gap="xs" wrap="nowrap">
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Previous month"
          onClick={() => onMonth(addMonths(month, -1))}
        >
          <ChevronLeft size={18} aria-hidden />
        </ActionIcon>
        {isSlim && today.startsWith(month) ? null : (
          <Button variant="default" onClick={() => onMonth(today.slice(0, 7))}>
            Today
          </Button>
        )}
        <ActionIcon variant="default" size={36} aria-label="Next month" onClick={() => onMonth(addMonths(month, 1))}>
          <ChevronRight size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
