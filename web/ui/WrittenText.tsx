import { Anchor, Typography } from '@mantine/core';
import Markdown, { type Components } from 'react-markdown';

/** Headings inside a text stand below the page's own. */
const components: Components = {
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  a: ({ href, children }) => (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" style={{ textDecoration: 'underline' }}>
      {children}
    </Anchor>
  ),
};

/** Text that people wrote: Markdown without raw HTML, and without pictures from elsewhere. */
export function WrittenText({ children }: { children: string }) {
  return (
    <Typography style={{ overflowWrap: 'anywhere' }}>
      <Markdown components={components} disallowedElements={['img']} unwrapDisallowed skipHtml>
        {children}
      </Markdown>
    </Typography>
  );
}
