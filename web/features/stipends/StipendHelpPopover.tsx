import { CloseButton, Group, Modal, Popover, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type PayPeriod, periodWords } from '#contract/pay-periods.ts';
import { stipendHelp } from '#contract/stipend-help.ts';
import { type Conditions, ruleSentence } from '#contract/stipend-rules.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';

interface StipendHelpPopoverProps {
  rules: Conditions;
  payPeriod: PayPeriod;
  onClose: () => void;
}

/** A phone has no room beside the question, so it shows a dialog. */
export function StipendHelpPopover({ rules, payPeriod, onClose }: StipendHelpPopoverProps) {
  const title = `What counts for ${periodWords[payPeriod].ofPresent} pay`;
  useReturnFocus();
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  if (isPhone) {
    return (
      <Modal opened onClose={onClose} title={title}>
        <Answers rules={rules} payPeriod={payPeriod} />
      </Modal>
    );
  }
  return (
    <Popover opened onChange={(isOpen) => !isOpen && onClose()} trapFocus width={360} shadow="md" position="top-start">
      <Popover.Target>
        <span />
      </Popover.Target>
      <Popover.Dropdown aria-label={title} aria-labelledby={undefined}>
        <Group justify="space-between" wrap="nowrap" mb="sm">
          <Text fw={650}>{title}</Text>
          <CloseButton aria-label="Close" onClick={onClose} data-autofocus />
        </Group>
        <Answers rules={rules} payPeriod={payPeriod} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Answers({ rules, payPeriod }: Omit<StipendHelpPopoverProps, 'onClose'>) {
  const { criteria, unpaid } = stipendHelp(rules, payPeriod);
  return (
    <Stack gap="sm">
      <Text size="sm">{ruleSentence(rules)}</Text>
      {criteria.map(({ question, answer }) => (
        <Answer key={answer} question={question} answer={answer} />
      ))}
      <Answer question={`Why is a ${periodWords[payPeriod].one} not paid?`} answer={unpaid} />
    </Stack>
  );
}

function Answer({ question, answer }: { question: string; answer: string }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {question}
      </Text>
      <Text size="sm">{answer}</Text>
    </div>
  );
}
