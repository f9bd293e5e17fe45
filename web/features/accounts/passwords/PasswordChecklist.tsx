import { Group, List, Text, VisuallyHidden } from '@mantine/core';
import { Check, Circle } from 'lucide-react';
import type { PasswordRule } from '#contract/passwords.ts';

/** AUTH-27: follows every keystroke. Each rule has an icon and a word. */
export function PasswordChecklist({ rules }: { rules: PasswordRule[] }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4} id="password-requirements">
        Password requirements
      </Text>
      <List listStyleType="none" spacing={4} size="sm" aria-labelledby="password-requirements">
        {rules.map(({ key, label, isMet }) => (
          <List.Item key={key} data-met={isMet}>
            <Group gap="xs" wrap="nowrap" c={isMet ? 'var(--status-success)' : 'dimmed'}>
              {isMet ? <Check size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
              <span>
                {label}
                <VisuallyHidden>{isMet ? ': met' : ': not met yet'}</VisuallyHidden>
              </span>
            </Group>
          </List.Item>
        ))}
      </List>
      <VisuallyHidden role="status">
        {`${rules.filter((rule) => rule.isMet).length} of ${rules.length} password requirements met`}
      </VisuallyHidden>
    </div>
  );
}
