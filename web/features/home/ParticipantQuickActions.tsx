import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CalendarDays, ClipboardCheck, GraduationCap, Users } from 'lucide-react';
import { paths } from '../../app/paths.ts';
import { HomePanel } from './HomePanel.tsx';
import { useFolds } from './use-folds.ts';

interface ParticipantQuickActionsProps {
  /** Null if it is not known. The calendar finds it then. */
  weekNumber: number | null;
  isFolded?: boolean;
}

/** FELL-24 */
export function ParticipantQuickActions({ weekNumber, isFolded = false }: ParticipantQuickActionsProps) {
  const { open } = useFolds();
  const toCoaching = async () => {
    if (isFolded) await open('coaching');
    document.getElementById('coaching')?.scrollIntoView({ block: 'start' });
  };
  return (
    <HomePanel
      title="Quick actions"
      fold={isFolded ? { name: 'actions', figure: 'Coaching, calendar, submissions, program' } : null}
    >
      <Stack gap="xs">
        <Button
          variant="default"
          justify="flex-start"
          leftSection={<Users size={16} aria-hidden />}
          onClick={() => void toCoaching()}
        >
          Schedule coaching
        </Button>
        <Button
          component={Link}
          to={weekNumber === null ? paths.trainingCalendar : paths.calendarWeek(weekNumber)}
          variant="default"
          justify="flex-start"
          leftSection={<CalendarDays size={16} aria-hidden />}
        >
          This week in the calendar
        </Button>
        <Button
          component={Link}
          to={paths.submissions}
          variant="default"
          justify="flex-start"
          leftSection={<ClipboardCheck size={16} aria-hidden />}
        >
          My submissions
        </Button>
        <Button
          component={Link}
          to={paths.fellowship}
          variant="default"
          justify="flex-start"
          leftSection={<GraduationCap size={16} aria-hidden />}
        >
          My program and track
        </Button>
      </Stack>
    </HomePanel>
  );
}
