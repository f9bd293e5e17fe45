import { Button, Stack, Text } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { CalendarActivity } from '#contract/learning.ts';
import { DottedFacts } from '../../ui/DottedFacts.tsx';
import { ActivityList } from './ActivityList.tsx';
import type { CalendarPlace } from './calendar-place.ts';
import { foldWeeks, type WeekFacts, weeksInWords } from './week-folds.ts';

interface FoldedListProps {
  activities: CalendarActivity[];
  weeks: WeekFacts;
  place: Pick<CalendarPlace, 'earlier' | 'later'>;
  onChange: (changes: Partial<CalendarPlace>) => void;
}

/** The list opens at this week. Earlier and much later weeks are one press away. */
export function FoldedList({ activities, weeks, place, onChange }: FoldedListProps) {
  const { currentWeek, today } = weeks;
  const { earlier, shown, later } = foldWeeks(activities, currentWeek, today);
  return (
    <Stack gap="lg">
      <Fold
        title={currentWeek === null ? 'Earlier' : weeksInWords(earlier)}
        activities={earlier}
        weeks={weeks}
        isOpen={place.earlier ?? false}
        onToggle={(isOpen) => onChange({ earlier: isOpen || undefined })}
      />
      {shown.length > 0 ? (
        <ActivityList activities={shown} weeks={weeks} />
      ) : (
        <Text c="dimmed">Nothing is planned for this week or next week.</Text>
      )}
      <Fold
        title={currentWeek === null ? 'Later' : weeksInWords(later)}
        activities={later}
        weeks={weeks}
        isOpen={place.later ?? false}
        onToggle={(isOpen) => onChange({ later: isOpen || undefined })}
      />
    </Stack>
  );
}

interface FoldProps extends Pick<FoldedListProps, 'activities' | 'weeks'> {
  title: string;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

function Fold({ title, activities, weeks, isOpen, onToggle }: FoldProps) {
  if (activities.length === 0) return null;
  const overdue = activities.filter(({ state }) => state === 'overdue').length;
  const count = activities.length === 1 ? '1 activity' : `${activities.length.toLocaleString('en-US')} activities`;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <Button
        variant="default"
        fullWidth
        justify="flex-start"
        h="auto"
        py="xs"
        leftSection={<Icon size={18} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
        styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
      >
        <DottedFacts
          facts={[
            title,
            <Text key="count" span size="sm" c="dimmed" fw={400}>
              {overdue > 0 ? `${count}, ${overdue.toLocaleString('en-US')} overdue` : count}
            </Text>,
          ]}
        />
      </Button>
      {isOpen ? <ActivityList activities={activities} weeks={weeks} /> : null}
    </>
  );
}
