import { Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { SearchText } from '#contract/endpoint.ts';
import {
  type CommentFacts,
  filledIn,
  listSavedComments,
  type SavedComment,
  withoutName,
} from '#contract/saved-comments.ts';
import { pagesFor } from '../../api/query-for.ts';
import { LoadedRows } from '../../ui/Loaded.tsx';
import { NextPageButton } from '../../ui/NextPageButton.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { SavedCommentForm } from './SavedCommentForm.tsx';
import classes from './SavedComments.module.css';
import { useFocused } from './use-focused.ts';

interface SavedCommentsProps {
  /** What the comments leave open. */
  facts: CommentFacts;
  /** What stands in the review now. */
  feedback: string;
  onInsert: (text: string) => void;
}

/** Choosing a comment puts it into the review. */
export function SavedComments({ facts, feedback, onInsert }: SavedCommentsProps) {
  const [edited, setEdited] = useState<SavedComment | 'new' | null>(null);
  if (edited !== null) {
    const blank = { title: '', text: withoutName(feedback.trim(), facts['first name']), isShared: false };
    return (
      <SavedCommentForm
        comment={edited === 'new' ? null : edited}
        start={edited === 'new' ? blank : edited}
        onClose={() => setEdited(null)}
      />
    );
  }
  return (
    <Stack gap="sm">
      <Choices facts={facts} onInsert={onInsert} onEdit={setEdited} />
      <Button variant="default" size="sm" onClick={() => setEdited('new')}>
        {feedback.trim() ? 'Save this as a comment' : 'Write a comment to save'}
      </Button>
    </Stack>
  );
}

interface ChoicesProps extends Pick<SavedCommentsProps, 'facts' | 'onInsert'> {
  onEdit: (comment: SavedComment) => void;
}

function Choices({ facts, onInsert, onEdit }: ChoicesProps) {
  const [search, setSearch] = useState('');
  const field = useFocused();
  const [asked] = useDebouncedValue(search.trim(), 300);
  const list = useInfiniteQuery({
    ...pagesFor(listSavedComments, { query: { search: asked || undefined } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextInput
        ref={field}
        type="search"
        aria-label="Search saved comments"
        placeholder="Search saved comments"
        value={search}
        maxLength={limitOf(SearchText)}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <div className={classes.list}>
        <LoadedRows
          list={list}
          failure="Failed to load saved comments"
          loading={{ label: 'Loading saved comments', rows: 3 }}
          empty={
            <Text size="sm" c="dimmed">
              {asked ? 'No comment has these words.' : 'Save what you often write. It is here the next time.'}
            </Text>
          }
        >
          {(comments) => (
            <Stack gap={2} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {comments.map((comment) => (
                <Choice key={comment.id} comment={comment} facts={facts} onInsert={onInsert} onEdit={onEdit} />
              ))}
            </Stack>
          )}
        </LoadedRows>
        <NextPageButton list={list} />
      </div>
    </>
  );
}

function Choice({ comment, facts, onInsert, onEdit }: { comment: SavedComment } & ChoicesProps) {
  const { title, can } = comment;
  const text = filledIn(comment.text, facts);
  return (
    <Group component="li" gap={4} wrap="nowrap" align="stretch">
      <UnstyledButton className={classes.choice} onClick={() => onInsert(text)} aria-label={`Insert ${title}`}>
        <Text size="sm" fw={550} truncate>
          {title}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {text}
        </Text>
        {comment.isShared ? (
          <Text size="xs" c="dimmed">
            {sharedInWords(comment)}
          </Text>
        ) : null}
      </UnstyledButton>
      {can.change ? (
        <UnstyledButton className={classes.edit} onClick={() => onEdit(comment)} aria-label={`Edit ${title}`}>
          <Pencil size={16} aria-hidden />
        </UnstyledButton>
      ) : null}
    </Group>
  );
}

function sharedInWords({ isOwn, authorName }: SavedComment): string {
  if (isOwn) return 'Shared by you';
  return authorName ? `Shared by ${authorName}` : 'Shared';
}
