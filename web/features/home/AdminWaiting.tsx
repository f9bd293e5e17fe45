import { useQuery } from '@tanstack/react-query';
import { readWaitingAges, type WaitingAges, waitingKinds } from '#contract/programme-figures.ts';
import { type WaitingAge, waitingAgeLabels, waitingAges } from '#contract/waiting-age.ts';
import { queryFor } from '../../api/query-for.ts';
import { paths } from '../../app/paths.ts';
import { Chart } from '../../ui/Chart.tsx';
import type { ChartPart, ChartRow } from '../../ui/chart-looks.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';

const looks = {
  underOneDay: { tone: 'success', pattern: 'plain' },
  underThreeDays: { tone: 'info', pattern: 'lines' },
  underSevenDays: { tone: 'warning', pattern: 'dots' },
  fromSevenDays: { tone: 'danger', pattern: 'stripes' },
} as const satisfies Record<WaitingAge, Pick<ChartPart, 'tone' | 'pattern'>>;
const parts: ChartPart[] = waitingAges.map((key) => ({ key, label: waitingAgeLabels[key], ...looks[key] }));

const names: Record<(typeof waitingKinds)[number], string> = {
  reviews: 'Work to review',
  stipends: 'Stipends to decide',
  questions: 'Questions about stipends',
  corrections: 'Attendance corrections',
};

/** What waits, and for how long? */
export function AdminWaiting() {
  const ages = useQuery(queryFor(readWaitingAges));
  return (
    <Loaded read={ages} failure="What waits could not be loaded" loading={{ label: 'Loading what waits', rows: 4 }}>
      {(found) =>
        waitingKinds.every((kind) => waitingAges.every((age) => found[kind][age] === 0)) ? (
          <EmptyState title="Nothing waits">
            Reviews, stipends, questions and corrections show here as they come.
          </EmptyState>
        ) : (
          <Chart
            direction="across"
            label="What waits, by age"
            rowHead="What waits"
            totalHead="All"
            parts={parts}
            rows={[
              ...waitingKinds.map((kind) => toRow(found, kind)),
              ...(found.stipendWeeks.length > 1 ? found.stipendWeeks.map(toWeekRow) : []),
            ]}
            format={(count) => count.toLocaleString('en-US')}
            mostBars={waitingKinds.length}
            note={
              found.stipendWeeks.length > 1
                ? 'A stipend waits from the day after its week ends, and the table lists stipends week by week.'
                : undefined
            }
            isNoteAll
          />
        )
      }
    </Loaded>
  );
}

function toRow(found: WaitingAges, kind: (typeof waitingKinds)[number]): ChartRow {
  return {
    key: kind,
    label: names[kind],
    name: names[kind],
    values: found[kind],
    links: Object.fromEntries(waitingAges.map((age) => [age, linkTo(found, kind, age)])),
  };
}

function linkTo({ stipendWeeks }: WaitingAges, kind: (typeof waitingKinds)[number], age: WaitingAge) {
  if (kind === 'reviews') return paths.reviewsOfAge(age);
  if (kind === 'questions') return paths.questionsOfAge(age);
  if (kind === 'corrections') return paths.correctionsOfAge(age);
  // Stipend Management lists one week. Several weeks have rows of their own.
  const [only, ...others] = stipendWeeks.filter((week) => week.age === age);
  return only && others.length === 0 ? paths.stipendsToApprove(only.weekNumber, only.cohortId) : undefined;
}

function toWeekRow({ weekNumber, cohortId, cohortName, age, count }: WaitingAges['stipendWeeks'][number]): ChartRow {
  const name = `Stipends of week ${weekNumber}, ${cohortName}`;
  return {
    key: `${cohortId} ${weekNumber}`,
    label: name,
    name,
    values: { [age]: count },
    links: { [age]: paths.stipendsToApprove(weekNumber, cohortId) },
  };
}
