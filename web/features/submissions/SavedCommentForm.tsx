import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import {
  commentBlanks,
  createSavedComment,
  deleteSavedComment,
  type SavedComment,
  SavedCommentWords,
  updateSavedComment,
} from '#contract/saved-comments.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm } from '../../ui/use-form.ts';
import { useFocused } from './use-focused.ts';

interface SavedCommentFormProps {
  /** Null for a new one. */
  comment: SavedComment | null;
  start: Pick<SavedComment, 'title' | 'text' | 'isShared'>;
  onClose: () => void;
}

export function SavedCommentForm({ comment, start, onClose }: SavedCommentFormProps) {
  const title = useFocused();
  const form = useForm({ title: start.title, text: start.text, isShared: start.isShared });
  const told = { failureTitle: 'Comment Not Saved', onSuccess: onClose };
  const create = useAction(createSavedComment, { ...told, success: 'Comment Saved' });
  const update = useAction(updateSavedComment, { ...told, success: 'Comment Saved' });
  const remove = useAction(deleteSavedComment, {
    success: 'Comment Removed',
    failureTitle: 'Comment Not Removed',
    onSuccess: onClose,
  });
  const isOthers = comment !== null && !comment.isOwn;
  const submit = form.submit(SavedCommentWords, (words) =>
    comment
      ? update.run({ params: { id: comment.id }, body: { ...words, version: comment.version } })
      : create.run({ body: words }),
  );
  return (
    // A form in a portal is still inside the review's form for React.
    <form
      onSubmit={(event) => {
        event.stopPropagation();
        submit(event);
      }}
      aria-label={comment ? 'Edit comment' : 'Save a comment'}
      noValidate
    >
      <Stack gap="sm">
        <TextInput
          label="Title"
          maxLength={limitOf(SavedCommentWords, 'title')}
          required
          {...form.field('title')}
          ref={title}
        />
        <LongText
          label="Comment"
          description={`Filled in for each person: ${commentBlanks.map((blank) => `{${blank}}`).join(', ')}`}
          autosize
          minRows={3}
          maxRows={8}
          maxLength={limitOf(SavedCommentWords, 'text')}
          required
          {...form.field('text')}
        />
        <Checkbox
          label="Share with all coaches and admins"
          checked={form.draft.isShared}
          disabled={isOthers}
          onChange={({ currentTarget }) => form.set({ isShared: currentTarget.checked })}
        />
        {isOthers ? (
          <Text size="sm" c="dimmed">
            {comment.authorName ? `${comment.authorName} shared this one.` : 'Its author is no longer here.'}
          </Text>
        ) : null}
        <Group gap="sm" justify="flex-end">
          {comment ? (
            <Button
              variant="subtle"
              color="red"
              size="sm"
              mr="auto"
              loading={remove.isRunning}
              onClick={() => remove.run({ params: { id: comment.id } })}
            >
              Remove
            </Button>
          ) : null}
          <Button variant="default" size="sm" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" size="sm" loading={create.isRunning || update.isRunning}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
