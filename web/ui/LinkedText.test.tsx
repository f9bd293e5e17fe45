import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LinkedText, partsOfText } from './LinkedText.tsx';

const linksIn = (text: string) => partsOfText(text).flatMap(({ href }) => href ?? []);

test('web and mail addresses are links, without what ends the sentence around them', () => {
  for (const [text, ...links] of [
    ['See https://example.org/a?b=c#d.', 'https://example.org/a?b=c#d'],
    ['(http://example.org/x_(y))', 'http://example.org/x_(y)'],
    ['"https://example.org/", he wrote', 'https://example.org/'],
    ['one https://example.org/1\ntwo HTTPS://example.org/2!', 'https://example.org/1', 'https://example.org/2'],
    ['mailto:casey@people.example?subject=Hi', 'mailto:casey@people.example?subject=Hi'],
    ['https://example.org/ü', 'https://example.org/%C3%BC'],
  ] as const) {
    expect(linksIn(text), text).toEqual(links);
  }
});

test('what runs, hides where it leads, or is no address is words', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,<b>x</b>',
    'xhttps://example.org',
    'https://',
    'https://bank.example@evil.example/',
    'file:///etc/passwd',
    'ftp://example.org',
    '12:30 and a//b',
    '[words](javascript:alert(1))',
  ]) {
    expect(linksIn(text), text).toEqual([]);
  }
});

test('no character of the text is lost, however long it is', () => {
  for (const text of [
    'a https://example.org/,b  c\n',
    '<b>https://example.org</b>',
    '(((('.repeat(5_000),
    'https://'.repeat(2_500),
    `https://a${')'.repeat(19_000)}`,
  ]) {
    expect(
      partsOfText(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});

test('MSG-38 markup stays what was typed, and a link tells its place nothing about who follows it', () => {
  const drawn = renderToStaticMarkup(
    <MantineProvider>
      <LinkedText>{'<b>bold</b> **x** [a](https://example.org/md) https://example.org/"onclick="x'}</LinkedText>
    </MantineProvider>,
  );
  expect(drawn).toContain('&lt;b&gt;bold&lt;/b&gt; **x** [a](');
  expect(drawn).toContain('href="https://example.org/md" target="_blank" rel="noopener noreferrer nofollow"');
  expect(drawn).not.toContain('"onclick="');
});
