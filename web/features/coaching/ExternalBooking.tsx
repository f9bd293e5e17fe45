import { Button, Card, Stack, Text, Title } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';

type Coach = ResponseOf<typeof readBooking>['coaches'][number];

/** COACH-47: shows nothing while the coach has scheduling switched off. */
export function ExternalBooking({ coach }: { coach: Coach }) {
  const { externalLink, instructions, firstName, lastName } = coach;
  if (!externalLink && !instructions) return null;
  return (
    <Card component="section" aria-labelledby="external-booking">
      <Stack gap="sm" align="flex-start">
        <Title order={2} id="external-booking">
          {externalLink ? `Book on ${firstName} ${lastName}'s own page` : `${firstName} ${lastName} asks you`}
        </Title>
        {instructions ? <Text style={{ whiteSpace: 'pre-wrap' }}>{instructions}</Text> : null}
        {externalLink ? (
          <Button
            component="a"
            href={externalLink}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<ExternalLink size={15} aria-label="opens in a new tab" />}
          >
            Book a session
          </Button>
        ) : null}
      </Stack>
    </Card>
  );
}
