import { Anchor, Box, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CoachDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { HomePanel } from './HomePanel.tsx';
import classes from './HomeRows.module.css';

interface CoachPendingReviewsProps {
  reviews: CoachDashboard['pendingEvaluations'];
  total: number;
}

/** COACH-10: the reviews that wait longest come first. */
export function CoachPendingReviews({ reviews, total }: CoachPendingReviewsProps) {
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
          <li key={review.id}>
            <Link to={paths.submissions} search={{ tab: 'pending', review: review.id }} className={classes.row}>
              <Box style={{ minWidth: 0 }}>
                <Text fw={550}>{review.assignmentTitle}</Text>
                <Text size="sm" c="dimmed">
                  {review.firstName} {review.lastName} · {review.courseTitle} · {review.weekTitle}
                </Text>
              </Box>
              <Text size="sm" c="dimmed" component="div" className={classes.when}>
                <DateTime value={review.submittedAt} />
              </Text>
            </Link>
          </li>
        ))}
      </Stack>
    </HomePanel>
  );
}
