import { Anchor } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { copyProgrammeFacts, listProgrammes, NewProgramme, type Programme } from '#contract/programmes.ts';
import { newKey } from '../../../api/new-key.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { TwoLines } from '../../../ui/TwoLines.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, TextField } from '../SetupFields.tsx';
import { payPeriodNames } from './programme-words.ts';
import { Archived } from './SetupCells.tsx';
import { SetupList, SetupSearch } from './SetupList.tsx';
import { useSetupPlace } from './setup-place.ts';

/** The programs, by name. One begins as a copy of another. */
export function SetupPrograms() {
  const { place, change } = useSetupPlace();
  const { search } = place;
  const list = useInfiniteQuery({
    ...pagesFor(listProgrammes, { query: { search } }),
    placeholderData: keepPreviousData,
  });
  const open = (program: string) => change({ program });
  return (
    <SetupList
      thing="program"
      things="programs"
      list={list}
      columns={() => columnsFor(open)}
      isFiltered={Boolean(search)}
      onClear={() => change({ search: undefined })}
      emptyWords="A program has a length, a time zone and rules for pay."
      search={<SetupSearch placeholder="Name" />}
      editor={(_, onClose) => (
        <CopyDialog programs={list.data?.pages.flatMap(({ rows }) => rows) ?? []} onClose={onClose} onMade={open} />
      )}
    />
  );
}

function columnsFor(onOpen: (id: string) => void): Column<Programme>[] {
  return [
    {
      key: 'name',
      label: 'Program',
      onPhone: 'first',
      cell: ({ id, name, zone, isArchived }) => (
        <TwoLines
          first={
            <Anchor component="button" type="button" fw={600} onClick={() => onOpen(id)} title={name}>
              {name}
            </Anchor>
          }
          second={
            <>
              {isArchived ? <Archived /> : null} {zone.replaceAll('_', ' ')}
            </>
          }
        />
      ),
    },
    {
      key: 'weeks',
      label: 'Weeks',
      width: 100,
      isNumber: true,
      onPhone: 'firstEnd',
      cellOnPhone: ({ weeks }) => counted(weeks, 'week'),
      cell: ({ weeks }) => weeks,
    },
    {
      key: 'pay',
      label: 'Paid',
      width: 220,
      onPhone: 'secondRest',
      cellOnPhone: ({ payPeriod, cohorts }) =>
        `Paid ${payPeriodNames[payPeriod].toLowerCase()} · ${counted(cohorts, 'cohort')}`,
      cell: ({ payPeriod }) => payPeriodNames[payPeriod],
    },
    { key: 'cohorts', label: 'Cohorts', width: 120, isNumber: true, cell: ({ cohorts }) => cohorts },
  ];
}

interface CopyDialogProps {
  programs: Programme[];
  onClose: () => void;
  onMade: (id: string) => void;
}

const fieldNames = { name: 'Name', sourceId: 'Begin as a copy of' };

function CopyDialog({ programs, onClose, onMade }: CopyDialogProps) {
  // A second try makes no second program.
  const [id] = useState(newKey);
  const copy = useAction(copyProgrammeFacts, {
    success: (_, { body }) => ({ title: 'Program Added', message: body.name }),
    failureTitle: 'The program could not be added',
    onSuccess: (made) => {
      onClose();
      onMade(made.id);
    },
  });
  const first = programs.find(({ isDefault }) => isDefault) ?? programs[0];
  return (
    <SetupDialog
      title="Add program"
      saveLabel="Add program"
      initial={{ name: '', sourceId: first?.id ?? '' }}
      schema={NewProgramme}
      fieldNames={fieldNames}
      saving={{ ...copy, run: (facts) => copy.run({ body: { id, ...facts } }) }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            label={fieldNames.name}
            required
            maxLength={limitOf(NewProgramme, 'name')}
          />
          <ChoiceField
            form={form}
            name="sourceId"
            label={fieldNames.sourceId}
            required
            options={programs.map(({ id: value, name: label }) => ({ value, label }))}
            note="Its length, time zone, audiences and modules come along. Its rules come as a draft."
          />
        </>
      )}
    </SetupDialog>
  );
}
