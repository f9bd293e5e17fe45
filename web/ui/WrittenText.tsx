import { Anchor, Text, Typography } from '@mantine/core';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { canBeFormatted } from '#contract/written-text.ts';
import wrapping from './wrapping.module.css';

/** Headings inside a text rank below the page's own. */
const components: Components = {
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  // An address of an unsafe kind arrives empty. Only its words are shown.
  a: ({ href, children }) =>
    href ? (
      <Anchor href={href} target="_blank" rel="noopener noreferrer" style={{ textDecoration: 'underline' }}>
        {children}
      </Anchor>
    ) : (
      children
    ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard also scrolls a table wider than the phone.
    <section tabIndex={0} aria-label="Table" className={wrapping.wholeWords} style={{ overflowX: 'auto' }}>
      <table>{children}</table>
    </section>
  ),
};

/**
 * Text that people wrote: Markdown with tables, but without raw HTML, checkboxes, or pictures from elsewhere. A text
 * that would take the browser too long is shown as it was written.
 */
export function WrittenText({ children }: { children: string }) {
  if (!canBeFormatted(children)) {
    return <Text style={{ whiteSpace: 'pre-wrap' }}>{children}</Text>;
  }
  return (
    <Typography>
      <Markdown
        remarkPlugins={[remarkGfm]}
        components={components}
        disallowedElements={['img', 'input']}
        unwrapDisallowed
        skipHtml
      >
        {children}
      </Markdown>
    </Typography>
  );
}
