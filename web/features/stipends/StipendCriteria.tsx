import { Tooltip, UnstyledButton } from '@mantine/core';
import { Ban, CircleCheck, CircleX, Clock } from 'lucide-react';
import type { StipendRow } from '#contract/stipends.ts';
import { type CriterionState, criterionStanding } from '#contract/week-standing.ts';
import { marks } from '../../ui/marks.ts';
import { phaseOf } from './row-standing.ts';
import classes from './StipendTable.module.css';

/** STIP-15: each criterion has an icon. Its word and reason are what the button is called, and show beside it. */
export function StipendCriteria({ row, onOpen }: { row: StipendRow; onOpen: () => void }) {
  const phase = phaseOf(row);
  const criteria = row.criteria.map((criterion) => criterionStanding(criterion, phase, 'admin', row.lostCriteria));
  const words = criteria.map(({ label, sentence }) => `${label}. ${sentence}.`).join('\n');
  return (
    <Tooltip
      label={words}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      interactive
      maw={320}
      className={classes.words}
    >
      <UnstyledButton className={classes.criteria} onClick={onOpen}>
        <svg viewBox={`0 0 ${criteria.length * 24} 24`} height={20} aria-hidden>
          {criteria.map(({ state, label }, index) => (
            <path
              key={label}
              d={drawn[state].mark}
              transform={`translate(${index * 24} 0)`}
              className={drawn[state].look}
            />
          ))}
        </svg>
        <span className={`${classes.words} ${classes.heardWords}`}>{words}</span>
      </UnstyledButton>
    </Tooltip>
  );
}

const drawn: Record<CriterionState, { mark: string; look: string | undefined }> = {
  met: { mark: marks.check, look: classes.met },
  so_far: { mark: marks.clock, look: classes.open },
  out_of_reach: { mark: marks.slash, look: classes.unmet },
  waiting_for_rating: { mark: marks.clock, look: classes.open },
  not_met: { mark: marks.cross, look: classes.unmet },
};

const icons = {
  met: { Icon: CircleCheck, color: 'var(--status-success)' },
  so_far: { Icon: Clock, color: 'var(--mantine-color-dimmed)' },
  out_of_reach: { Icon: Ban, color: 'var(--status-danger)' },
  waiting_for_rating: { Icon: Clock, color: 'var(--mantine-color-dimmed)' },
  not_met: { Icon: CircleX, color: 'var(--status-danger)' },
} as const satisfies Record<CriterionState, unknown>;

export function CriterionIcon({ state }: { state: CriterionState }) {
  const { Icon, color } = icons[state];
  return <Icon size={17} aria-hidden color={color} style={{ flex: 'none', marginTop: 2 }} />;
}
