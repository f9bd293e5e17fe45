import { Button, Card, Flex, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { addLeave, listLeave, removeLeave } from '#contract/booking-setup.ts';
import { easternDay } from '#contract/weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import classes from './SessionRows.module.css';

const nothing = { startsOn: '', endsOn: '', note: '' };

/** Days without bookings. Both ends are included. */
export function Leave() {
  const leave = useQuery(queryFor(listLeave));
  const remove = useAction(removeLeave, {
    success: 'Leave removed',
    failureTitle: 'The leave could not be removed',
  });
  return (
    <Card component="section" aria-labelledby="leave">
      <Stack gap="md">
        <div>
          <Title order={2} id="leave">
            Leave
          </Title>
          <Text size="sm" c="dimmed">
            On these days nothing can be booked. Sessions that are booked already stay: cancel them under Sessions.
          </Text>
        </div>
        <Loaded
          read={leave}
          failure="Your leave could not be loaded"
          loading={{ label: 'Loading your leave', rows: 1 }}
        >
          {({ leave }) =>
            leave.length === 0 ? null : (
              <Stack gap={0} component="ul" m={0} p={0} className={classes.list}>
                {leave.map(({ id, startsOn, endsOn, note }) => (
                  <li key={id} className={classes.row}>
                    <div className={classes.facts}>
                      <Text fw={550}>{daysInWords(startsOn, endsOn)}</Text>
                      {note ? (
                        <Text size="sm" c="dimmed">
                          {note}
                        </Text>
                      ) : null}
                    </div>
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={`Remove the leave ${daysInWords(startsOn, endsOn)}`}
                      onClick={() => remove.run({ params: { id } })}
                    >
                      Remove
                    </Button>
                  </li>
                ))}
              </Stack>
            )
          }
        </Loaded>
        <NewLeave />
      </Stack>
    </Card>
  );
}

function NewLeave() {
  const [draft, setDraft] = useState(nothing);
  const [isRefused, setRefused] = useState(false);
  const add = useAction(addLeave, {
    success: 'Leave added',
    failureTitle: 'The leave could not be added',
    onSuccess: () => setDraft(nothing),
  });
  const { startsOn, note } = draft;
  const endsOn = draft.endsOn || startsOn;
  const problem =
    startsOn === '' ? 'Choose the first day.' : endsOn < startsOn ? 'Must not be before the first day.' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefused(problem !== null);
    if (problem === null) add.run({ body: { startsOn, endsOn, note: note.trim() || null } });
  };
  const today = easternDay(new Date());
  return (
    <form onSubmit={submit} noValidate aria-label="New leave">
      <Flex gap="sm" wrap="wrap" direction={{ base: 'column', xs: 'row' }} align={{ base: 'stretch', xs: 'flex-end' }}>
        <TextInput
          label="First day"
          type="date"
          min={today}
          value={startsOn}
          error={isRefused && startsOn === '' ? problem : null}
          onChange={({ currentTarget }) => setDraft({ ...draft, startsOn: currentTarget.value })}
        />
        <TextInput
          label="Last day"
          type="date"
          min={startsOn || today}
          value={draft.endsOn}
          error={isRefused && startsOn !== '' ? problem : null}
          onChange={({ currentTarget }) => setDraft({ ...draft, endsOn: currentTarget.value })}
        />
        <TextInput
          label="Note for yourself"
          maxLength={limitOf(addLeave.body, 'note')}
          value={note}
          onChange={({ currentTarget }) => setDraft({ ...draft, note: currentTarget.value })}
        />
        <Button type="submit" variant="default" loading={add.isRunning}>
          Add leave
        </Button>
      </Flex>
    </form>
  );
}

function daysInWords(startsOn: string, endsOn: string): string {
  const first = formatDay(startsOn, { withYear: true });
  return startsOn === endsOn ? first : `${first} to ${formatDay(endsOn, { withYear: true })}`;
}
