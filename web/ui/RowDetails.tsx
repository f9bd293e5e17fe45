import { Button } from '@mantine/core';
import { useState } from 'react';

/** The rows that show all that they have, by their keys. */
export function useOpenRows() {
  const [open, setOpen] = useState<string[]>([]);
  return {
    isOpen: (key: string) => open.includes(key),
    toggle: (key: string) =>
      setOpen((before) => (before.includes(key) ? before.filter((other) => other !== key) : [...before, key])),
  };
}

interface DetailsButtonProps {
  /** Names the row. */
  of: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens what a row of two lines has no room for. What opens has the attribute `data-whole`. */
export function DetailsButton({ of, isOpen, onToggle }: DetailsButtonProps) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-expanded={isOpen}
      aria-label={`Details of ${of}`}
      onClick={onToggle}
    >
      Details
    </Button>
  );
}
