import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { HomePanel } from './HomePanel.tsx';

interface LinkEntry {
  label: string;
  to: string;
  note: string;
}

/** ADMIN-09, with Programme Setup and Cohort Progress beside it. */
export function SystemManagement({ isFolded }: { isFolded: boolean }) {
  return (
    <HomePanel
      title="System Management"
      fold={isFolded ? { name: 'system', figure: 'Training, contents, setup, progress, log and more' } : null}
    >
      <Links
        entries={[
          { label: 'Training Management', to: paths.trainingManagement, note: 'Sessions and their cohorts' },
          { label: 'Messages', to: paths.messages, note: 'Conversations of coaches and participants' },
          { label: 'Content Management', to: paths.contentManagement, note: 'Contents and assignments' },
          { label: 'Programme Setup', to: paths.programmeSetup, note: 'Cohorts, courses, modules and tracks' },
          { label: 'Cohort Progress', to: paths.cohortProgress, note: 'How far everybody is, and modules set by hand' },
          { label: 'Undelivered Messages', to: paths.deliveries, note: 'What we could not deliver, and why' },
          {
            label: 'Attendance Corrections',
            to: paths.attendanceCorrections,
            note: 'What participants say about their records',
          },
          { label: 'Stipend Questions', to: paths.stipendQuestions, note: 'What participants ask about their weeks' },
          { label: 'Audit Log', to: paths.auditLog, note: 'Who did what, when, and on whom' },
        ]}
      />
    </HomePanel>
  );
}

/** ADMIN-10 */
export function QuickActions({ isFolded }: { isFolded: boolean }) {
  return (
    <HomePanel
      title="Quick Actions"
      fold={isFolded ? { name: 'actions', figure: 'Messages, bulk user creation, submissions' } : null}
    >
      <Links
        entries={[
          { label: 'Messages', to: paths.messages, note: 'Read what people write' },
          { label: 'Bulk User Creation', to: paths.bulkInvitations, note: 'Import people' },
          { label: 'Submissions', to: paths.submissions, note: 'What was handed in' },
        ]}
      />
    </HomePanel>
  );
}

function Links({ entries }: { entries: LinkEntry[] }) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {entries.map(({ label, to, note }) => (
        <li key={label}>
          <Anchor component={Link} to={to} fw={550} display="inline-block" py={2}>
            {label}
          </Anchor>
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
