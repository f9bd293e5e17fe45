import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { mostPeopleAtOnce } from '#contract/people-sets.ts';
import { listUserIds } from '#contract/user-management.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { counted } from '../../ui/counted.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { ChosenIds } from '../../ui/use-chosen-ids.ts';
import { usePart } from '../../ui/use-part.ts';
import type { UserPlace } from './user-place.ts';
import { type PeopleAct, peopleActs, peopleActTitles } from './user-words.ts';

interface ChosenUsersProps {
  chosen: ChosenIds;
  /** The ids of the people on this page. */
  shown: readonly string[];
}

/** Acts upon the chosen people, on this page or not. Each act first says in numbers what it will do. */
export function ChosenUsers({ chosen, shown }: ChosenUsersProps) {
  const [asked, setAsked] = useState<PeopleAct | null>(null);
  const ids = [...chosen.ids];
  const elsewhere = ids.length - shown.filter((id) => chosen.ids.has(id)).length;
  const isTooMany = ids.length > mostPeopleAtOnce;
  const words = ids.length > 0 ? `${counted(ids.length, 'person', 'people')} selected${beside(elsewhere)}` : '';
  const most = mostPeopleAtOnce.toLocaleString('en-US');
  return (
    <>
      <SelectionBar words={isTooMany ? `${words}. Select at most ${most}.` : words} onClear={chosen.clear}>
        {peopleActs.map((act) => (
          <Button key={act} size="compact-sm" variant="default" disabled={isTooMany} onClick={() => setAsked(act)}>
            {peopleActTitles[act]}
          </Button>
        ))}
      </SelectionBar>
      <Modal
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? peopleActTitles[asked] : ''}
        size="lg"
      >
        {asked ? (
          <LoadedAct
            act={asked}
            ids={ids}
            onClose={() => setAsked(null)}
            onDone={() => {
              setAsked(null);
              chosen.clear();
            }}
          />
        ) : null}
      </Modal>
    </>
  );
}

function beside(elsewhere: number): string {
  return elsewhere > 0 ? `, ${elsewhere.toLocaleString('en-US')} not on this page` : '';
}

interface LoadedActProps {
  act: PeopleAct;
  ids: string[];
  onClose: () => void;
  onDone: () => void;
}

function LoadedAct(props: LoadedActProps) {
  const part = usePart('acts upon several people', () => import('./PeopleActs.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 2 }}>
      {({ PeopleActs }) => <PeopleActs {...props} />}
    </Loaded>
  );
}

interface ChooseAllProps {
  place: Pick<UserPlace, 'search' | 'role' | 'order'>;
  matching: number;
  isFiltered: boolean;
  chosen: ChosenIds;
}

/** Chooses everybody who matches at this moment, on all pages. Whoever comes to match later is not among them. */
export function ChooseAllUsers({ place: { search, role, order }, matching, isFiltered, chosen }: ChooseAllProps) {
  const [isReading, setReading] = useState(false);
  if (matching > mostPeopleAtOnce || matching === 0) return null;
  const choose = async () => {
    setReading(true);
    await call(listUserIds, { query: { search, role, order } }).then(
      ({ ids }) => chosen.chooseOnly(ids),
      (error: unknown) => showToast({ type: 'error', title: 'Not Selected', message: messageOf(error) }),
    );
    setReading(false);
  };
  return (
    <Button variant="subtle" size="compact-sm" loading={isReading} onClick={() => void choose()}>
      Select all {matching.toLocaleString('en-US')}
      {isFiltered ? ' found' : ''}
    </Button>
  );
}
