import { Button } from '@mantine/core';
import { X } from 'lucide-react';
import { type WaitingAge, waitingAgeLabels } from '#contract/waiting-age.ts';

/** Says that a list shows only what has waited so long, as a figure's link asks for. Takes that back. */
export function AgeFilter({ age, onClear }: { age: WaitingAge | undefined; onClear: () => void }) {
  if (!age) return null;
  const words = `Waiting ${waitingAgeLabels[age].toLowerCase()}`;
  return (
    <Button
      variant="light"
      w="fit-content"
      rightSection={<X size={15} aria-hidden />}
      aria-label={`${words}: show all`}
      onClick={onClear}
    >
      {words}
    </Button>
  );
}
