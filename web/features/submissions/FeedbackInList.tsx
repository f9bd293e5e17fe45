import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';

const shownLines = 3;
const shownLetters = 120;

/** Shows the beginning of the feedback, and all of it on demand. */
export function FeedbackInList({ feedback, about }: { feedback: string; about: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = feedback.length > shownLetters || feedback.split('\n').length > shownLines;
  return (
    <>
      <Text size="sm" lineClamp={isLong && !isWhole ? shownLines : undefined} style={{ whiteSpace: 'pre-wrap' }}>
        {feedback}
      </Text>
      {isLong ? (
        <Anchor
          component="button"
          type="button"
          size="sm"
          py={2}
          underline="always"
          aria-expanded={isWhole}
          aria-label={`${isWhole ? 'Read less' : 'Read all'} of the feedback on ${about}`}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Read less' : 'Read all'}
        </Anchor>
      ) : null}
    </>
  );
}
