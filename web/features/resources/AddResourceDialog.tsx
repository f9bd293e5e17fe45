import { Button, Group, Modal, SimpleGrid, Stack } from '@mantine/core';
import { createResource } from '#contract/resources.ts';
import { useAction } from '../../api/use-action.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import {
  CourseModuleField,
  DescriptionField,
  FileTypeField,
  FileUrlField,
  OnlyForField,
  ProgramField,
  TitleField,
} from './ResourceFields.tsx';
import type { Programs } from './use-programs.ts';
import { newDraft, useResourceForm } from './use-resource-form.ts';

interface AddResourceDialogProps {
  knownModules: string[];
  programs: Programs;
  /** True if search or filters may hide the new resource. */
  isFiltered: boolean;
  onClose: () => void;
}

/** RES-14 to RES-23. It is rendered while it is open, so it begins anew each time. */
export function AddResourceDialog({ knownModules, programs, isFiltered, onClose }: AddResourceDialogProps) {
  useReturnFocus();
  const form = useResourceForm(newDraft);
  const create = useAction(createResource, {
    success: ({ title }) => ({
      title: 'Resource Created',
      message: isFiltered ? `${title}. Your search or filters may hide it.` : title,
    }),
    failureTitle: 'Creation Failed',
    onSuccess: onClose,
    // The button that was pressed cannot keep the focus while it waits.
    onError: () => form.focus('title'),
  });
  const { closing, question } = useUnsavedChanges(form.isDirty);
  const send = () => {
    const body = form.check();
    if (body) create.run({ body });
  };
  return (
    <>
      <Modal opened {...closing(onClose)} title="Add New Resource" size="lg">
        <form onSubmit={form.submit(send)} noValidate>
          <Stack gap="md">
            <TitleField form={form} />
            <DescriptionField form={form} />
            <SimpleGrid cols={{ base: 1, xs: programs.isChoice ? 3 : 2 }} spacing="md">
              <FileTypeField form={form} />
              <ProgramField form={form} programs={programs} />
              <OnlyForField form={form} programs={programs} />
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
