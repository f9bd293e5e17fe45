import { Anchor, Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readPerson } from '#contract/people.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { formatDay } from '../../ui/dates.ts';
import wrapping from '../../ui/wrapping.module.css';
import classes from './PersonPage.module.css';

type Person = ResponseOf<typeof readPerson>['person'];

/** Who is this, and how are they reached? */
export function PersonFacts({ person }: { person: Person }) {
  const { email, phone, cohorts, coach, role, lastSignInAt } = person;
  return (
    <Card component="section" aria-labelledby="person-facts">
      <Title order={2} id="person-facts" mb="md">
        Contact and account
      </Title>
      <Stack component="dl" gap="sm" m={0} className={wrapping.wholeWords}>
        <Fact name="Email">
          <Anchor size="sm" href={`mailto:${email}`} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Anchor>
        </Fact>
        <Fact name="Phone">{phone ? <Anchor href={`tel:${phone}`}>{phone}</Anchor> : 'None given'}</Fact>
        {role === 'participant' ? (
          <>
            <Fact name="Cohort">{cohorts.map(({ name, status }) => `${name} (${status})`).join(', ') || 'None'}</Fact>
            <Fact name="Coach">{coach ? `${coach.firstName} ${coach.lastName}` : 'None'}</Fact>
          </>
        ) : null}
        <Fact name="Account">{accountInWords(person)}</Fact>
        <Fact name="Last sign-in">{lastSignInAt ? <DateTime value={lastSignInAt} /> : 'Never'}</Fact>
      </Stack>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm">
        {children}
      </Text>
    </div>
  );
}

function accountInWords({ invitation, isEmailConfirmed, createdAt }: Person): string {
  const created = `created ${formatDay(createdAt, { withYear: true })}`;
  if (invitation?.state === 'sent') return `Invited ${formatDay(invitation.sentAt)}, has not accepted yet`;
  if (invitation?.state === 'expired') return 'The invitation has expired';
  return `${isEmailConfirmed ? 'Confirmed' : 'Email not confirmed'}, ${created}`;
}
