import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { z } from 'zod';
import { Overtaken } from '../../ui/Overtaken.tsx';
import { type DraftForm, useForm } from '../../ui/use-form.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';

interface Saving<Facts> {
  /** `version` is the row's version when the edit began. Null for a new row. */
  run: (facts: Facts, version: number | null) => void;
  isRunning: boolean;
  error: unknown;
}

export interface SetupDialogProps<Draft extends object, Facts> {
  title: string;
  saveLabel: string;
  initial: Draft;
  /** The edited row as it is now. Somebody else may have changed it meanwhile. */
  current?: { draft: Draft; version: number } | undefined;
  schema: z.ZodType<Facts>;
  /** Turns the draft into the schema's input if they differ. */
  toInput?: (draft: Draft) => unknown;
  fieldNames: Record<keyof Draft, string>;
  inWords?: (draft: Draft, field: keyof Draft) => string;
  saving: Saving<Facts>;
  onClose: () => void;
  children: (form: DraftForm<Draft>) => ReactNode;
}

/** Render it only while it is open, so that each edit begins anew. Typed text is never lost without a question. */
export function SetupDialog<Draft extends object, Facts>(props: SetupDialogProps<Draft, Facts>) {
  const { title, saveLabel, initial, current, schema, toInput, saving, onClose, children } = props;
  const form = useForm(initial);
  useReturnFocus();
  const [base, setBase] = useState({ draft: initial, version: current?.version ?? null });
  const isDirty = form.differsFrom(base.draft);
  const { afterAsking, closing, question } = useUnsavedChanges(isDirty && !saving.isRunning);
  const isOvertaken = current !== undefined && current.version !== base.version && !saving.isRunning;
  const { error } = saving;
  const { showRefusal } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each refusal shows once, when it arrives.
  useEffect(() => showRefusal(error), [error]);
  const accepted = toInput ? z.preprocess((draft) => toInput(draft as Draft), schema) : schema;
  const submit = form.submit(accepted, (facts) => {
    if (!isOvertaken) saving.run(facts, base.version);
  });
  const takeTheirs = () => {
    if (!current) return;
    setBase(current);
    form.begin(current.draft);
  };
  return (
    <>
      <Modal opened {...closing(onClose)} title={title} size="lg" styles={{ title: { minWidth: 0 } }}>
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            {isOvertaken && current ? (
              <Overtaken
                {...props}
                own={form.draft}
                theirs={current.draft}
                onKeepOwn={() => setBase(current)}
                onTakeTheirs={takeTheirs}
              />
            ) : null}
            {children(form)}
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={() => afterAsking(onClose)}>
                Cancel
              </Button>
              <Button
                type="submit"
                loading={saving.isRunning}
                disabled={isOvertaken}
                title={isOvertaken ? 'Choose between both versions first' : undefined}
              >
                {saveLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}
