import { Button } from '@mantine/core';
import { formatDateTime, formatTime } from '../../ui/dates.ts';
import classes from './SlotButtons.module.css';

/** The free times of one day. */
export function SlotButtons({ slots, onChoose }: { slots: string[]; onChoose: (startsAt: string) => void }) {
  return (
    <div className={classes.slots}>
      {slots.map((slot) => (
        <Button
          key={slot}
          variant="default"
          className={classes.slot}
          aria-label={formatDateTime(slot)}
          onClick={() => onChoose(slot)}
        >
          {formatTime(slot).replace(' ET', '')}
        </Button>
      ))}
    </div>
  );
}
