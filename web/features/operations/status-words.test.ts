import { expect, test } from 'vitest';
import { commandsIn, queueInWords, stateInWords, waitInWords } from './status-words.ts';

test('a wait is said in the largest whole unit', () => {
  const seconds = [0, 1, 59, 60, 3599, 3600, 86_400 * 2 - 1, 86_400 * 2];
  expect(seconds.map(waitInWords)).toEqual([
    '0 seconds',
    '1 second',
    '59 seconds',
    '1 minute',
    '59 minutes',
    '1 hour',
    '47 hours',
    '2 days',
  ]);
});

test('a queue and its state are said in words, and a count that stopped says so', () => {
  expect(queueInWords('remove-files-of-person')).toBe('Remove files of person');
  expect(stateInWords({ waiting: 3, running: 1 })).toBe('3 waiting, 1 running');
  expect(stateInWords({ waiting: 0, running: 2 })).toBe('2 running');
  expect(stateInWords({ waiting: 1000, running: 0 })).toBe('1,000 or more waiting');
});

test('commands of a remedy are told from its words, without their backticks', () => {
  const commandsOf = (remedy: string) => commandsIn(remedy).flatMap(({ text, isCommand }) => (isCommand ? [text] : []));
  expect(commandsIn('Set it to what `openssl rand -hex 32` prints.')).toEqual([
    { text: 'Set it to what ', isCommand: false },
    { text: 'openssl rand -hex 32', isCommand: true },
    { text: ' prints.', isCommand: false },
  ]);
  expect(commandsOf('See that a process runs jobs, or run npm run ledger:verify.')).toEqual(['npm run ledger:verify']);
  expect(commandsOf('Run npm run backup, and npm start after it.')).toEqual(['npm run backup', 'npm start']);
  expect(commandsIn('Correct SMTP_URL.')).toEqual([{ text: 'Correct SMTP_URL.', isCommand: false }]);
});
