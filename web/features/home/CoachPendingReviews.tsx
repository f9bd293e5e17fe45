import { Anchor, Box, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CoachDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { NameLink } from '../../ui/NameLink.tsx';
import { useNow } from '../coaching/use-now.ts';
import { ageInWords } from './age-words.ts';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';

interface CoachPendingReviewsProps {
  reviews: CoachDashboard['pendingEvaluations'];
  total: number;
}

/** COACH-10: the reviews that wait longest come first. */
export function CoachPendingReviews({ reviews, total }: CoachPendingReviewsProps) {
  const now = useNow();
  return (
    <HomePanel
      title="To review"
      aside={
        <Anchor
          size="sm"
          py={2}
          renderRoot={(props) => <Link {...props} to={paths.submissions} search={{ tab: 'pending' }} />}
        >
          View all{total > reviews.length ? ` ${total}` : ''}
        </Anchor>
      }
    >
      {reviews.length === 0 ? <Text c="dimmed">You have nothing to review.</Text> : null}
      <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {reviews.map((review) => (
          <li key={review.id} className={classes.waiting}>
            <Box miw={0}>
              <Link to={paths.submissions} search={{ tab: 'pending', review: review.id }} className={classes.wholeRow}>
                <Text fw={550} lineClamp={2} title={review.assignmentTitle}>
                  {review.assignmentTitle}
                </Text>
              </Link>
              <Text size="sm" c="dimmed" truncate title={`${review.weekTitle} · ${review.courseTitle}`}>
                <NameLink
                  name={`${review.firstName} ${review.lastName}`}
                  to={review.can.openPerson ? paths.person(review.participantId) : null}
                  className={classes.above}
                />{' '}
                · {review.weekTitle} · {review.courseTitle}
              </Text>
            </Box>
            <Text size="sm" c="dimmed" component="div" className={classes.when}>
              <Text size="sm" fw={550} c="var(--mantine-color-text)">
                {ageInWords(review.submittedAt, now)}
              </Text>
              <DateTime value={review.submittedAt} />
            </Text>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}
