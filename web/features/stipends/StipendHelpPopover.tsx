import { CloseButton, Group, Popover, Stack, Text } from '@mantine/core';
import { stipendHelp } from '#contract/stipend-help.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

export function StipendHelpPopover({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  const { criteria, unpaid } = stipendHelp;
  return (
    <Popover opened onChange={(isOpen) => !isOpen && onClose()} trapFocus width={328} shadow="md" position="bottom-end">
      <Popover.Target>
        <span />
      </Popover.Target>
      <Popover.Dropdown aria-label="What counts for this week's pay" aria-labelledby={undefined}>
        <Stack gap="sm">
          <Group justify="space-between" wrap="nowrap">
            <Text fw={650}>What counts for this week's pay</Text>
            <CloseButton aria-label="Close" onClick={onClose} data-autofocus />
          </Group>
          {criteria.map(({ about, question, answer }) => (
            <div key={about}>
              <Text size="sm" fw={550}>
                {question}
              </Text>
              <Text size="sm">{answer}</Text>
            </div>
          ))}
          <div>
            <Text size="sm" fw={550}>
              Why is a week not paid?
            </Text>
            <Text size="sm">{unpaid}</Text>
          </div>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
