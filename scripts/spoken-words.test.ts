import { expect, test } from 'vitest';
import { sentencesOf } from './spoken-words.ts';

const textsOf = (source: string) => sentencesOf(source, 'screen.tsx').map(({ text }) => text);

test('a text over several lines is one sentence, with marked words, and … for what is filled in', () => {
  const source = `
    const page = (
      <p title="The coach's name">
        <b>{name}</b> is in no cohort,
        <i aria-hidden>!</i> <em>yet</em>: <DateTime value={at} />
      </p>
    );`;
  expect(textsOf(source)).toEqual(['… is in no cohort, yet: …', "The coach's name"]);
});

test('labels, templates and refusals are read, wherever they stand', () => {
  const source = `
    const button = <Button aria-label={\`Read the note by \${name}\`}>Save</Button>;
    const toast = { title: 'Note Saved', message: isLate ? 'It is late' : null };
    throw new AppError('not_found', 'This note is not there any more.');`;
  expect(textsOf(source)).toEqual([
    'Save',
    'Read the note by …',
    'Note Saved',
    'It is late',
    'This note is not there any more.',
  ]);
});

test('what is for the machine or for developers is left out', () => {
  const source = `
    import { x } from './A File.ts';
    type Kind = 'Not a text';
    const query = sql\`select Name from people\`;
    if (state === 'Not read') throw new Error('The person was there a statement ago.');
    const page = <Box className="One two" style={{ border: '1px solid Red' }} size="sm" to="/a path" />;
    log.warn('An old row was found.');
    const read = endpoint({ name: 'Read it', summary: 'Reads a person.', method: 'GET' });`;
  expect(textsOf(source)).toEqual([]);
});

test('each sentence has its line', () => {
  expect(sentencesOf("const one = 1;\nconst two = 'Two words';\n", 'a.ts')).toEqual([{ line: 2, text: 'Two words' }]);
});
