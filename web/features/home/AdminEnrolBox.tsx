import { Autocomplete, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { enrolInFellowship } from '#contract/cohorts.ts';
import { readAdminDashboard } from '#contract/home.ts';
import { listUsers, type User } from '#contract/user-management.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { HomePanel } from './HomePanel.tsx';

const emptyMessage = 'Please enter a user ID to search for';
const offered = 8;

/** ADMIN-11 to ADMIN-18; what was typed stays when it is refused. A name or e-mail address leads to the ID. */
export function AdminEnrolBox() {
  const form = useForm({
    initialValues: { userId: '' },
    validate: { userId: (userId) => (userId.trim() === '' ? emptyMessage : null) },
    validateInputOnChange: false,
  });
  const { people, isNamed } = usePeople(form.values.userId);
  const [named] = isNamed ? people : [];
  const choices = isNamed ? [] : people;
  const [isChoosing, setChoosing] = useState(false);
  const field = form.getInputProps('userId');
  const action = useAction(enrolInFellowship, {
    refreshes: [readAdminDashboard, listUsers],
    success: ({ firstName, lastName, cohortName }) => ({
      title: 'User Registered',
      message: `${firstName} ${lastName} is now registered in ${cohortName}.`,
    }),
    failureTitle: 'Registration Failed',
    onSuccess: () => form.reset(),
    onError: () => form.getInputNode('userId')?.focus(),
  });
  return (
    <HomePanel title="Register in the fellowship cohort">
      <form
        noValidate
        onSubmit={form.onSubmit(
          ({ userId }) => action.run({ body: { userId } }),
          () => form.getInputNode('userId')?.focus(),
        )}
      >
        <Stack gap="sm" align="flex-start">
          <Autocomplete
            w="100%"
            label="User ID"
            description="The id of the participant’s account. Or type a name or email and choose the person."
            placeholder="00000000-0000-0000-0000-000000000000"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            data={choices.map(({ id }) => id)}
            // Without choices there is nothing to open.
            dropdownOpened={isChoosing && choices.length > 0}
            onDropdownOpen={() => setChoosing(true)}
            onDropdownClose={() => setChoosing(false)}
            comboboxProps={{ keepMounted: false }}
            // The server has searched already; an option is the person, what it fills in is the id.
            filter={({ options }) => options}
            renderOption={({ option }) => wordsFor(choices.find(({ id }) => id === option.value))}
            {...field}
            onBlur={() => {
              setChoosing(false);
              field.onBlur();
            }}
          />
          {named ? (
            <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
              {wordsFor(named)}
            </Text>
          ) : null}
          <Button type="submit" loading={action.isRunning}>
            Register user
          </Button>
        </Stack>
      </form>
    </HomePanel>
  );
}

/** Participants of whom a part of name or e-mail is typed, or the one whose ID it is. */
function usePeople(typed: string): { people: User[]; isNamed: boolean } {
  const [search] = useDebouncedValue(typed.trim(), 300);
  const isSettled = search.length >= 2 && search === typed.trim();
  const isNamed = z.uuid().safeParse(search.toLowerCase()).success;
  const found = useQuery({
    ...queryFor(listUsers, { query: { search, role: 'participant', order: 'name' } }),
    enabled: isSettled,
  });
  return { people: isSettled ? (found.data?.rows ?? []).slice(0, offered) : [], isNamed };
}

function wordsFor(person: User | undefined) {
  return person ? `${person.firstName} ${person.lastName} · ${person.email}` : null;
}
