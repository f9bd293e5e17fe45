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
