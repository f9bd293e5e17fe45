import { Combobox, Loader, Stack, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { SearchText } from '#contract/endpoint.ts';
import { fewestLettersToFind, find } from '#contract/finding.ts';
import { queryFor } from '../../api/query-for.ts';
import { useSignedInUser } from '../../api/session.ts';
import { choicesNotLoaded } from '../../ui/NotLoaded.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { actIn } from './acts.ts';
import { type Choice, type ChoiceGroup, type FinderDialogProps, groupsOf, screensFor } from './choices.ts';
import classes from './FinderDialog.module.css';

const typingPauseInMs = 200;

/** A field and what it finds. The list is always open, so the field keeps the focus and arrow keys choose. */
export function FinderDialog({ screens, onClose, typed, onType, field }: FinderDialogProps) {
  const { role } = useSignedInUser();
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(typed.trim(), typingPauseInMs);
  const given = actIn(asked, role);
  const words = given?.thing ?? asked;
  const isLongEnough = words.length >= fewestLettersToFind;
  const found = useQuery({
    ...queryFor(find, { query: { words } }),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  });
  const groups = [
    ...screensFor(screens, role, typed),
    ...(isLongEnough && found.data ? groupsOf(found.data, role, given?.act) : []),
  ];
  const choices = groups.flatMap(({ choices }) => choices);
  const list = useCombobox({ opened: true, onDropdownClose: onClose });
  const { selectFirstOption } = list;
  const keys = choices.map(({ key }) => key).join(' ');
  // The state draws the field once more, which knows then that its list is there.
  const [, setSelected] = useState<string | null>(null);
  useEffect(() => {
    setSelected(keys ? selectFirstOption() : null);
  }, [keys, selectFirstOption]);
  // The window had its focus before this part was loaded. No key comes between drawing the field and this.
  useLayoutEffect(() => field.current?.focus(), [field]);

  const go = (key: string) => {
    const choice = choices.find((one) => one.key === key);
    if (!choice) return;
    onClose();
    if ('href' in choice) window.open(choice.href, '_blank', 'noopener,noreferrer');
    else void navigate({ to: choice.to, search: choice.search ?? {} });
  };
  return (
    <Combobox store={list} onOptionSubmit={go}>
      <Stack gap="sm">
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            type="search"
            ref={field}
            data-autofocus
            aria-label="Find"
            placeholder="A name, a screen, what you want to do …"
            size="md"
            leftSection={<Search size={18} aria-hidden />}
            rightSection={found.isFetching ? <Loader size="xs" aria-hidden /> : null}
            value={typed}
            maxLength={limitOf(SearchText)}
            inputWrapperOrder={['input', 'description']}
            description={isLongEnough ? choicesNotLoaded('what was found', found) : null}
            onChange={({ currentTarget }) => onType(currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options aria-label="Found">
          {groups.map((group) => (
            <Group key={group.label} group={group} />
          ))}
        </Combobox.Options>
        <Text size="sm" c="dimmed" role="status">
          {summaryOf(typed, isLongEnough, found.isSuccess && !found.isPlaceholderData, choices.length)}
        </Text>
      </Stack>
    </Combobox>
  );
}

function Group({ group: { label, choices } }: { group: ChoiceGroup }) {
  return (
    <Combobox.Group label={label}>
      {choices.map((choice) => (
        <Combobox.Option key={choice.key} value={choice.key} className={classes.option}>
          <Words choice={choice} />
        </Combobox.Option>
      ))}
    </Combobox.Group>
  );
}

function Words({ choice: { title, detail } }: { choice: Choice }) {
  return (
    <>
      <Text span display="block" truncate title={title}>
        {title}
      </Text>
      {detail ? (
        <Text span display="block" size="sm" truncate className={classes.detail}>
          {detail}
        </Text>
      ) : null}
    </>
  );
}

function summaryOf(typed: string, isLongEnough: boolean, isRead: boolean, count: number): string {
  if (!typed.trim()) return 'Arrow keys choose, Enter opens.';
  if (!isLongEnough) return `Type at least ${fewestLettersToFind} letters to find people and work.`;
  if (!isRead) return '';
  return count === 0 ? `Nothing found for “${typed.trim()}”` : `${count.toLocaleString('en-US')} found`;
}
