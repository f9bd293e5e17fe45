import { Anchor, Card, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { reviewStatuses } from '#contract/reviews.ts';
import { paths } from '../../app/paths.ts';
import { statusNames } from './status-names.ts';

interface GradingInfoProps {
  maxPoints: number;
  isRequired: boolean;
}

/** ASSIGN-06: for coaches and admins only. */
export function GradingInfo({ maxPoints, isRequired }: GradingInfoProps) {
  const outcomes = reviewStatuses.map((status) => statusNames[status]).join(', ');
  const facts = [
    ['Max points', maxPoints.toString()],
    ['Required', isRequired ? 'Yes' : 'No'],
    ['Outcomes of a review', outcomes],
    ['Feedback', 'Goes with every review'],
  ];
  return (
    <Card component="section" aria-labelledby="grading">
      <Stack gap="sm">
        <Title order={2} id="grading">
          Grading
        </Title>
        <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <Text component="dt" size="sm" c="dimmed">
                {name}
              </Text>
              <Text component="dd" m={0}>
                {value}
              </Text>
            </div>
          ))}
        </dl>
        <Anchor
          underline="always"
          renderRoot={(props) => <Link {...props} to={paths.submissions} search={{ tab: 'pending' }} />}
        >
          Review what was handed in
        </Anchor>
      </Stack>
    </Card>
  );
}
