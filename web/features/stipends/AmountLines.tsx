import { Text } from '@mantine/core';
import { formatCents } from '#contract/money.ts';
import type { AmountLine } from '#contract/stipend-rules.ts';

/** What makes up the amount that the rules pay: 'Period $400 · 1 trip $50'. A single line is the amount itself. */
export function AmountLines({ lines }: { lines: AmountLine[] }) {
  if (lines.length < 2) return null;
  return (
    <Text size="sm" c="dimmed">
      {lines.map(inWords).join(' · ')}
    </Text>
  );
}

function inWords({ name, count, cents }: AmountLine): string {
  const sum = formatCents(cents);
  if (count === null) return `${name} ${sum}`;
  const number = count.toLocaleString('en-US', { maximumFractionDigits: 1 });
  return `${number} ${(count === 1 ? name.replace(/s$/, '') : name).toLowerCase()} ${sum}`;
}
