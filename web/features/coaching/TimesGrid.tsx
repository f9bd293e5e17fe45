import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useRef, useState } from 'react';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { formatClock, formatDay } from '../../ui/dates.ts';
import { type Cell, cellAt, cellsADay, clockAt, daysPerWeek } from './availability-cells.ts';
import classes from './TimesGrid.module.css';
import { usePainting } from './use-painting.ts';

interface TimesGridProps {
  /** The Sunday on which the week starts. */
  week: string;
  cells: ReadonlySet<Cell>;
  /** Nobody can book a time on such a day, whatever the coach offers. */
  isOnLeave: (day: string) => boolean;
  onChange: (cells: ReadonlySet<Cell>) => void;
}

const usualStart = 16;
const usualEnd = 40;
const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const everyDay = Array.from({ length: daysPerWeek }, (_, day) => day);

/**
 * Half hours to paint. With the mouse, drag. With a finger, tap, or hold and drag. With the keyboard, move with the
 * arrow keys and press Space. Hold Shift to go on painting.
 */
export function TimesGrid({ week, cells, isOnLeave, onChange }: TimesGridProps) {
  const isNarrow = useMediaQuery('(max-width: 700px)') ?? false;
  const [isWholeDay, setWholeDay] = useState(false);
  const [shownDay, setShownDay] = useState(() => dayWithin(week));
  const [focused, setFocused] = useState<Cell>(cellAt(1, 18));
  const grid = useRef<HTMLDivElement>(null);
  const days = isNarrow ? [shownDay] : everyDay;
  const isBeyond = [...cells].some((cell) => cell % cellsADay < usualStart || cell % cellsADay >= usualEnd);
  const [first, end] = isWholeDay || isBeyond ? [0, cellsADay] : [usualStart, usualEnd];
  const halfHours = Array.from({ length: end - first }, (_, index) => first + index);
  const isShown = (cell: Cell) =>
    days.includes(Math.floor(cell / cellsADay)) && cell % cellsADay >= first && cell % cellsADay < end;
  const reachable = isShown(focused) ? focused : cellAt(days[0] ?? 0, first);

  const paint = (cell: Cell, isOffered: boolean) => {
    if (cells.has(cell) === isOffered) return;
    const changed = new Set(cells);
    if (isOffered) changed.add(cell);
    else changed.delete(cell);
    onChange(changed);
  };
  const brush = usePainting({ grid, cells, onChange, onStart: setFocused });
  const pressKey = (event: KeyboardEvent) => {
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      return paint(reachable, !cells.has(reachable));
    }
    const next = neighbourOf(reachable, event.key);
    if (next === null) return;
    event.preventDefault();
    if (!isShown(next)) return;
    if (event.shiftKey) paint(next, cells.has(reachable));
    setFocused(next);
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  };

  return (
    <Stack gap="sm">
      {isNarrow ? (
        <SegmentedControl
          fullWidth
          size="sm"
          className={classes.days}
          styles={{ label: { paddingInline: 4 } }}
          aria-label="Day"
          value={String(shownDay)}
          onChange={(day) => setShownDay(Number(day))}
          data={everyDay.map((day) => ({ value: String(day), label: dayNames[day]?.slice(0, 2) ?? '' }))}
        />
      ) : null}
      {/* biome-ignore lint/a11y/useSemanticElements: A table is for reading, and a grid is for work. */}
      <div
        ref={grid}
        role="grid"
        tabIndex={-1}
        aria-label="Times you offer"
        aria-multiselectable
        className={classes.grid}
        data-narrow={isNarrow || undefined}
        {...brush}
        onKeyDown={pressKey}
      >
        <Row>
          <span />
          {days.map((day) => (
            // biome-ignore lint/a11y/useFocusableInteractive: Nobody works in a heading of the grid.
            // biome-ignore lint/a11y/useSemanticElements: The grid above has the reason.
            <div key={day} role="columnheader" className={classes.day}>
              {formatDay(addDays(week, day))}
              {isOnLeave(addDays(week, day)) ? <span className={classes.leave}>On leave</span> : null}
            </div>
          ))}
        </Row>
        {halfHours.map((halfHour) => (
          <Row key={halfHour}>
            {/* biome-ignore lint/a11y/useFocusableInteractive: The headings above have the reason. */}
            {/* biome-ignore lint/a11y/useSemanticElements: The grid above has the reason. */}
            <div role="rowheader" className={classes.time}>
              {formatClock(clockAt(halfHour), houseZone).replace(/ \S+$/, '')}
            </div>
            {days.map((day) => {
              const cell = cellAt(day, halfHour);
              const isLeave = isOnLeave(addDays(week, day));
              return (
                // biome-ignore lint/a11y/useSemanticElements: The grid above has the reason.
                <div
                  key={cell}
                  role="gridcell"
                  data-cell={cell}
                  aria-selected={cells.has(cell)}
                  aria-label={`${dayNames[day]} ${formatClock(clockAt(halfHour), houseZone)}, ${cells.has(cell) ? 'offered' : 'not offered'}${isLeave ? ', on leave' : ''}`}
                  data-leave={isLeave || undefined}
                  tabIndex={cell === reachable ? 0 : -1}
                  className={classes.cell}
                >
                  {isNarrow && cells.has(cell) ? 'Offered' : null}
                </div>
              );
            })}
          </Row>
        ))}
      </div>
      {isNarrow ? null : <Legend hasLeave={days.some((day) => isOnLeave(addDays(week, day)))} />}
      <Text size="sm" c="dimmed">
        {isNarrow
          ? 'Tap a half hour to offer it, or hold and drag to offer more. Swipe to scroll.'
          : 'Drag over half hours, or use the arrow keys and Space. On a touch screen, hold one first.'}
      </Text>
      {isBeyond ? null : (
        <Button variant="subtle" size="sm" w="fit-content" ml={-18} onClick={() => setWholeDay(!isWholeDay)}>
          {isWholeDay ? 'Show 8 AM to 8 PM' : 'Show the whole day'}
        </Button>
      )}
    </Stack>
  );
}

