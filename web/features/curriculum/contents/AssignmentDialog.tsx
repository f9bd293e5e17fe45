import { SimpleGrid } from '@mantine/core';
import {
  AssignmentInput,
  createContentAssignment,
  type ManagedAssignment,
  type ManagedContent,
  updateContentAssignment,
} from '#contract/contents.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, DayField, LongTextField, SwitchField, TextField } from '../SetupFields.tsx';
import {
  AssignmentFormInput,
  assignmentFieldNames,
  assignmentInputOf,
  assignmentInWords,
  assignmentTypeOptions,
  draftOfAssignment,
  newAssignment,
} from './content-drafts.ts';

interface AssignmentDialogProps {
  /** The contents of the selected activity (CONT-29). */
  items: ManagedContent[];
  /** The assignment as it stands now. Null for a new one. */
  assignment: ManagedAssignment | null;
  onClose: () => void;
}

/** CONT-07, CONT-28 to CONT-33 */
export function AssignmentDialog({ items, assignment, onClose }: AssignmentDialogProps) {
  const creation = useAction(createContentAssignment, {
    success: ({ title }) => ({ title: 'Assignment Created', message: title }),
    failureTitle: 'Creation Failed',
    onSuccess: onClose,
  });
  const update = useAction(updateContentAssignment, {
    success: ({ title }) => ({ title: 'Assignment Updated', message: title }),
    failureTitle: 'Update Failed',
    onSuccess: onClose,
  });
  const act = assignment ? update : creation;
  return (
    <SetupDialog
      title={assignment ? 'Edit assignment' : 'Add Assignment'}
      saveLabel={assignment ? 'Save assignment' : 'Create assignment'}
      initial={assignment ? draftOfAssignment(assignment) : newAssignment}
      current={assignment ? { draft: draftOfAssignment(assignment), version: assignment.version } : undefined}
      schema={AssignmentFormInput}
      toInput={assignmentInputOf}
      fieldNames={assignmentFieldNames}
      inWords={assignmentInWords(items)}
      saving={{
        run: (body, version) => {
          if (assignment && version !== null) update.run({ params: { id: assignment.id }, body: { ...body, version } });
          else creation.run({ body });
        },
        isRunning: act.isRunning,
        error: act.error,
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <ChoiceField
            form={form}
            name="contentItemId"
            label="Content item"
            required
            placeholder="Choose a content item"
            options={items.map(({ id, title }) => ({ value: id, label: title }))}
            isSearchable={items.length > 10}
          />
          <TextField form={form} name="title" label="Title" required maxLength={limitOf(AssignmentInput, 'title')} />
          <LongTextField
            form={form}
            name="instructions"
            label="Instructions"
            required
            maxLength={limitOf(AssignmentInput, 'instructions')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <ChoiceField
              form={form}
              name="assignmentType"
              label="Assignment type"
              required
              options={assignmentTypeOptions}
            />
            <DayField form={form} name="dueDate" label="Due date" />
          </SimpleGrid>
          <SwitchField form={form} name="isRequired" label="Required" />
        </>
      )}
    </SetupDialog>
  );
}
