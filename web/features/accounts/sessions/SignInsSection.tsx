import { Card, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { listSignIns, signInRecordInWords } from '#contract/sign-in-records.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { EventList } from '../../../ui/EventList.tsx';

/** Sign-ins to the person's own account, and failed tries. */
export function SignInsSection() {
  const list = useInfiniteQuery({ ...pagesFor(listSignIns, { query: {} }), refetchOnMount: 'always' });
  return (
    <Card component="section" aria-labelledby="sign-ins-title">
      <Title order={2} id="sign-ins-title" mb={4}>
        Recent sign-ins
      </Title>
      <Text c="dimmed" mb="md">
        The last 90 days. If one was not you, change your password.
      </Text>
      <EventList name="recent sign-ins" label="Recent sign-ins" list={list} inWords={signInRecordInWords} />
    </Card>
  );
}
