import { Anchor } from '@mantine/core';

interface Part {
  text: string;
  /** Set if the text is an address. */
  href: string | null;
}

/** An address begins where no word precedes it. It ends at white space or at a character that no address has. */
const address = /(?<![\p{L}\p{N}_])(?:https?:\/\/|mailto:)[^\s<>"'`{}|\\^]+/giu;
const longestAddress = 2_000;
const closing = { ')': '(', ']': '[' } as const;

/** Plain text whose web and mail addresses become links. No other markup has a meaning. */
export function LinkedText({ children }: { children: string }) {
  return partsOfText(children).map(({ text, href }, index) =>
    href ? (
      <Anchor
        key={`${index.toString()} ${text}`}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        c="inherit"
        underline="always"
        fz="inherit"
      >
        {text}
      </Anchor>
    ) : (
      text
    ),
  );
}

export function partsOfText(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(address)) {
    const own = found.length > longestAddress ? found : withoutSentenceEnd(found);
    const href = safeAddress(own);
    if (!href) continue;
    parts.push({ text: text.slice(end, index), href: null }, { text: own, href });
    end = index + own.length;
  }
  parts.push({ text: text.slice(end), href: null });
  return parts.filter((part) => part.text !== '');
}

/** A closing bracket that was opened before the address belongs to the sentence around it, as its full stop does. */
function withoutSentenceEnd(found: string): string {
  let own = found;
  for (;;) {
    const last = own.at(-1) ?? '';
    const opening = closing[last as keyof typeof closing];
    const isOpened = opening !== undefined && countOf(own, opening) >= countOf(own, last);
    if (isOpened || !(opening || /[.,;:!?*…_]/u.test(last))) return own;
    own = own.slice(0, -1);
  }
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}

/**
 * Null if the text is no address. Also null if it has a user name or a password, which could be mistaken for the host.
 */
function safeAddress(text: string): string | null {
  if (text.length > longestAddress || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username || url.password) return null;
  const isWhole = url.protocol === 'mailto:' ? url.pathname.includes('@') : url.hostname !== '';
  return isWhole ? url.href : null;
}
