import { Kbd, Stack, Switch, Table } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { Fragment } from 'react';
import { useLetterKeysOn } from '../ui/use-letter-keys.ts';

/** The keys that the product listens to, and a switch for those that are pressed alone. */
export function KeysTable() {
  const main = useOs({ getValueInEffect: false }) === 'macos' ? '⌘' : 'Ctrl';
  const keys: [keys: string[], meaning: string][] = [
    [[main, 'K'], 'Find people, work and screens'],
    [['/'], 'Go to the search field'],
    [['J'], 'Next row of a list'],
    [['K'], 'Previous row of a list'],
    [['1'], 'Review: Needs Revision'],
    [['2'], 'Review: Accepted'],
    [['3'], 'Review: Rejected'],
    [[main, 'Enter'], 'Send the review'],
    [['Esc'], 'Close a dialog'],
    [['?'], 'Show these keys'],
  ];
  const [areOn, setOn] = useLetterKeysOn();
  return (
    <Stack gap="md">
      <Switch
        label="Use single keys"
        description="Esc and keys with Ctrl or ⌘ always work."
        checked={areOn}
        onChange={({ currentTarget }) => setOn(currentTarget.checked)}
      />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col">What it does</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(([pressed, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {pressed.map((key, index) => (
                  <Fragment key={key}>
                    {index > 0 ? ' + ' : null}
                    <Kbd>{key}</Kbd>
                  </Fragment>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
