import { expect, test } from 'vitest';
import { withInserted } from './insert-text.ts';

test('words are put in at the cursor, apart from the words around them, and nothing that was typed goes', () => {
  expect(withInserted('', 'Well seen.', 0)).toEqual({ text: 'Well seen.', cursor: 10 });
  expect(withInserted('Good.', 'Well seen.', 5)).toEqual({ text: 'Good. Well seen.', cursor: 16 });
  expect(withInserted('Good.\n', 'Well seen.', 6)).toEqual({ text: 'Good.\nWell seen.', cursor: 16 });
  expect(withInserted('Good. Bye.', 'Well seen.', 6)).toEqual({ text: 'Good. Well seen. Bye.', cursor: 16 });
  expect(withInserted('Bye.', 'Well seen.', 0)).toEqual({ text: 'Well seen. Bye.', cursor: 10 });
});
