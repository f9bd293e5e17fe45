import { type AutocompleteProps, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { usePart } from '../../ui/use-part.ts';

interface PersonFieldProps {
  /** What the field is and holds. */
  field: Pick<TextInputProps, 'label' | 'description' | 'placeholder' | 'maxLength' | 'onBlur'>;
  choosing: Pick<
    AutocompleteProps,
    'data' | 'dropdownOpened' | 'onDropdownOpen' | 'onDropdownClose' | 'filter' | 'renderOption'
  >;
}

/** Offers people for what is typed. Before the list of choices is loaded, it only takes what is typed. */
export function PersonField({ field, choosing }: PersonFieldProps) {
  const [isFocused, setFocused] = useState(false);
  const part = usePart('choices', () => import('./PersonChoices.ts'), { isNeeded: isFocused });
  const { maxLength, ...rest } = field;
  const common = { w: '100%', autoComplete: 'off', spellCheck: false, ...rest };
  if (part.data) {
    const { Autocomplete } = part.data;
    return (
      <Autocomplete
        {...common}
        {...choosing}
        maxLength={maxLength}
        comboboxProps={{ keepMounted: false }}
        autoFocus={isFocused}
      />
    );
  }
  return (
    <TextInput
      {...common}
      role="combobox"
      aria-expanded={false}
      aria-autocomplete="list"
      maxLength={maxLength}
      onFocus={() => setFocused(true)}
      onBlur={(event) => {
        setFocused(false);
        field.onBlur?.(event);
      }}
    />
  );
}
