import { Box, Button, Card, Divider, Stack, Switch, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  type NotificationPreferences,
  readNotificationPreferences,
  saveNotificationPreferences,
} from '#contract/notices.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { PushHere } from '../deliveries/PushHere.tsx';
import { type Choice, categoryChoices, channelChoices, notSetUp, withoutPhone } from './preference-words.ts';

type Stored = ResponseOf<typeof readNotificationPreferences>;

/** The words of a switch begin here, in pixels from the left. */
const besideSwitch = 50;

/** PREF-02, PREF-03, PREF-05, PREF-06 */
export function PreferencesForm({ stored }: { stored: Stored }) {
  const { role } = useSignedInUser();
  const [changes, setChanges] = useState<Partial<NotificationPreferences>>({});
  const shown = { ...stored.preferences, ...changes };
  const action = useAction(saveNotificationPreferences, {
    success: 'Preferences Saved',
    failureTitle: 'Save Failed',
    onSuccess: (preferences) => {
      queryClient.setQueryData(queryFor(readNotificationPreferences).queryKey, { ...stored, preferences });
      setChanges({});
    },
  });
  const choiceOf = ({ key, label, description }: Choice, note?: string) => (
    <Switch
      label={label}
      description={
        <>
          {description}
          {note ? (
            <Text span display="block" inherit fw={600} c="var(--status-warning)">
              {note}
            </Text>
          ) : null}
        </>
      }
      styles={{ description: { fontSize: 'var(--mantine-font-size-sm)', lineHeight: 1.45 } }}
      checked={shown[key]}
      onChange={({ currentTarget }) => setChanges({ ...changes, [key]: currentTarget.checked })}
      disabled={action.isRunning}
    />
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.run({ body: shown });
      }}
    >
      <Stack gap="lg" maw={720}>
        <Choices title="Channels" lead="How we reach you outside Switchyard. The list behind the bell is always there.">
          {channelChoices.map((choice) => (
            <Fragment key={choice.key}>
              {choiceOf(choice, noteOn(choice.channel, stored, shown))}
              {choice.channel === 'push' && stored.isSetUp.push && shown.pushEnabled ? (
                <Box ps={besideSwitch}>
                  <PushHere />
                </Box>
              ) : null}
            </Fragment>
          ))}
        </Choices>
        <Choices
          title="Categories"
          lead="We won't send what you switch off. What others did stays in the list behind the bell."
        >
          {categoryChoices(role).map((choice) => (
            <Fragment key={choice.key}>{choiceOf(choice)}</Fragment>
          ))}
          <Divider />
          <Text size="sm" c="dimmed">
            Assignment reminders come 24 hours before the due date, reminders of coaching sessions 24 hours before the
            session, and message notifications immediately. We always email you about your account and signing in, and
            about changes to coaching sessions that are in your calendar.
          </Text>
        </Choices>
        <Button type="submit" w="fit-content" loading={action.isRunning}>
          Save preferences
        </Button>
      </Stack>
    </form>
  );
}

/** Says why a channel would bring nothing. */
function noteOn(
  channel: 'email' | 'sms' | 'push',
  { isSetUp, phone }: Stored,
  { smsEnabled }: NotificationPreferences,
) {
  if (!isSetUp[channel]) return notSetUp[channel];
  return channel === 'sms' && smsEnabled && phone === null ? withoutPhone : undefined;
}

function Choices({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const id = `preferences-${title.toLowerCase()}`;
  return (
    <Card component="section" aria-labelledby={id}>
      <Stack gap="md">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {lead}
          </Text>
        </div>
        {children}
      </Stack>
    </Card>
  );
}
