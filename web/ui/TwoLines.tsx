import { Children, type ReactNode } from 'react';
import classes from './DataTable.module.css';

interface TwoLinesProps {
  first: ReactNode;
  second?: ReactNode;
  /** The words of the second line as the pointer reads them where they are cut. Without this, they are the line's. */
  secondInFull?: string | undefined;
}

/** A cell of two lines. In compact rows each one ends in dots where its column ends. */
export function TwoLines({ first, second, secondInFull }: TwoLinesProps) {
  return (
    <>
      {typeof first === 'string' ? (
        <span className={classes.line} title={first}>
          {first}
        </span>
      ) : (
        <div className={classes.line}>{first}</div>
      )}
      {second ? (
        <span className={classes.second} title={secondInFull ?? (typeof second === 'string' ? second : undefined)}>
          {second}
        </span>
      ) : null}
    </>
  );
}

/** The first line of a phone's row, where nothing opens by its name. What is longer than two lines ends in dots. */
export function TitleOnPhone({ children }: { children: string }) {
  return <span className={classes.title}>{children}</span>;
}

/**
 * Sentences about the thing above them. In compact rows they share one line, and the pointer reads what is cut. Without
 * any there is nothing.
 */
export function Facts({ children }: { children: ReactNode }) {
  if (Children.toArray(children).length === 0) return null;
  return (
    <div
      className={classes.facts}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = [...currentTarget.children].map(({ textContent }) => textContent).join('\n');
      }}
    >
      {children}
    </div>
  );
}
