import { Box, Button, Group, NativeSelect, Text, Textarea } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { listWeeklyRatings, rateWeek } from '#contract/coaching.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import classes from './WeeklyRatings.module.css';

type Rating = ResponseOf<typeof rateWeek>;

const steps = ['5.0', '4.5', '4.0', '3.5', '3.0', '2.5', '2.0', '1.5', '1.0'];
const ratingOptions = [{ value: '', label: 'Not rated' }, ...steps.map((value) => ({ value, label: value }))];

/** One participant's rating of one week. What is typed stays until it is saved. */
export function WeeklyRatingForm({ row }: { row: Rating }) {
  const [reply, setReply] = useState<Rating | null>(null);
  const stored = newerOf(row, reply);
  const [draft, setDraft] = useState<Partial<{ rating: string; comment: string }>>({});
  const [isRefused, setIsRefused] = useState(false);
  const save = useAction(rateWeek, {
    refreshes: [listWeeklyRatings],
    onSuccess: (saved) => {
      setReply(saved);
      setDraft({});
    },
  });
  const rating = draft.rating ?? stored.rating?.toFixed(1) ?? '';
  const comment = draft.comment ?? stored.comment ?? '';
  const isChanged = rating !== (stored.rating?.toFixed(1) ?? '') || comment !== (stored.comment ?? '');
  const name = `${row.firstName} ${row.lastName}`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(rating === '');
    if (rating === '') return;
    save.run({
      params: { participantId: row.participantId, weekNumber: row.weekNumber },
      body: { rating: Number(rating), comment: comment.trim() || null },
    });
  };
  return (
    <form onSubmit={submit} noValidate aria-label={`Rating of ${name}`} className={classes.row}>
      <Box className={classes.person}>
        <Text fw={600}>{name}</Text>
        <Text size="sm" c="dimmed">
          {row.cohortName}, week {row.weekNumber}
        </Text>
        {row.can.rate ? null : (
          <Text size="sm" c="dimmed">
            Can't be rated: the week is still to come, or its stipend is decided already.
          </Text>
        )}
      </Box>
      <NativeSelect
        label="Rating"
        data={ratingOptions}
        value={rating}
        disabled={!row.can.rate}
        error={isRefused && rating === '' ? 'Choose a rating first.' : null}
        onChange={({ currentTarget }) => setDraft({ ...draft, rating: currentTarget.value })}
        className={classes.rating}
      />
      <Textarea
        label="Comment"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={2000}
        value={comment}
        disabled={!row.can.rate}
        onChange={({ currentTarget }) => setDraft({ ...draft, comment: currentTarget.value })}
        className={classes.comment}
      />
      <Group gap="sm" wrap="nowrap" className={classes.save}>
        {row.can.rate ? (
          <Button type="submit" variant="default" loading={save.isRunning} aria-label={`Save the rating of ${name}`}>
            Save
          </Button>
        ) : null}
        <SavedState isSaved={stored.updatedAt !== null && !isChanged} />
      </Group>
      {save.error ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" className={classes.error}>
          {messageOf(save.error)}
        </Text>
      ) : null}
    </form>
  );
}

function SavedState({ isSaved }: { isSaved: boolean }) {
  return (
    <Group gap={6} wrap="nowrap" role="status" miw={64}>
      {isSaved ? (
        <>
          <CircleCheck size={16} aria-hidden color="var(--status-success)" />
          <Text size="sm">Saved</Text>
        </>
      ) : null}
    </Group>
  );
}

/** The reply to the own save counts until the list has caught up with it. */
function newerOf(row: Rating, reply: Rating | null): Rating {
  return reply && (reply.updatedAt ?? '') > (row.updatedAt ?? '') ? reply : row;
}
