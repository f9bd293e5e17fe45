import { useForm } from '@mantine/form';
import { useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import type { CodeKind } from './CodeField.tsx';

/** A form with one code. The field shows the server's refusal and takes the focus. */
export function useCodeForm() {
  const [kind, setKind] = useState<CodeKind>('code');
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'Please enter the code' : null) },
  });
  return {
    form,
    kind,
    given: { kind, code: form.values.code },
    setKind: (next: CodeKind) => {
      setKind(next);
      form.reset();
    },
    refuse: (error: unknown) => {
      form.setFieldError('code', messageOf(error));
      const field = form.getInputNode('code');
      if (field instanceof HTMLInputElement) {
        field.focus();
        field.select();
      }
    },
  };
}
