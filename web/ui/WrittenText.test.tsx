import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { WrittenText } from './WrittenText.tsx';

function render(text: string): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <WrittenText>{text}</WrittenText>
    </MantineProvider>,
  );
}

test('a table of instructions is a table that the keyboard can scroll', () => {
  const page = render('| Step | Hazard |\n| --- | --- |\n| Open | Arc |');
  expect(page).toMatch(/<section tabindex="0" aria-label="Table"[^>]*><table>/);
  expect(page).toContain('<th>Hazard</th>');
  expect(page).toContain('<td>Arc</td>');
});

test('SEC-20 what people write runs nothing and loads nothing', () => {
  const page = render(
    '<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n![far](https://elsewhere.example/p.png)\n\n[go](javascript:alert(1))\n\n- [ ] tick',
  );
  expect(page).not.toMatch(/<script|<img|<input|javascript:|onerror|href=""/);
  expect(page).toContain('go');
});

test.each([
  ['quotes', `${'>'.repeat(5000)} Mind the arc`],
  ['lists', `${'- '.repeat(2000)}Mind the arc`],
  ['signs', `${'*a '.repeat(3000)}Mind the arc${'b*'.repeat(3000)}`],
])('a text of thousands of %s in one another is shown as it was written', (_, text) => {
  const page = render(text);
  expect(page).not.toMatch(/<(blockquote|ul|em)>/);
  expect(page).toContain('Mind the arc');
  expect(page).toContain('white-space:pre-wrap');
});
