import { Button, Group, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { z } from 'zod';
import { setModuleCompletion } from '#contract/cohort-progress.ts';
import type { ModuleState } from '#contract/fellowship.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf } from '../../ui/text-limit.ts';
import { useForm, written } from '../../ui/use-form.ts';

interface ModuleCompletionFormProps {
  member: { cohortId: string; participantId: string };
  module: ModuleState;
  onTyped: (isTyped: boolean) => void;
  onClose: () => void;
}

const schema = z.object({ note: written('Please say why.') });

/** Sets a module as complete, or takes that back. It always takes a reason. */
export function ModuleCompletionForm({ member, module, onTyped, onClose }: ModuleCompletionFormProps) {
  const isCompleted = module.byHand === null;
  const form = useForm({ note: '' });
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const isTyped = form.isDirty;
  useEffect(() => {
    onTyped(isTyped);
    return () => onTyped(false);
  }, [isTyped, onTyped]);
  const action = useAction(setModuleCompletion, {
    success: () => ({ title: isCompleted ? 'Module Completed' : 'Module Taken Back', message: module.title }),
    failureTitle: 'Module Not Saved',
    onSuccess: onClose,
  });
  return (
    <form
      noValidate
      onSubmit={form.submit(schema, ({ note }) =>
        action.run({
          params: { id: member.cohortId, participantId: member.participantId, moduleId: module.id },
          body: { isCompleted, note },
        }),
      )}
    >
      <Stack gap="sm" mt="xs">
        <LongText
          ref={field}
          label={isCompleted ? 'Why is it complete?' : 'Why is it taken back?'}
          description="The participant reads this."
          autosize
          minRows={2}
          maxLength={limitOf(setModuleCompletion.body, 'note')}
          errorProps={{ role: 'alert' }}
          {...form.field('note')}
        />
        <Group gap="sm">
          <Button type="submit" size="sm" loading={action.isRunning}>
            {isCompleted ? 'Set as complete' : 'Take back'}
          </Button>
          <Button variant="default" size="sm" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
