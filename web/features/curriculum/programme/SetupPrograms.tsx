import { Button, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { copyProgrammeFacts, listProgrammes, NewProgramme, type Programme } from '#contract/programmes.ts';
import { newKey } from '../../../api/new-key.ts';
import { pagesFor } from '../../../api/query-for.ts';
import { useAction } from '../../../api/use-action.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, TextField } from '../SetupFields.tsx';
import { payPeriodNames } from './programme-words.ts';
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
      cell: ({ id, name, isArchived }) => (
        <Stack gap={4} miw={160} align="flex-start">
          <Button variant="transparent" h="auto" p={0} onClick={() => onOpen(id)}>
            <Text size="sm" fw={600} style={{ whiteSpace: 'normal', textAlign: 'start' }}>
              {name}
            </Text>
          </Button>
          {isArchived ? <StatusBadge tone="neutral">Archived</StatusBadge> : null}
        </Stack>
      ),
    },
    { key: 'weeks', label: 'Weeks', width: 80, isNumber: true, cell: ({ weeks }) => weeks },
    { key: 'zone', label: 'Time zone', width: 180, cell: ({ zone }) => zone.replaceAll('_', ' ') },
    { key: 'pay', label: 'Paid', width: 150, cell: ({ payPeriod }) => payPeriodNames[payPeriod] },
    { key: 'cohorts', label: 'Cohorts', width: 90, isNumber: true, cell: ({ cohorts }) => cohorts },
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
