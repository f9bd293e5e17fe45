import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { LongText } from './LongText.tsx';
import { useForm, written } from './use-form.ts';

interface ReasonFormProps {
  /** What is about to happen. */
  children: ReactNode;
  label?: string;
  description?: string;
  isOptional?: boolean;
  /** Shown at the field if it is empty. */
  missing?: string;
  minRows?: number;
  /** `limitOf` returns it. */
  maxLength: number;
  /** The verb, e.g. 'Recall batch'. */
  confirmLabel: string;
  isDestructive?: boolean;
  isRunning: boolean;
  onConfirm: (written: string) => void;
  onClose: () => void;
}

/** An act with a text about it. The text stays until the dialog closes. */
export function ReasonForm(props: ReasonFormProps) {
  const { children, label = 'Reason', description, isOptional = false, missing = 'Please say why.' } = props;
  const { minRows = 2, maxLength, confirmLabel, isDestructive, isRunning, onConfirm, onClose } = props;
  const form = useForm({ text: '' });
  const schema = z.object({ text: isOptional ? z.string() : written(missing) });
  return (
    <form onSubmit={form.submit(schema, ({ text }) => onConfirm(text))} noValidate>
      <Stack gap="md">
        <Text component="div">{children}</Text>
        <LongText
          label={label}
          description={description}
          required={!isOptional}
          autosize
          minRows={minRows}
          maxLength={maxLength}
          {...form.field('text')}
          errorProps={{ role: 'alert' }}
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={isRunning}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
