import {
  ActionIcon,
  Button,
  Card,
  Fieldset,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { discardRuleDraft, type ReadProgramme, RuleDraft, saveRuleDraft } from '#contract/programmes.ts';
import { measures, RuleFact } from '#contract/stipend-facts.ts';
import { Requirement, ruleSentence } from '#contract/stipend-rules.ts';
import { useAction } from '../../../api/use-action.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { limitOf } from '../../../ui/text-limit.ts';
import { useUnsavedChanges } from '../../../ui/use-unsaved-changes.tsx';
import { amountsInWords, factOptions, limitLabel } from './programme-words.ts';
import { RulePublication } from './RulePublication.tsx';
import { RuleTrialDialog } from './RuleTrialDialog.tsx';
import {
  amountNames,
  type CriterionDraft,
  draftOfRules,
  type RulesDraft,
  readRules,
  type WayDraft,
} from './rule-draft.ts';

interface RulesEditorProps {
  program: ReadProgramme;
  /** What a new draft begins with. */
  from: RuleDraft;
}

/** The draft of a program's next rules, with the sentence that participants will read. */
export function RulesEditor({ program, from }: RulesEditorProps) {
  const { programme, draft: stored } = program;
  const edition = stored?.edition ?? null;
  const [seen, setSeen] = useState(edition);
  const [draft, setDraft] = useState(() => draftOfRules(stored?.rules ?? from));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [open, setOpen] = useState<'trial' | 'publish' | 'discard' | null>(null);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(draftOfRules(stored?.rules ?? from));
  const { question } = useUnsavedChanges(isDirty);
  const heading = useId();
  const save = useAction(saveRuleDraft, {
    success: 'Draft Saved',
    failureTitle: 'The draft could not be saved',
    onSuccess: ({ edition: next }) => setSeen(next),
  });
  const discard = useAction(discardRuleDraft, {
    success: 'Draft Discarded',
    failureTitle: 'The draft could not be discarded',
    onSuccess: () => {
      setOpen(null);
      setSeen(null);
      setDraft(draftOfRules(from));
    },
  });
  const read = readRules(draft, programme);
  const change = (changes: Partial<RulesDraft>) => {
    setErrors({});
    setDraft({ ...draft, ...changes });
  };
  const submit = () => {
    if (read.rules === null) return setErrors(read.errors);
    save.run({ params: { id: programme.id }, body: { rules: read.rules, edition: seen } });
  };
  const close = () => setOpen(null);
  return (
    <Card component="section" aria-labelledby={heading}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="md">
          <Title order={2} id={heading}>
            {stored ? 'Draft of the next rules' : 'Change the rules'}
          </Title>
          <TextInput
            label="Name of the rules"
            required
            maxLength={limitOf(RuleDraft, 'name')}
            value={draft.name}
            error={errors.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <Criteria draft={draft} errors={errors} onChange={(criteria) => change({ criteria })} />
          <AmountFields draft={draft} errors={errors} onChange={change} />
          <Text component="div" role="status">
            {read.rules ? (
              <>
                <b>{ruleSentence(read.rules)}</b> {amountsInWords(read.rules.amounts, programme.payPeriod)}
              </>
            ) : (
              'The sentence shows here once all fields are filled in.'
            )}
          </Text>
          <Group gap="sm">
            <Button type="submit" loading={save.isRunning} disabled={!isDirty && stored !== null}>
              Save draft
            </Button>
            <Button variant="default" disabled={read.rules === null} onClick={() => setOpen('trial')}>
              Try on a past week
            </Button>
            {stored ? (
              <>
                <Button variant="default" disabled={isDirty} onClick={() => setOpen('publish')}>
                  Publish
                </Button>
                <Button variant="subtle" onClick={() => setOpen('discard')}>
                  Discard draft
                </Button>
              </>
            ) : null}
          </Group>
        </Stack>
      </form>
      {open === 'trial' && read.rules ? (
        <RuleTrialDialog programme={programme} rules={read.rules} onClose={close} />
      ) : null}
      {open === 'publish' && stored ? <RulePublication program={program} draft={stored} onClose={close} /> : null}
      <ConfirmDialog
        isOpen={open === 'discard'}
        title="Discard the draft?"
        confirmLabel="Discard draft"
        isDestructive
        isRunning={discard.isRunning}
        onConfirm={() => discard.run({ params: { id: programme.id } })}
        onClose={close}
      >
        The rules in force stay as they are.
      </ConfirmDialog>
      {question}
    </Card>
  );
}

interface CriteriaProps {
  draft: RulesDraft;
  errors: Record<string, string>;
  onChange: (criteria: CriterionDraft[]) => void;
}

const newWay: WayDraft = { fact: 'attendanceShare', limit: '' };

function Criteria({ draft: { criteria }, errors, onChange }: CriteriaProps) {
  const replace = (place: number, changes: Partial<CriterionDraft>) =>
    onChange(criteria.map((one, at) => (at === place ? { ...one, ...changes } : one)));
  return (
    <Fieldset legend="A stipend is paid when all of these are met">
      <Stack gap="lg">
        {criteria.map(({ name, ways }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: A requirement has nothing but its place.
          <Stack key={place} gap="sm">
            <Group gap="sm" align="flex-start" wrap="nowrap">
              <TextInput
                label={`Requirement ${place + 1}`}
                description="The name that people read"
                flex={1}
                maxLength={limitOf(Requirement, 'name')}
                value={name}
                error={errors[`criteria.${place}`]}
                onChange={({ currentTarget }) => replace(place, { name: currentTarget.value })}
              />
              <RemoveButton
                label={`Remove requirement ${name || place + 1}`}
                isOff={criteria.length === 1}
                onClick={() => onChange(criteria.filter((_, at) => at !== place))}
              />
            </Group>
            {ways.map((way, at) => (
              <WayFields
                // biome-ignore lint/suspicious/noArrayIndexKey: A way has nothing but its place.
                key={at}
                way={way}
                title={at === 0 ? 'What counts' : 'Or'}
                of={name || `requirement ${place + 1}`}
                error={errors[`criteria.${place}.ways.${at}`]}
                isOnly={ways.length === 1}
                onChange={(next) => replace(place, { ways: ways.map((one, index) => (index === at ? next : one)) })}
                onRemove={() => replace(place, { ways: ways.filter((_, index) => index !== at) })}
              />
            ))}
            <Button
              variant="subtle"
              size="compact-sm"
              w="fit-content"
              aria-label={`Add another way to meet ${name || `requirement ${place + 1}`}`}
              onClick={() => replace(place, { ways: [...ways, newWay] })}
            >
              Add another way
            </Button>
          </Stack>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          leftSection={<Plus size={15} aria-hidden />}
          onClick={() => onChange([...criteria, { name: '', ways: [newWay] }])}
        >
          Add requirement
        </Button>
      </Stack>
    </Fieldset>
  );
}

interface WayFieldsProps {
  way: WayDraft;
  title: string;
  of: string;
  error: string | undefined;
  isOnly: boolean;
  onChange: (way: WayDraft) => void;
  onRemove: () => void;
}

function WayFields({ way: { fact, limit }, title, of, error, isOnly, onChange, onRemove }: WayFieldsProps) {
  const [least, most] = measures[fact].range;
  return (
    <Group gap="sm" align="flex-end" wrap="wrap">
      <Select
        label={title}
        aria-label={`${title} for ${of}`}
        data={factOptions}
        value={fact}
        allowDeselect={false}
        flex="2 1 200px"
        onChange={(chosen) => onChange({ fact: RuleFact.parse(chosen), limit })}
      />
      <NumberInput
        label={limitLabel(fact)}
        aria-label={`${limitLabel(fact)} for ${of}`}
        hideControls
        clampBehavior="none"
        min={least}
        max={most}
        flex="1 1 110px"
        value={limit}
        error={error}
        onChange={(value) => onChange({ fact, limit: typeof value === 'number' ? value : '' })}
      />
      {isOnly ? null : <RemoveButton label={`Remove ${measures[fact].label} from ${of}`} onClick={onRemove} />}
    </Group>
  );
}

interface AmountFieldsProps {
  draft: RulesDraft;
  errors: Record<string, string>;
  onChange: (changes: Partial<RulesDraft>) => void;
}

function AmountFields({ draft, errors, onChange }: AmountFieldsProps) {
  const { dollars } = draft;
  return (
    <Fieldset legend="What is paid">
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
          {(Object.keys(amountNames) as (keyof typeof amountNames)[]).map((name) => (
            <TextInput
              key={name}
              label={amountNames[name]}
              leftSection="$"
              inputMode="decimal"
              value={dollars[name]}
              error={errors[`dollars.${name}`]}
              onChange={({ currentTarget }) => onChange({ dollars: { ...dollars, [name]: currentTarget.value } })}
            />
          ))}
        </SimpleGrid>
        <Switch
          label="Pay a share to people who join or leave within the period"
          checked={draft.isProratedByDays}
          onChange={({ currentTarget }) => onChange({ isProratedByDays: currentTarget.checked })}
        />
        <Switch
          label="Pay a share to people who miss activities without an excuse"
          checked={draft.isProratedByAttendance}
          onChange={({ currentTarget }) => onChange({ isProratedByAttendance: currentTarget.checked })}
        />
        <Text size="sm" c="dimmed">
          A trip is an activity held in person that the participant attended.
        </Text>
      </Stack>
    </Fieldset>
  );
}

function RemoveButton({ label, isOff = false, onClick }: { label: string; isOff?: boolean; onClick: () => void }) {
  return (
    <ActionIcon variant="default" size={36} aria-label={label} disabled={isOff} onClick={onClick}>
      <X size={16} aria-hidden />
    </ActionIcon>
  );
}
