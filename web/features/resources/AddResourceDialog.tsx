import { Button, Group, Modal, SimpleGrid, Stack } from '@mantine/core';
import type { FormEvent, KeyboardEvent } from 'react';
import { createResource, listResources } from '#contract/resources.ts';
import { useAction } from '../../api/use-action.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import {
  CourseModuleField,
  DescriptionField,
  FileTypeField,
  FileUrlField,
  ProgramField,
  TitleField,
} from './ResourceFields.tsx';
import { newDraft, useResourceForm } from './use-resource-form.ts';

interface AddResourceDialogProps {
  knownModules: string[];
  /** Whether search or filters may hide what is created. */
  isFiltered: boolean;
  onClose: () => void;
}

/** RES-14 to RES-23. Rendered while it is open, so that it begins anew each time. */
export function AddResourceDialog({ knownModules, isFiltered, onClose }: AddResourceDialogProps) {
  useReturnFocus();
  const form = useResourceForm(newDraft);
  const create = useAction(createResource, {
    success: ({ title }) => ({
      title: 'Resource Created',
      message: isFiltered ? `${title}. Your search or filters may hide it.` : title,
    }),
    failureTitle: 'Creation Failed',
    refreshes: [listResources],
    onSuccess: onClose,
    // The button that was pressed can not keep the focus while it waits.
    onError: () => document.getElementById(form.idOf('title'))?.focus(),
  });
  const isDirty = form.differsFrom(newDraft);
  const { afterAsking, question } = useUnsavedChanges(isDirty);
  // Here, because the question would take the Escape that the dialog itself answers for its own, and close at once.
  const askOnEscape = ({ key, target }: KeyboardEvent) => {
    const isOfList = (target as Element).getAttribute('data-mantine-stop-propagation') === 'true';
    if (key === 'Escape' && isDirty && !isOfList) afterAsking(onClose);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = form.check();
    if (body) create.run({ body });
  };
  return (
    <>
      <Modal
        opened
        onClose={() => afterAsking(onClose)}
        title="Add New Resource"
        size="lg"
        closeOnEscape={!isDirty}
        onKeyDown={askOnEscape}
      >
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TitleField form={form} />
            <DescriptionField form={form} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
              <FileTypeField form={form} />
              <ProgramField form={form} />
            </SimpleGrid>
            <CourseModuleField form={form} knownModules={knownModules} />
            <FileUrlField form={form} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isRunning}>
                Create Resource
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}
