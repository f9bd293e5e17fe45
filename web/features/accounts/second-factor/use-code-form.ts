import { useState } from 'react';
import { z } from 'zod';
import { messageOf } from '../../../api/api-error.ts';
import { useForm, written } from '../../../ui/use-form.ts';
import type { CodeKind } from './CodeField.tsx';

const schema = z.object({ code: written('Please enter the code') });

/** A form with one code. The field shows the server's refusal and takes the focus. */
export function useCodeForm() {
  const [kind, setKind] = useState<CodeKind>('code');
  const form = useForm({ code: '' });
  return {
    field: form.field('code'),
    kind,
    given: { kind, code: form.draft.code },
    submit: (send: () => void) => form.submit(schema, send),
    setKind: (next: CodeKind) => {
      setKind(next);
      form.reset();
    },
    refuse: (error: unknown) => {
      form.showErrors({ code: messageOf(error) });
      const field = document.getElementById(form.idOf('code'));
      if (field instanceof HTMLInputElement) field.select();
    },
  };
}
