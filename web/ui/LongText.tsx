import { Text, Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useRef } from 'react';
import { charactersInWords, surplusInWords } from './text-limit.ts';

/** The count of characters shows from this share of the limit on. */
const countedFrom = 0.9;

interface Limited {
  value: string;
  /** `limitOf` returns it. */
  maxLength: number;
}

/** A text of sentences. However long it is, it stays as it was written or pasted. */
export function LongText({ value, maxLength, ref, error, ...field }: Omit<TextareaProps, keyof Limited> & Limited) {
  const own = useRefusal<HTMLTextAreaElement>(maxLength, ref);
  const surplus = surplusInWords(value, maxLength);
  return (
    <Textarea
      {...field}
      ref={own}
      value={value}
      error={surplus ? `${surplus} Please shorten it.` : error}
      inputContainer={(input) => (
        <>
          {input}
          {!surplus && value.length > maxLength * countedFrom ? (
            <Text size="xs" c="dimmed" mt={4}>
              {value.length.toLocaleString('en-US')} of {charactersInWords(maxLength)}
            </Text>
          ) : null}
        </>
      )}
    />
  );
}

/** For a line that a cut would turn into something else, such as a web address or a payment's reference. */
export function WholeLine({ value, maxLength, ref, error, ...field }: Omit<TextInputProps, keyof Limited> & Limited) {
  const own = useRefusal<HTMLInputElement>(maxLength, ref);
  const surplus = surplusInWords(value, maxLength);
  return <TextInput {...field} ref={own} value={value} error={surplus ? `${surplus} Please shorten it.` : error} />;
}

/** A form with a text that is too long is not sent. The text says so and takes the focus. */
function useRefusal<Field extends HTMLTextAreaElement | HTMLInputElement>(limit: number, given?: Ref<Field>) {
  const field = useRef<Field>(null);
  useEffect(() => {
    const form = field.current?.form;
    const refuse = (event: SubmitEvent) => {
      if (!surplusInWords(field.current?.value ?? '', limit)) return;
      event.preventDefault();
      event.stopPropagation();
      field.current?.focus();
    };
    form?.addEventListener('submit', refuse, { capture: true });
    return () => form?.removeEventListener('submit', refuse, { capture: true });
  }, [limit]);
  return useMergedRef(field, given);
}
