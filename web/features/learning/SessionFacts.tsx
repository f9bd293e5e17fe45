import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readActivity } from '#contract/learning.ts';
import { dayAt } from '#contract/weeks.ts';
import { instantIn, zoneInWords } from '#contract/zones.ts';
import { AddToCalendar } from '../../ui/AddToCalendar.tsx';
import { formatClock, formatDay, formatLocalTime } from '../../ui/dates.ts';
import { WrittenText } from '../../ui/WrittenText.tsx';
import classes from './SessionFacts.module.css';

type Activity = ResponseOf<typeof readActivity>;

/** When, where and with whom (ACT-01). The way in comes first. */
export function SessionFacts({ activity }: { activity: Activity }) {
  const { description, audiences } = activity;
  return (
    <Card component="section" aria-labelledby="session">
      <Stack gap="md">
        <Title order={2} id="session">
          Session
        </Title>
        {activity.meetingUrl ? <JoinLink activity={activity} url={activity.meetingUrl} /> : null}
        <dl className={`${classes.facts} ${classes.lines}`}>
          {factsOf(activity).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {isToCome(activity) ? <AddToCalendar kind="activity" id={activity.id} name={activity.title} /> : null}
        {description ? <WrittenText>{description}</WrittenText> : null}
        {audiences.length > 0 ? (
          <div>
            <Text size="sm" c="dimmed" mb={4} id="programmes">
              Applicable Programmes
            </Text>
            <Group gap="xs" role="list" aria-labelledby="programmes">
              {audiences.map(({ key, label }) => (
                <Badge key={key} role="listitem" color="gray" size="lg">
                  {label}
                </Badge>
              ))}
            </Group>
          </div>
        ) : null}
      </Stack>
    </Card>
  );
}

/** Coaches and admins complete nothing, so they may add any dated session to their calendar. */
function isToCome({ sessionDate, state }: Activity): boolean {
  return sessionDate !== null && state !== 'completed' && state !== 'overdue';
}

/** ACT-13: the link works on the day of the session only. */
function JoinLink({ activity, url }: { activity: Activity; url: string }) {
  const icon = <ExternalLink size={16} aria-hidden />;
  if (activity.isMeetingOpen) {
    return (
      <Button component="a" href={url} target="_blank" rel="noopener noreferrer" leftSection={icon} w="fit-content">
        Join the session
      </Button>
    );
  }
  return (
    <Group gap="sm">
      <Button disabled leftSection={icon} aria-describedby="join-when">
        Join the session
      </Button>
      <Text size="sm" c="dimmed" id="join-when">
        {joinWhen(activity, new Date())}
      </Text>
    </Group>
  );
}

function joinWhen({ sessionDate, zone }: Activity, now: Date): string {
  if (!sessionDate) return 'The link works on the day of the session, which is not scheduled yet.';
  const works = sessionDate < dayAt(now, zone) ? 'worked' : 'works';
  return `The link ${works} on the day of the session, ${formatDay(sessionDate)} (${zoneInWords(zone, now)}).`;
}

function factsOf(activity: Activity): [string, ReactNode][] {
  const { sessionDate, sessionTime, zone, durationMinutes, location, meetingUrl, cohortName } = activity;
  const day = formatDay(sessionDate, { withYear: true });
  const duration = activity.duration ?? (durationMinutes ? `${durationMinutes} minutes` : null);
  const partner = activity.deliveryPartner ? `Run by ${activity.deliveryPartner}` : null;
  const begins = sessionDate && sessionTime ? instantIn(sessionDate, sessionTime, zone) : null;
  const ownTime = formatLocalTime(begins, zone);
  const facts: [string, ReactNode][] = [
    ['Date', sessionDate && sessionTime ? `${day}, ${formatClock(sessionTime, zone)}` : day],
    ['For you', ownTime],
    ['Duration', duration],
    ['Location', meetingUrl ? 'Online: use the link above' : location],
    ['How', [activity.deliveryMedium, activity.trainingDeliveryMode, partner].filter(Boolean).join(' · ') || null],
    ['Cohort', cohortName],
  ];
  return facts.filter(([, value]) => value !== null);
}
