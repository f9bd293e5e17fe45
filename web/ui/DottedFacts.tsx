import type { ReactNode } from 'react';
import classes from './DottedFacts.module.css';

/** Short facts in a row with dots between them. No line starts or ends with a dot. */
export function DottedFacts({ facts }: { facts: ReactNode[] }) {
  return (
    <span className={classes.facts}>
      {facts.filter(Boolean).map((fact, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: A fact has nothing but its place.
        <span key={place} className={classes.fact}>
          {place > 0 ? <span className={classes.dot}> · </span> : null}
          {fact}
        </span>
      ))}
    </span>
  );
}
