import { Group, TextInput } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { rateWeek } from '#contract/coaching.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { RatedWeek } from '#contract/rated-weeks.ts';
import { messageOf } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { LongText } from '../../ui/LongText.tsx';
import { limitOf, surplusInWords } from '../../ui/text-limit.ts';
import { showToast } from '../../ui/toast.tsx';
import { useTellUnsaved } from '../../ui/use-unsaved-parts.ts';
import { RatedWeekFacts } from './RatedWeekFacts.tsx';
import { moveInGrid } from './rating-grid.ts';
import { ratingFrom, ratingText } from './rating-words.ts';
import { TwoFacts } from './TwoFacts.tsx';
import classes from './WeeklyRatings.module.css';

type Rating = ResponseOf<typeof rateWeek>;
interface Draft {
  rating: string;
  comment: string;
}
interface Sent {
  rating: number;
  comment: string | null;
}

const longestComment = limitOf(rateWeek.body, 'comment');

interface WeeklyRatingRowProps {
  row: Rating;
  /** What the rating rests on. It stands beside the field. */
  week: RatedWeek | undefined;
  /** Learns what leaving the page would lose. A save on its way would not be lost. */
  tellUnsaved: (part: string, isUnsaved: boolean) => void;
}

/** One participant's rating of one week. Leaving its field or pressing Enter saves it. */
export function WeeklyRatingRow({ row, week, tellUnsaved }: WeeklyRatingRowProps) {
  const [reply, setReply] = useState<Rating | null>(null);
  const stored = newerOf(row, reply);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** The field was left while an earlier save was on its way. */
  const [isWaiting, setWaiting] = useState(false);
  const [onItsWay, setOnItsWay] = useState<Sent | null>(null);
  const isShown = useIsShown();
  const name = `${row.firstName} ${row.lastName}`;
  const save = useAction(rateWeek, {
    onSuccess: (saved, { body }) => {
      setReply(saved);
      setOnItsWay(null);
      setDraft((typed) => (typed && isWhat(typed, body) ? null : typed));
    },
    onError: (error) => {
      setProblem(messageOf(error));
      setOnItsWay(null);
      if (isShown.current) return;
      const message = `${name}, week ${row.weekNumber}: ${messageOf(error)}`;
      showToast({ type: 'error', title: 'Rating not saved', message });
    },
  });
  const { rating, comment } = draft ?? { rating: ratingText(stored.rating), comment: stored.comment ?? '' };
  const isChanged = rating !== ratingText(stored.rating) || comment !== (stored.comment ?? '');
  const isUnsaved = isChanged && !(draft && onItsWay && isWhat(draft, onItsWay));
  useTellUnsaved(tellUnsaved, `${row.participantId} ${row.cohortId}`, isUnsaved);

  const send = (typed: Draft, value: number) => {
    const params = { participantId: row.participantId, weekNumber: row.weekNumber };
    const body = { rating: value, comment: typed.comment.trim() || null };
    setOnItsWay(body);
    save.run({ params, body });
  };
  const commit = () => {
    if (!draft || !isChanged) return setProblem(null);
    const value = ratingFrom(draft.rating);
    if (value === null) {
      return setProblem(draft.rating.trim() === '' ? 'Give a rating first.' : 'From 1.0 to 5.0 in halves.');
    }
    const surplus = surplusInWords(draft.comment, longestComment);
    if (surplus) return setProblem(`The comment is ${surplus}`);
    setProblem(null);
    if (save.isRunning) setWaiting(true);
    else send(draft, value);
  };
  useEffect(() => {
    if (!isWaiting || save.isRunning) return;
    setWaiting(false);
    commit();
  });
  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      setDraft(null);
      setProblem(null);
      // The last row has no next one.
    } else if (!moveInGrid(event) && event.key === 'Enter' && event.target instanceof HTMLInputElement) commit();
  };

  return (
    <tr>
      <th scope="row" className={classes.person}>
        <TwoFacts first={name} second={`${row.cohortName}, week ${row.weekNumber}`} />
      </th>
      <td className={classes.facts}>
        <RatedWeekFacts week={week} rating={stored.rating} />
      </td>
      <td>
        <TextInput
          className={classes.rating}
          aria-label={`Rating of ${name}`}
          data-grid-column="rating"
          inputMode="decimal"
          autoComplete="off"
          placeholder="1 to 5"
          value={rating}
          readOnly={!row.can.rate}
          disabled={!row.can.rate}
          error={problem !== null}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setDraft({ rating: currentTarget.value, comment })}
          onBlur={commit}
          onKeyDown={pressKey}
        />
      </td>
      <td>
        <LongText
          aria-label={`Comment on ${name}`}
          data-grid-column="comment"
          autosize
          minRows={1}
          maxRows={5}
          maxLength={longestComment}
          placeholder="Comment"
          value={comment}
          disabled={!row.can.rate}
          onChange={({ currentTarget }) => setDraft({ rating, comment: currentTarget.value })}
          onBlur={commit}
          onKeyDown={pressKey}
        />
      </td>
      <td className={classes.state} role="status" aria-label={`State of ${name}`}>
        <State
          problem={problem}
          isSaving={save.isRunning}
          isChanged={isChanged}
          isSaved={stored.updatedAt !== null}
          canRate={row.can.rate}
        />
      </td>
    </tr>
  );
}

/** Whether the row is still on the screen. */
function useIsShown() {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

interface StateProps {
  problem: string | null;
  isSaving: boolean;
  isChanged: boolean;
  isSaved: boolean;
  canRate: boolean;
}

function State({ problem, isSaving, isChanged, isSaved, canRate }: StateProps) {
  if (problem) {
    return (
      <Group gap={6} wrap="nowrap" c="var(--mantine-color-error)">
        <CircleAlert size={16} aria-hidden style={{ flex: '0 0 auto' }} />
        <span style={{ lineHeight: 1.4 }}>{problem}</span>
      </Group>
    );
  }
  if (!canRate) return isSaved ? 'Decided' : 'Cannot be rated';
  if (isSaving) return 'Saving…';
  if (isChanged) return 'Not saved yet';
  if (!isSaved) return 'Not rated';
  return (
    <Group gap={6} wrap="nowrap">
      <CircleCheck size={16} aria-hidden color="var(--status-success)" />
      Saved
    </Group>
  );
}

function isWhat({ rating, comment }: Draft, sent: Sent): boolean {
  return ratingFrom(rating) === sent.rating && (comment.trim() || null) === sent.comment;
}

/** The reply to the person's own save counts until the list has caught up with it. */
function newerOf(row: Rating, reply: Rating | null): Rating {
  return reply && (reply.updatedAt ?? '') > (row.updatedAt ?? '') ? reply : row;
}
