import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { type Cohort, type CohortMember, readCohortMember, withdrawMember } from '#contract/cohorts.ts';
import { queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { LoadedParts } from '../../../ui/Loaded.tsx';
import { LongText } from '../../../ui/LongText.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { useForm, written } from '../../../ui/use-form.ts';
import { useReturnFocus } from '../../../ui/use-return-focus.ts';
import { useUnsavedChanges } from '../../../ui/use-unsaved-changes.tsx';

const schema = z.object({ reason: written('Please say why.') });

interface WithdrawDialogProps {
  cohort: Cohort;
  member: CohortMember;
  onClose: () => void;
}

/** Says what ends and what stays before it happens. */
export function WithdrawDialog({ cohort, member, onClose }: WithdrawDialogProps) {
  useReturnFocus();
  const form = useForm({ reason: '' });
  const params = { id: cohort.id, participantId: member.participantId };
  const facts = useQuery({ ...queryFor(readCohortMember, { params }), staleTime: 0 });
  const withdraw = useAction(withdrawMember, {
    success: ({ firstName, lastName }) => ({ title: 'Member Withdrawn', message: `${firstName} ${lastName}` }),
    failureTitle: 'The member could not be withdrawn',
    onSuccess: onClose,
  });
  const { afterAsking, closing, question } = useUnsavedChanges(form.draft.reason.trim() !== '' && !withdraw.isRunning);
  const name = `${member.firstName} ${member.lastName}`;
  return (
    <>
      <Modal opened {...closing(onClose)} title={`Withdraw ${name}`}>
        <form onSubmit={form.submit(schema, (body) => withdraw.run({ params, body }))} noValidate>
          <Stack gap="md">
            <Text>
              {name} leaves {cohort.name} at once. They can no longer open its activities and weeks, and their place is
              free.
            </Text>
            <LoadedParts
              read={facts}
              failure="What stays could not be counted"
              loading={{ label: 'Loading what stays', rows: 2 }}
            >
              {({ stays, upcomingSessions }) => (
                <List size="sm" spacing={4}>
                  <List.Item>
                    {counted(stays.submissions, 'submission')}, {stays.attendance} of attendance and{' '}
                    {counted(stays.stipends, 'stipend')} stay as they are.
                  </List.Item>
                  <List.Item>
                    Coach and courses stay
                    {upcomingSessions > 0 ? `, so do ${counted(upcomingSessions, 'booked coaching session')}` : ''}.
                  </List.Item>
                  <List.Item>You can take them back while there is a free place.</List.Item>
                </List>
              )}
            </LoadedParts>
            <LongText
              label="Reason"
              description="Kept in the audit log."
              required
              maxLength={limitOf(withdrawMember.body, 'reason')}
              autosize
              minRows={2}
              {...form.field('reason')}
              data-autofocus
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => afterAsking(onClose)}>
                Cancel
              </Button>
              <Button type="submit" color="red.9" loading={withdraw.isRunning}>
                Withdraw member
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}
