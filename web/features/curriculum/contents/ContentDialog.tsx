import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { ContentInput, createContent, type ManagedContent, updateContent } from '#contract/contents.ts';
import { useAction } from '../../../api/use-action.ts';
import { FileUpload } from '../../../ui/FileUpload.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { showToast } from '../../../ui/toast.tsx';
import type { DraftForm } from '../../../ui/use-form.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, DayField, LongTextField, NumberField, SwitchField, TextField } from '../SetupFields.tsx';
import {
  type ContentDraft,
  ContentFormInput,
  contentFieldNames,
  contentInputOf,
  contentInWords,
  contentTypeOptions,
  draftOfContent,
  newContent,
} from './content-drafts.ts';

interface ContentDialogProps {
  activityId: string;
  /** The item as it stands now. Null for a new one. */
  item: ManagedContent | null;
  onClose: () => void;
}

/** CONT-06, CONT-08 to CONT-24 */
export function ContentDialog({ activityId, item, onClose }: ContentDialogProps) {
  const creation = useAction(createContent, {
    success: ({ title }) => ({ title: 'Content Created', message: title }),
    failureTitle: 'Creation Failed',
    onSuccess: onClose,
  });
  const update = useAction(updateContent, {
    success: ({ title }) => ({ title: 'Content Updated', message: title }),
    failureTitle: 'Update Failed',
    onSuccess: onClose,
  });
  const act = item ? update : creation;
  return (
    <SetupDialog
      title={item ? 'Edit content' : 'Add Content'}
      saveLabel={item ? 'Save content' : 'Create content'}
      initial={item ? draftOfContent(item) : newContent}
      current={item ? { draft: draftOfContent(item), version: item.version } : undefined}
      schema={ContentFormInput}
      toInput={contentInputOf}
      fieldNames={contentFieldNames}
      inWords={contentInWords}
      saving={{
        run: (body, version) => {
          if (item && version !== null) update.run({ params: { id: item.id }, body: { ...body, version } });
          else creation.run({ params: { id: activityId }, body });
        },
        isRunning: act.isRunning,
        error: act.error,
      }}
      onClose={onClose}
    >
      {(form) => <ContentFields form={form} failureTitle={item ? 'Update Failed' : 'Creation Failed'} />}
    </SetupDialog>
  );
}

interface ContentFieldsProps {
  form: DraftForm<ContentDraft>;
  failureTitle: string;
}

function ContentFields({ form, failureTitle }: ContentFieldsProps) {
  const { contentType } = form.draft;
  return (
    <>
      <TextField form={form} name="title" label="Title" required maxLength={limitOf(ContentInput, 'title')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
        <ChoiceField form={form} name="contentType" label="Content type" required options={contentTypeOptions} />
        <NumberField form={form} name="orderIndex" label="Order" required />
        <NumberField form={form} name="estimatedMinutes" label="Estimated minutes" required />
      </SimpleGrid>
      <TextField
        form={form}
        name="contentUrl"
        label={contentType === 'link_task' ? 'Link URL' : contentType === 'video' ? 'Video URL' : 'URL'}
        required={contentType === 'link_task'}
        placeholder="https://"
        maxLength={limitOf(ContentInput, 'contentUrl')}
        isLink
      />
      <LongTextField
        form={form}
        name="contentText"
        label="Text content"
        maxLength={limitOf(ContentInput, 'contentText')}
      />
      <FileField form={form} failureTitle={failureTitle} />
      <DayField form={form} name="dueDate" label="Due date" />
      <SwitchField form={form} name="isRequired" label="Required" />
    </>
  );
}

const notUploaded = 'The file was not uploaded. Choose it again, or continue without it.';

/** CONT-18, CONT-19, CONT-24 */
function FileField({ form, failureTitle }: ContentFieldsProps) {
  const { file, uploadProblem } = form.draft;
  const hasFailed = uploadProblem === notUploaded;
  return (
    <Stack gap="xs">
      {file ? (
        <Group gap="sm" wrap="nowrap">
          <Text size="sm">{file.name}</Text>
          <Button variant="default" size="compact-sm" onClick={() => form.set({ file: null, uploadProblem: '' })}>
            Remove file
          </Button>
        </Group>
      ) : null}
      <FileUpload
        area="content"
        label={file ? 'Choose another file' : undefined}
        onBusyChange={(isBusy) => form.set({ uploadProblem: isBusy ? 'The file is still being uploaded.' : '' })}
        onUploaded={({ id, name }) => form.set({ file: { id, name }, uploadProblem: '' })}
        onFailed={(message) => {
          form.set({ uploadProblem: notUploaded });
          showToast({ type: 'error', title: failureTitle, message });
        }}
      />
      {form.errors.uploadProblem ? (
        <Text id={form.idOf('uploadProblem')} tabIndex={-1} size="sm" c="var(--mantine-color-error)" role="alert">
          {form.errors.uploadProblem}
        </Text>
      ) : null}
      {hasFailed ? (
        <Button variant="default" size="compact-sm" w="fit-content" onClick={() => form.set({ uploadProblem: '' })}>
          Continue without the file
        </Button>
      ) : null}
    </Stack>
  );
}
