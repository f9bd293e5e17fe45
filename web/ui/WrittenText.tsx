import { Anchor, Text, Typography } from '@mantine/core';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { canBeFormatted } from '#contract/written-text.ts';

/** Headings inside a text stand below the page's own. */
const components: Components = {
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  // An address of a kind that is not safe arrives empty; only its words are shown.
  a: ({ href, children }) =>
    href ? (
      <Anchor href={href} target="_blank" rel="noopener noreferrer" style={{ textDecoration: 'underline' }}>
        {children}
      </Anchor>
    ) : (
      children
    ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the phone is scrolled by keyboard too
    <section tabIndex={0} aria-label="Table" style={{ overflowX: 'auto' }}>
      <table>{children}</table>
    </section>
  ),
};

/**
 * Text that people wrote: Markdown with tables, without raw HTML, boxes to tick, and pictures from elsewhere. What would
 * take the browser too long is shown as it was written.
 */
export function WrittenText({ children }: { children: string }) {
  if (!canBeFormatted(children)) {
    return <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{children}</Text>;
  }
  return (
    <Typography style={{ overflowWrap: 'anywhere' }}>
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
