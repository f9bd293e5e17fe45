import { Button, Card, Flex, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { addLeave, listLeave, removeLeave } from '#contract/booking-setup.ts';
import { houseZone } from '#contract/house-zone.ts';
import { dayAt } from '#contract/weeks.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { formatDay } from '../../ui/dates.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm } from '../../ui/use-form.ts';
import classes from './SessionRows.module.css';

const nothing = { startsOn: '', endsOn: '', note: '' };
/** Without a last day it is the first. */
const schema = z
  .object({ startsOn: z.string().min(1, 'Choose the first day.'), endsOn: z.string(), note: z.string() })
  .transform(({ startsOn, endsOn, note }) => ({
    startsOn,
    endsOn: endsOn || startsOn,
    note: note.trim() || null,
  }))
  .refine(({ startsOn, endsOn }) => endsOn >= startsOn, {
    path: ['endsOn'],
    message: 'Must not be before the first day.',
  });

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
            Nobody can book you on these days. Sessions that are already booked stay: cancel them under Sessions.
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
  const form = useForm(nothing);
  const add = useAction(addLeave, {
    success: 'Leave added',
    failureTitle: 'The leave could not be added',
    onSuccess: form.reset,
  });
  const today = dayAt(new Date(), houseZone);
  return (
    <form onSubmit={form.submit(schema, (body) => add.run({ body }))} noValidate aria-label="New leave">
      <Flex gap="sm" wrap="wrap" direction={{ base: 'column', xs: 'row' }} align={{ base: 'stretch', xs: 'flex-end' }}>
        <TextInput label="First day" type="date" min={today} {...form.field('startsOn')} />
        <TextInput label="Last day" type="date" min={form.draft.startsOn || today} {...form.field('endsOn')} />
        <TextInput label="Note for yourself" maxLength={limitOf(addLeave.body, 'note')} {...form.field('note')} />
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
