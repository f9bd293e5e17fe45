import { Select } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type CourseModule, listModules, moveModule } from '#contract/programme-setup.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { countOn } from '../../../ui/FilterBar.tsx';
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { RowActions, RowActionsOnPhone } from '../RowActions.tsx';
import { moduleTypeNames } from '../setup-words.ts';
import { ModuleDialog, RemoveModule } from './ModuleDialog.tsx';
import { Archived, Name } from './SetupCells.tsx';
import { SetupList, SetupSearch } from './SetupList.tsx';
import { useSetupPlace } from './setup-place.ts';

const all = 'all';
/** Stands before the name of a version, which may itself be 'all'. */
const named = 'version:';

export function SetupModules() {
  const { place, change } = useSetupPlace();
  const { search, curriculum } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listModules, { query: { search, curriculumVersion: curriculum } }),
    placeholderData: keepPreviousData,
  });
  const move = useAction(moveModule, {
    failureTitle: 'The module could not be moved',
  });
  const [first] = list.data?.pages ?? [];
  const versions = first?.curriculumVersions ?? [];
  const offered = curriculum && !versions.includes(curriculum) ? [...versions, curriculum] : versions;
  return (
    <SetupList
      thing="module"
      things="modules"
      list={list}
      columns={({ onEdit, onDelete }, rows) =>
        columnsFor({
          rows,
          onEdit,
          onDelete,
          // While a search leaves modules out, nobody can see one move between them.
          onMove: search ? undefined : ({ id }, direction) => move.run({ params: { id }, body: { direction } }),
        })
      }
      isFiltered={Boolean(search || curriculum)}
      onClear={() => change({ search: undefined, curriculum: undefined })}
      emptyWords="A module is a part of the curriculum; activities carry its title."
      search={<SetupSearch placeholder="Title" />}
      filters={{
        on: countOn(curriculum),
        fields: (
          <Select
            label="Curriculum version"
            data={[
              { value: all, label: 'All versions' },
              ...offered.map((version) => ({ value: named + version, label: version })),
            ]}
            value={curriculum ? named + curriculum : all}
            onChange={(chosen) =>
              change({ curriculum: chosen?.startsWith(named) ? chosen.slice(named.length) : undefined })
            }
            allowDeselect={false}
            w={{ base: '100%', xs: 180 }}
          />
        ),
      }}
      editor={(module, onClose) => (
        <ModuleDialog
          module={module}
          curriculumVersion={curriculum ?? '1'}
          tracks={first?.tracks ?? []}
          versions={versions}
          onClose={onClose}
        />
      )}
      removal={(module, onClose) => <RemoveModule module={module} onClose={onClose} />}
    />
  );
}

interface ModuleColumns {
  rows: CourseModule[];
  onEdit: (module: CourseModule) => void;
  onDelete: (module: CourseModule) => void;
  onMove: ((module: CourseModule, direction: 'up' | 'down') => void) | undefined;
}

function columnsFor({ rows, onEdit, onDelete, onMove }: ModuleColumns): Column<CourseModule>[] {
  const actsOn = (module: CourseModule) => {
    const group = rows.filter((other) => !other.isArchived && isSibling(other, module));
    const isMovable = onMove && !module.isArchived && group.length > 1;
    return {
      name: module.title,
      onEdit: () => onEdit(module),
      onDelete: () => onDelete(module),
      isFirst: group[0]?.id === module.id,
      isLast: group.at(-1)?.id === module.id,
      ...(isMovable ? { onMove: (direction: 'up' | 'down') => onMove(module, direction) } : {}),
    };
  };
  return [
    {
      key: 'module',
      label: 'Module',
      onPhone: 'first',
      cellOnPhone: ({ title }) => <TitleOnPhone>{title}</TitleOnPhone>,
      cell: (module) => (
        <TwoLines
          first={<Name>{module.title}</Name>}
          second={
            <>
              {module.isArchived ? <Archived /> : null} {kindOf(module)}
            </>
          }
        />
      ),
    },
    {
      key: 'version',
      label: 'Curriculum',
      width: 110,
      onPhone: 'firstEnd',
      cellOnPhone: (module) => (module.isArchived ? <Archived /> : moduleTypeNames[module.moduleType]),
      cell: ({ curriculumVersion }) => curriculumVersion,
    },
    {
      key: 'activities',
      label: 'Activities',
      width: 100,
      isNumber: true,
      onPhone: 'secondRest',
      cellOnPhone: ({ trackName, curriculumVersion, activities, completions }) => (
        <TwoLines
          first={`Completed by ${completions.toLocaleString('en-US')}`}
          second={[counted(activities, 'activity', 'activities'), trackName, `Curriculum ${curriculumVersion}`]
            .filter(Boolean)
            .join(' · ')}
        />
      ),
      cell: ({ activities }) => activities,
    },
    {
      key: 'completions',
      label: 'Completed by',
      width: 120,
      isNumber: true,
      cell: ({ completions }) => completions.toLocaleString('en-US'),
    },
    {
      key: 'actions',
      label: 'Actions',
      width: 200,
      onPhone: 'secondEnd',
      cellOnPhone: (module) => <RowActionsOnPhone {...actsOn(module)} />,
      cell: (module) => <RowActions {...actsOn(module)} />,
    },
  ];
}

function kindOf({ moduleType, trackName }: CourseModule): string {
  return [moduleTypeNames[moduleType], trackName].filter(Boolean).join(' · ');
}

function isSibling(one: CourseModule, other: CourseModule): boolean {
  return one.curriculumVersion === other.curriculumVersion && one.trackId === other.trackId;
}
