import { SimpleGrid } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import {
  createTrack,
  deleteTrack,
  listTracks,
  type Track,
  TrackFacts,
  updateTrack,
} from '#contract/programme-setup.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { TitleOnPhone, TwoLines } from '../../../ui/TwoLines.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { RowActions } from '../RowActions.tsx';
import { LongTextField, NumberField, SwitchField, TextField } from '../SetupFields.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';
import { Name } from './SetupCells.tsx';
import { SetupEditor } from './SetupEditor.tsx';
import { SetupList, SetupSearch } from './SetupList.tsx';
import { actOn, actOnNamed } from './setup-acts.ts';
import { useSetupPlace } from './setup-place.ts';

interface Draft {
  name: string;
  description: string;
  durationWeeks: number | '';
  isActive: boolean;
}

const fieldNames: Record<keyof Draft, string> = {
  name: 'Name',
  description: 'Description',
  durationWeeks: 'Duration in weeks',
  isActive: 'On offer',
};
const blank: Draft = { name: '', description: '', durationWeeks: 4, isActive: true };

export function SetupTracks() {
  const { place, change } = useSetupPlace();
  const { search } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listTracks, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  return (
    <SetupList
      thing="track"
      things="tracks"
      list={list}
      columns={({ onEdit, onDelete }) => columnsFor(onEdit, onDelete)}
      isFiltered={Boolean(search)}
      onClear={() => change({ search: undefined })}
      emptyWords="A participant chooses a specialization track after all core modules."
      search={<SetupSearch placeholder="Name" />}
      editor={(track, onClose) => <TrackDialog track={track} onClose={onClose} />}
      removal={(track, onClose) => <RemoveTrack track={track} onClose={onClose} />}
    />
  );
}

function columnsFor(onEdit: (track: Track) => void, onDelete: (track: Track) => void): Column<Track>[] {
  return [
    {
      key: 'track',
      label: 'Track',
      onPhone: 'first',
      cellOnPhone: ({ name }) => <TitleOnPhone>{name}</TitleOnPhone>,
      cell: ({ name, description }) => <TwoLines first={<Name>{name}</Name>} second={description} />,
    },
    {
      key: 'offer',
      label: 'Offer',
      width: 140,
      onPhone: 'firstEnd',
      cell: ({ isActive }) =>
        isActive ? (
          <StatusBadge tone="success">On offer</StatusBadge>
        ) : (
          <StatusBadge tone="neutral">Not on offer</StatusBadge>
        ),
    },
    {
      key: 'weeks',
      label: 'Weeks',
      width: 80,
      isNumber: true,
      onPhone: 'secondRest',
      cellOnPhone: ({ durationWeeks, modules, selections }) => (
        <TwoLines
          first={`${counted(durationWeeks, 'week')}, ${counted(modules, 'module')}`}
          second={`Chosen by ${selections.toLocaleString('en-US')}`}
        />
      ),
      cell: ({ durationWeeks }) => durationWeeks,
    },
    { key: 'modules', label: 'Modules', width: 90, isNumber: true, cell: ({ modules }) => modules },
    { key: 'selections', label: 'Chosen by', width: 100, isNumber: true, cell: ({ selections }) => selections },
    {
      key: 'actions',
      label: 'Actions',
      width: 132,
      onPhone: 'secondEnd',
      cell: (track) => <RowActions name={track.name} onEdit={() => onEdit(track)} onDelete={() => onDelete(track)} />,
    },
  ];
}

function TrackDialog({ track, onClose }: { track: Track | null; onClose: () => void }) {
  const create = useAction(createTrack, actOn('track', 'added', onClose));
  const update = useAction(updateTrack, actOn('track', 'saved', onClose));
  return (
    <SetupEditor
      thing="track"
      row={track}
      nameOf={({ name }) => name}
      draftOf={draftOf}
      blank={blank}
      create={create}
      update={update}
      schema={TrackFacts}
      fieldNames={fieldNames}
      onClose={onClose}
    >
      {(form) => (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <TextField
              form={form}
              name="name"
              label={fieldNames.name}
              required
              maxLength={limitOf(TrackFacts, 'name')}
            />
            <NumberField form={form} name="durationWeeks" label={fieldNames.durationWeeks} required />
          </SimpleGrid>
          <LongTextField
            form={form}
            name="description"
            label={fieldNames.description}
            maxLength={limitOf(TrackFacts, 'description')}
          />
          <SwitchField
            form={form}
            name="isActive"
            label={fieldNames.isActive}
            note="People who have chosen a track keep it when it is no longer offered."
          />
        </>
      )}
    </SetupEditor>
  );
}

function RemoveTrack({ track, onClose }: { track: Track; onClose: () => void }) {
  const remove = useAction(deleteTrack, actOnNamed(track.name, 'track', 'deleted', onClose));
  const retire = useAction(updateTrack, {
    success: () => ({ title: 'Track No Longer Offered', message: track.name }),
    failureTitle: 'The track is still offered',
    onSuccess: onClose,
    onError: onClose,
  });
  const { id, modules, selections, version, isActive } = track;
  return (
    <RemoveDialog
      thing="track"
      name={track.name}
      staysBecause={
        modules + selections > 0
          ? `${counted(selections, 'participant')} chose it and it has ${counted(modules, 'module')}, so it stays.`
          : null
      }
      isRunning={remove.isRunning || retire.isRunning}
      onDelete={() => remove.run({ params: { id } })}
      instead={
        isActive
          ? {
              label: 'Stop offering',
              words: 'Nobody can choose it then. People who have chosen it keep it.',
              run: () => retire.run({ params: { id }, body: { ...draftOf(track), isActive: false, version } }),
            }
          : undefined
      }
      onClose={onClose}
    />
  );
}

function draftOf({ name, description, durationWeeks, isActive }: Track) {
  return { name, description, durationWeeks, isActive };
}
