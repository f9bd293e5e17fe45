import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { enrolInFellowship } from '#contract/cohorts.ts';
import { listUsers, type User } from '#contract/user-management.ts';
import { messageOf } from '../../api/api-error.ts';
import { queryClient, queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { limitOf } from '../../ui/text-limit.ts';
import { showToast } from '../../ui/toast.tsx';
import { useForm, written } from '../../ui/use-form.ts';
import { HomePanel } from './HomePanel.tsx';
import { PersonField } from './PersonField.tsx';

const emptyMessage = 'Please enter a user ID to search for';
const asked = z.object({ userId: written(emptyMessage) });
const severalMessage = 'More than one match: choose one of them';
const offered = 8;

/** ADMIN-11 to ADMIN-18. If it is refused, the input stays. A name or an email address leads to the ID. */
export function AdminEnrolBox({ isFolded }: { isFolded: boolean }) {
  const form = useForm({ userId: '' });
  const { people, isNamed, failure, retry } = usePeople(form.draft.userId);
  const [named] = isNamed ? people : [];
  const choices = isNamed ? [] : people;
  const [isLooking, setLooking] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const field = form.field('userId');
  const action = useAction(enrolInFellowship, {
    success: ({ firstName, lastName, cohortName }) => ({
      title: 'User Registered',
      message: `${firstName} ${lastName} is now registered in ${cohortName}.`,
    }),
    failureTitle: 'Registration Failed',
    onSuccess: () => form.reset(),
    onError: () => form.focus('userId'),
  });
  const submit = async (userId: string) => {
    if (isId(userId)) return action.run({ body: { userId } });
    setLooking(true);
    try {
      const { rows } = await queryClient.fetchQuery(peopleCalled(userId));
      const [only, ...others] = rows;
      if (!only) return action.run({ body: { userId } });
      // This shows the people of a name before anybody is registered.
      if (others.length > 0) form.showErrors({ userId: severalMessage });
      else form.set({ userId: only.id });
    } catch (error) {
      showToast({ type: 'error', title: 'People could not be searched', message: messageOf(error) });
    } finally {
      setLooking(false);
    }
    form.focus('userId');
  };
  return (
    <HomePanel
      title="Register in the fellowship cohort"
      fold={isFolded ? { name: 'register', figure: 'By user ID, name or email' } : null}
    >
      <form noValidate onSubmit={form.submit(asked, ({ userId }) => void submit(userId))}>
        <Stack gap="sm" align="flex-start">
          <PersonField
            field={{
              label: 'User ID',
              description: 'The id of the participant’s account. Or type a name or email and choose the person.',
              placeholder: '00000000-0000-0000-0000-000000000000',
              maxLength: limitOf(enrolInFellowship.body, 'userId'),
              ...field,
              onBlur: () => {
                setChoosing(false);
                field.onBlur();
              },
            }}
            choosing={{
              data: choices.map(({ id }) => id),
              // Without choices there is nothing to open.
              dropdownOpened: isChoosing && choices.length > 0,
              onDropdownOpen: () => setChoosing(true),
              onDropdownClose: () => setChoosing(false),
              // The server has searched already. An option is the person, and it fills in the ID.
              filter: ({ options }) => options,
              renderOption: ({ option }) => wordsFor(choices.find(({ id }) => id === option.value)),
            }}
          />
          {named ? (
            <Text size="sm" role="status">
              {wordsFor(named)}
            </Text>
          ) : null}
          {failure ? (
            <Group gap="sm" role="alert">
              <Text size="sm" c="var(--mantine-color-error)">
                People could not be searched: {failure}
              </Text>
              <Button variant="default" size="compact-sm" onClick={retry}>
                Try again
              </Button>
            </Group>
          ) : null}
          <Button type="submit" loading={isLooking || action.isRunning}>
            Register user
          </Button>
        </Stack>
      </form>
    </HomePanel>
  );
}

/** Finds participants by a part of their name or email, or the one with this ID. */
function usePeople(typed: string) {
  const [search] = useDebouncedValue(typed.trim(), 300);
  const isSettled = search.length >= 2 && search === typed.trim();
  const found = useQuery({ ...peopleCalled(search), enabled: isSettled });
  const people: User[] = isSettled ? (found.data?.rows ?? []).slice(0, offered) : [];
  const failure = isSettled && found.isError ? messageOf(found.error) : null;
  return { people, isNamed: isId(search), failure, retry: () => void found.refetch() };
}

function peopleCalled(text: string) {
  return queryFor(listUsers, { query: { search: text.trim(), role: 'participant', order: 'name' } });
}

function isId(text: string): boolean {
  return z.uuid().safeParse(text.trim().toLowerCase()).success;
}

function wordsFor(person: User | undefined) {
  return person ? `${person.firstName} ${person.lastName} · ${person.email}` : null;
}
