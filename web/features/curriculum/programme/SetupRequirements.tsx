import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listCohorts, readCohort } from '#contract/cohorts.ts';
import { listRequirements, moveRequirement, type Requirement } from '#contract/programme-items.ts';
import { pagesFor, queryFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { formatDay } from '../../../ui/dates.ts';
import { countOn } from '../../../ui/FilterBar.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { RowActions, RowActionsOnPhone } from '../RowActions.tsx';
import { CohortPicker } from './CohortPicker.tsx';
import { RemoveRequirement, RequirementDialog } from './RequirementDialog.tsx';
import { Name } from './SetupCells.tsx';
import { SetupList, SetupWeek } from './SetupList.tsx';
import { useSetupPlace } from './setup-place.ts';

/** Shows one cohort's requirements: the one in the address, or else the latest. */
export function SetupRequirements() {
  const { place, change } = useSetupPlace();
  const named = place.cohort === 'none' ? undefined : place.cohort;
  const latest = useQuery({ ...queryFor(listCohorts, { query: {} }), enabled: !named });
  const cohortId = named ?? latest.data?.rows[0]?.id;
  if (cohortId) return <OfCohort key={cohortId} cohortId={cohortId} />;
  return (
    <Loaded read={latest} failure="The cohorts could not be loaded" loading={{ label: 'Loading the cohorts', rows: 4 }}>
      {() => (
        <>
          <CohortPicker
            label="Cohort"
            placeholder="Choose a cohort"
            value={null}
            onChange={(cohort) => change({ cohort, week: undefined })}
          />
          <EmptyState title="No cohort chosen">Weekly requirements belong to a cohort.</EmptyState>
        </>
      )}
    </Loaded>
  );
}

function OfCohort({ cohortId }: { cohortId: string }) {
  const { place, change } = useSetupPlace();
  const { week } = place;
  const cohort = useQuery(queryFor(readCohort, { params: { id: cohortId } }));
  const list = useInfiniteQuery({
    ...pagesFor(listRequirements, { query: { cohort: cohortId, week } }),
    placeholderData: keepPreviousData,
  });
  const move = useAction(moveRequirement, {
    failureTitle: 'The requirement could not be moved',
  });
  return (
    <SetupList
      thing="requirement"
      things="weekly requirements"
      list={list}
      columns={({ onEdit, onDelete }, rows) =>
        columnsFor({
          rows,
          onEdit,
          onDelete,
          onMove: ({ id }, direction) => move.run({ params: { id }, body: { direction } }),
        })
      }
      isFiltered={week !== undefined}
      onClear={() => change({ week: undefined })}
      emptyWords="What the members of this cohort are reminded of, week by week."
      search={<CohortPicker label="Cohort" value={cohortId} onChange={(next) => change({ cohort: next })} />}
      filters={{ on: countOn(week), fields: <SetupWeek /> }}
      editor={(requirement, onClose) => (
        <RequirementDialog
          cohortId={cohortId}
          cohort={cohort.data ?? null}
          week={week ?? 1}
          requirement={requirement}
          onClose={onClose}
        />
      )}
      removal={(requirement, onClose) => <RemoveRequirement requirement={requirement} onClose={onClose} />}
    />
  );
}

interface RequirementColumns {
  rows: Requirement[];
  onEdit: (requirement: Requirement) => void;
  onDelete: (requirement: Requirement) => void;
  onMove: (requirement: Requirement, direction: 'up' | 'down') => void;
}

function columnsFor({ rows, onEdit, onDelete, onMove }: RequirementColumns): Column<Requirement>[] {
  const actsOn = (requirement: Requirement) => {
    const ofWeek = rows.filter(({ weekNumber }) => weekNumber === requirement.weekNumber);
    return {
      name: requirement.title,
      onEdit: () => onEdit(requirement),
      onDelete: () => onDelete(requirement),
      isFirst: ofWeek[0]?.id === requirement.id,
      isLast: ofWeek.at(-1)?.id === requirement.id,
      ...(ofWeek.length > 1 ? { onMove: (direction: 'up' | 'down') => onMove(requirement, direction) } : {}),
    };
  };
  return [
    { key: 'week', label: 'Week', width: 96, onPhone: 'firstEnd', cell: weekOf },
    {
      key: 'requirement',
      label: 'Requirement',
      onPhone: 'first',
      cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
      cell: ({ title, type }) => <TwoLines first={<Name>{title}</Name>} second={kindOf(type)} />,
    },
    {
      key: 'due',
      label: 'Due',
      width: 160,
      onPhone: 'secondRest',
      cellOnPhone: ({ dueDate, type }) => (
        <TwoLines first={`Due ${formatDay(dueDate, { withYear: true })}`} second={kindOf(type)} />
      ),
      cell: ({ dueDate }) => formatDay(dueDate, { withYear: true }),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 200,
      onPhone: 'secondEnd',
      cellOnPhone: (requirement) => <RowActionsOnPhone {...actsOn(requirement)} />,
      cell: (requirement) => <RowActions {...actsOn(requirement)} />,
    },
  ];
}

function kindOf(type: string): string {
  return type.replace(/^./, (first) => first.toUpperCase());
}

function weekOf({ weekNumber }: Requirement): string {
  return weekNumber === null ? 'No week' : `Week ${weekNumber}`;
}
