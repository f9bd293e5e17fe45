import { Anchor, Button, Card, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ParticipantDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { EmptyState } from '../../ui/states.tsx';
import { HomePanel } from './HomePanel.tsx';
import { ParticipantCoaching } from './ParticipantCoaching.tsx';
import type { Retry } from './SectionNotLoaded.tsx';

interface ParticipantWithoutCohortProps {
  coaching: ParticipantDashboard['coaching'];
  retry: Retry;
}

/** FELL-27: the button leads to a page that works, and does not loop. */
export function ParticipantWithoutCohort({ coaching, retry }: ParticipantWithoutCohortProps) {
  return (
    <Stack gap="lg">
      <Card>
        <EmptyState
          title="No Active Enrollment"
          action={
            <Button component={Link} to={paths.home} variant="default">
              Return to Home
            </Button>
          }
        >
          You are not in a cohort yet. When the program team adds you to one, your week, your activities and your
          stipend will be here.
        </EmptyState>
      </Card>
      <WhatHappensNext />
      <ParticipantCoaching coaching={coaching} retry={retry} />
    </Stack>
  );
}

function WhatHappensNext() {
  return (
    <HomePanel title="What happens next">
      <Stack gap="sm">
        <List type="ordered" spacing={6}>
          <List.Item>The program team adds you to a cohort. You don't have to do anything for this.</List.Item>
          <List.Item>We tell you here and by email on the day it happens.</List.Item>
          <List.Item>This page then shows your start date, your first week and your coach.</List.Item>
        </List>
        <Text>
          Nothing after a week? Ask the person who invited you. Until then you can look at the{' '}
          <Anchor component={Link} to={paths.resources} underline="always">
            resources
          </Anchor>{' '}
          or{' '}
          <Anchor component={Link} to={paths.notificationPreferences} underline="always">
            choose how we notify you
          </Anchor>
          .
        </Text>
      </Stack>
    </HomePanel>
  );
}