/** Says what the looks of the cells mean. On a phone each offered half hour says it itself. */
function Legend({ hasLeave }: { hasLeave: boolean }) {
  return (
    <Group component="ul" gap="4px 16px" m={0} p={0} fz={13} style={{ listStyle: 'none' }} aria-label="Legend">
      <li className={classes.meaning}>
        <span className={classes.swatch} data-offered />
        Offered
      </li>
      <li className={classes.meaning}>
        <span className={classes.swatch} />
        Not offered
      </li>
      {hasLeave ? (
        <li className={classes.meaning}>
          <span className={classes.swatch} data-leave />
          On leave: cannot be booked
        </li>
      ) : null}
    </Group>
  );
}

function Row({ children }: { children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: People work in its cells.
    // biome-ignore lint/a11y/useSemanticElements: The grid above has the reason.
    <div role="row" className={classes.row}>
      {children}
    </div>
  );
}

/**
 * The half hour above or below, or at the same time on the day beside. Null for other keys and at the edge of the week.
 */
function neighbourOf(cell: Cell, key: string): Cell | null {
  const steps: Record<string, number> = {
    ArrowUp: -1,
    ArrowDown: 1,
    ArrowLeft: -cellsADay,
    ArrowRight: cellsADay,
  };
  const step = steps[key];
  if (step === undefined) return null;
  const next = cell + step;
  const staysInDay = Math.abs(step) !== 1 || Math.floor(next / cellsADay) === Math.floor(cell / cellsADay);
  return next >= 0 && next < daysPerWeek * cellsADay && staysInDay ? next : null;
}

/** Today if it is in this week, or else the week's Monday. */
function dayWithin(week: string): number {
  const today = everyDay.find((day) => addDays(week, day) === dayAt(new Date(), houseZone));
  return today ?? 1;
}
