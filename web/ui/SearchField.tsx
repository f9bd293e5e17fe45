import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { use, useRef, useState } from 'react';
import { SearchText } from '#contract/endpoint.ts';
import { InBarOnPhone } from './FilterBar.tsx';
import { limitOf } from './text-limit.ts';
import { useLetterKeys } from './use-letter-keys.ts';

const typingPauseInMs = 300;

interface SearchFieldProps extends Pick<TextInputProps, 'flex' | 'w' | 'maw'> {
  label: string;
  placeholder: string;
  /** The current search. The address holds it. */
  value: string;
  onSearch: (text: string | undefined) => void;
}

/**
 * Keeps unfinished typing to itself. The search follows after a pause or on Enter. Leaving the field does not hurry it,
 * or the thing that the person presses next would move away under the pointer.
 */
export function SearchField({ label, placeholder, value, onSearch, ...size }: SearchFieldProps) {
  const isShort = use(InBarOnPhone);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const isWaiting = useRef(false);
  const send = useDebouncedCallback((text: string) => {
    isWaiting.current = false;
    onSearch(text.trim() || undefined);
    if (document.activeElement !== field.current) setTyped(null);
  }, typingPauseInMs);
  useLetterKeys([['/', () => field.current?.focus()]]);
  return (
    <TextInput
      ref={field}
      type="search"
      {...(isShort ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      leftSection={<Search size={16} aria-hidden />}
      leftSectionWidth={36}
      styles={{ input: { textOverflow: 'ellipsis' } }}
      value={typed ?? value}
      maxLength={limitOf(SearchText)}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        isWaiting.current = true;
        send(currentTarget.value);
      }}
      onKeyDown={({ key }) => key === 'Enter' && send.flush()}
      onBlur={() => {
        if (!isWaiting.current) setTyped(null);
      }}
      {...size}
      {...(isShort ? { flex: '1 1 96px' } : {})}
    />
  );
}
