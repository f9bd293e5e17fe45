import {
  ActionIcon,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Input,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { PayPeriod } from '#contract/pay-periods.ts';
import {
  Audience,
  longestHolidays,
  longestMarkedHolidays,
  longestModuleNames,
  ProgrammeFacts,
  type ReadProgramme,
  updateProgramme,
} from '#contract/programmes.ts';
import { TrackType, trackTypes } from '#contract/roles.ts';
import { useAction } from '../../../api/use-action.ts';
import { LongText } from '../../../ui/LongText.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-form.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, NumberField, TextField } from '../SetupFields.tsx';
import { fromWeekday, payPeriodOptions, toWeekday, weekdayOptions, zoneOptions } from './programme-words.ts';

interface Draft {
  name: string;
  weeks: number | '';
  firstWeekday: string;
  daysPerWeek: number | '';
  zone: string;
  payPeriod: ProgrammeFacts['payPeriod'] | '';
  holidays: { federal: boolean; own: string; marked: string };
  kindLabels: ProgrammeFacts['kindLabels'];
  paidKinds: TrackType[];
  audiences: Audience[];
  moduleNames: string;
}

const fieldNames: Record<keyof Draft, string> = {
  name: 'Name',
  weeks: 'Weeks',
  firstWeekday: 'Cohorts begin on',
  daysPerWeek: 'Days of a week with activities',
  zone: 'Time zone',
  payPeriod: 'Paid',
  holidays: 'Holidays',
  kindLabels: 'Kinds of participants',
  paidKinds: 'Kinds that are paid',
  audiences: 'Audiences',
  moduleNames: 'Module names',
};

interface ProgramFactsDialogProps {
  program: ReadProgramme;
  onClose: () => void;
}

/** Everything that an admin says of a program but its rules. */
export function ProgramFactsDialog({ program: found, onClose }: ProgramFactsDialogProps) {
  const { programme, timeStaysBecause } = found;
  const update = useAction(updateProgramme, {
    success: 'Program Saved',
    failureTitle: 'The program could not be saved',
    onSuccess: onClose,
  });
  const draft = draftOf(programme);
  return (
    <SetupDialog
      title={`Edit ${programme.name}`}
      saveLabel="Save program"
      initial={draft}
      current={{ draft, version: programme.version }}
      schema={ProgrammeFacts}
      toInput={toInput}
      fieldNames={fieldNames}
      inWords={(given, field) => inWords(given[field])}
      saving={{
        ...update,
        run: (facts, version) =>
          version === null
            ? undefined
            : update.run({ params: { id: programme.id }, body: { facts, isArchived: programme.isArchived, version } }),
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            label={fieldNames.name}
            required
            maxLength={limitOf(ProgrammeFacts, 'name')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <NumberField
              form={form}
              name="weeks"
              label={fieldNames.weeks}
              required
              note={found.lastWeekInUse > 1 ? `Week ${found.lastWeekInUse} is in use.` : undefined}
            />
            <ChoiceField
              form={form}
              name="firstWeekday"
              label={fieldNames.firstWeekday}
              required
              options={weekdayOptions}
            />
            <NumberField
              form={form}
              name="daysPerWeek"
              label={fieldNames.daysPerWeek}
              required
              note={timeStaysBecause ? `These three stay: ${timeStaysBecause}` : 'From the first day of the week on.'}
            />
            <ChoiceField
              form={form}
              name="zone"
              label={fieldNames.zone}
              required
              isSearchable
              options={zoneOptions}
              isDisabled={timeStaysBecause !== null}
            />
            <ChoiceField<'payPeriod', PayPeriod>
              form={form}
              name="payPeriod"
              label={fieldNames.payPeriod}
              required
              options={payPeriodOptions}
              isDisabled={timeStaysBecause !== null}
            />
          </SimpleGrid>
          <Holidays form={form} />
          <Kinds form={form} />
          <Audiences form={form} />
          <LongText
            id={form.idOf('moduleNames')}
            label={fieldNames.moduleNames}
            description="One a line. Activities can have these beside the modules of the curriculum."
            error={form.errors.moduleNames}
            maxLength={longestModuleNames}
            autosize
            minRows={3}
            maxRows={10}
            value={form.draft.moduleNames}
            onChange={({ currentTarget }) => form.set({ moduleNames: currentTarget.value })}
          />
        </>
      )}
    </SetupDialog>
  );
}

type Form = DraftForm<Draft>;

function Holidays({ form }: { form: Form }) {
  const { holidays } = form.draft;
  const set = (changes: Partial<Draft['holidays']>) => form.set({ holidays: { ...holidays, ...changes } });
  return (
    <Fieldset legend={fieldNames.holidays}>
      <Stack gap="sm">
        <Switch
          label="Federal holidays of the United States"
          checked={holidays.federal}
          onChange={({ currentTarget }) => set({ federal: currentTarget.checked })}
        />
        <LongText
          id={form.idOf('holidays')}
          label="Own holidays"
          description="One a line: the day, then the name, as 2027-03-31 Cesar Chavez Day."
          error={form.errors.holidays}
          maxLength={longestHolidays}
          autosize
          minRows={1}
          maxRows={6}
          value={holidays.own}
          onChange={({ currentTarget }) => set({ own: currentTarget.value })}
        />
        <LongText
          label="Holidays that weeks show"
          description="One name a line."
          maxLength={longestMarkedHolidays}
          autosize
          minRows={1}
          maxRows={6}
          value={holidays.marked}
          onChange={({ currentTarget }) => set({ marked: currentTarget.value })}
        />
      </Stack>
    </Fieldset>
  );
}

function Kinds({ form }: { form: Form }) {
  const { kindLabels, paidKinds } = form.draft;
  return (
    <Fieldset legend={fieldNames.kindLabels}>
      <Stack gap="sm">
        {trackTypes.map((kind, index) => (
          <Group key={kind} gap="md" align="flex-end">
            <TextInput
              id={index === 0 ? form.idOf('kindLabels') : undefined}
              label={`Name of kind ${index + 1}`}
              maxLength={limitOf(ProgrammeFacts, 'kindLabels')}
              flex="1 1 180px"
              value={kindLabels[kind]}
              onChange={({ currentTarget }) => form.set({ kindLabels: { ...kindLabels, [kind]: currentTarget.value } })}
            />
            <Checkbox
              label="Paid"
              aria-label={`${kindLabels[kind]} is paid`}
              mb={10}
              checked={paidKinds.includes(kind)}
              onChange={({ currentTarget }) =>
                form.set({
                  paidKinds: trackTypes.filter((one) =>
                    one === kind ? currentTarget.checked : paidKinds.includes(one),
                  ),
                })
              }
            />
          </Group>
        ))}
        {form.errors.kindLabels ? <Input.Error>{form.errors.kindLabels}</Input.Error> : null}
      </Stack>
    </Fieldset>
  );
}

function Audiences({ form }: { form: Form }) {
  const { audiences, kindLabels } = form.draft;
  const replace = (place: number, changes: Partial<Audience>) =>
    form.set({ audiences: audiences.map((one, at) => (at === place ? { ...one, ...changes } : one)) });
  return (
    <Fieldset legend={fieldNames.audiences}>
      <Stack gap="md">
        <Text size="sm">An activity is meant for audiences. Each reaches the participants of its kinds.</Text>
        {audiences.map(({ key, label, kinds }, place) => (
          <Group key={key ?? `new-${place}`} gap="sm" align="flex-end" wrap="nowrap">
            <Stack gap={6} flex={1}>
              <TextInput
                id={place === 0 ? form.idOf('audiences') : undefined}
                label={`Audience ${place + 1}`}
                maxLength={limitOf(Audience, 'label')}
                value={label}
                onChange={({ currentTarget }) => replace(place, { label: currentTarget.value })}
              />
              <Checkbox.Group
                aria-label={`Kinds of audience ${place + 1}`}
                value={kinds}
                onChange={(values) => replace(place, { kinds: values.map((value) => TrackType.parse(value)) })}
              >
                <Group gap="md">
                  {trackTypes.map((kind) => (
                    <Checkbox key={kind} value={kind} label={kindLabels[kind]} />
                  ))}
                </Group>
              </Checkbox.Group>
            </Stack>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={`Remove audience ${label || place + 1}`}
              onClick={() => form.set({ audiences: audiences.filter((_, at) => at !== place) })}
            >
              <X size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {form.errors.audiences ? <Input.Error>{form.errors.audiences}</Input.Error> : null}
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          leftSection={<Plus size={15} aria-hidden />}
          onClick={() => form.set({ audiences: [...audiences, { key: null, label: '', kinds: [] }] })}
        >
          Add audience
        </Button>
      </Stack>
    </Fieldset>
  );
}

function draftOf(programme: ReadProgramme['programme']): Draft {
  const { name, weeks, firstWeekday, daysPerWeek, zone, payPeriod, holidays } = programme;
  const { kindLabels, paidKinds, audiences, moduleNames } = programme;
  return {
    ...{ name, weeks, firstWeekday: fromWeekday(firstWeekday), daysPerWeek, zone, payPeriod },
    ...{ kindLabels, paidKinds, audiences, moduleNames: moduleNames.join('\n') },
    holidays: {
      federal: holidays.federal,
      own: holidays.own.map(({ day, name: holiday }) => `${day} ${holiday}`).join('\n'),
      marked: holidays.marked.join('\n'),
    },
  };
}

function toInput({ firstWeekday, holidays, moduleNames, ...draft }: Draft): unknown {
  return {
    ...draft,
    firstWeekday: toWeekday(firstWeekday),
    holidays: {
      federal: holidays.federal,
      own: linesOf(holidays.own).map((line) => ({ day: line.slice(0, 10), name: line.slice(10).trim() })),
      marked: linesOf(holidays.marked),
    },
    moduleNames: linesOf(moduleNames),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function inWords(value: Draft[keyof Draft]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
