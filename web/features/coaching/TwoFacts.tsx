import classes from './WeeklyRatings.module.css';

/** A cell of two lines. Where its column cuts one, the pointer reads it whole. On a phone neither is cut. */
export function TwoFacts({ first, second }: { first: string; second: string }) {
  return (
    <>
      <span className={classes.first} title={first}>
        {first}
      </span>
      <span className={classes.second} title={second}>
        {second}
      </span>
    </>
  );
}
