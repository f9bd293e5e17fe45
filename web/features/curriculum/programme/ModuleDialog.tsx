import { SimpleGrid } from '@mantine/core';
import {
  type CourseModule,
  createModule,
  deleteModule,
  ModuleFacts,
  type ModuleType,
  updateModule,
} from '#contract/programme-setup.ts';
import { moduleNames } from '#contract/specified-modules.ts';
import { useAction } from '../../../api/use-action.ts';
import { counted } from '../../../ui/counted.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-form.ts';
import { ChoiceField, SuggestedField, SwitchField } from '../SetupFields.tsx';
import { moduleTypeNames, optionsOf } from '../setup-words.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { SetupEditor } from './SetupEditor.tsx';
import { actOn, actOnNamed } from './setup-acts.ts';

interface Draft {
  title: string;
  moduleType: ModuleType | '';
  trackId: string;
  curriculumVersion: string;
  isArchived: boolean;
}

const fieldNames: Record<keyof Draft, string> = {
  title: 'Title',
  moduleType: 'Kind',
  trackId: 'Track',
  curriculumVersion: 'Curriculum version',
  isArchived: 'Archived',
};

interface ModuleDialogProps {
  /** The module as it stands now. Null for a new one. */
  module: CourseModule | null;
  /** The version of a new module. */
  curriculumVersion: string;
  tracks: { id: string; name: string }[];
  versions: string[];
  onClose: () => void;
}

export function ModuleDialog({ module, curriculumVersion, tracks, versions, onClose }: ModuleDialogProps) {
  const create = useAction(createModule, actOn('module', 'added', onClose));
  const update = useAction(updateModule, actOn('module', 'saved', onClose));
  const isCompleted = (module?.completions ?? 0) > 0;
  return (
    <SetupEditor
      thing="module"
      row={module}
      nameOf={({ title }) => title}
      draftOf={draftOf}
      blank={{ title: '', moduleType: 'core', trackId: '', curriculumVersion, isArchived: false }}
      create={create}
      update={update}
      schema={ModuleFacts}
      toInput={toInput}
      fieldNames={fieldNames}
      inWords={(own, field) => wordsOf(own, field, tracks)}
      onClose={onClose}
    >
      {(form) => (
        <>
          <SuggestedField
            form={form}
            name="title"
            label={fieldNames.title}
            required
            maxLength={limitOf(ModuleFacts, 'title')}
            suggestions={[...moduleNames]}
            note={
              module && module.activities > 0
                ? `${counted(module.activities, 'activity', 'activities')} of this curriculum have this title. If you change it, theirs changes too.`
                : 'Activities with this title belong to the module.'
            }
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <KindField form={form} isDisabled={isCompleted} />
            {form.draft.moduleType === 'specialization' ? (
              <ChoiceField
                form={form}
                name="trackId"
                label={fieldNames.trackId}
                required
                isSearchable
                isDisabled={isCompleted}
                options={tracks.map(({ id, name }) => ({ value: id, label: name }))}
                placeholder="Choose a track"
              />
            ) : null}
            <SuggestedField
              form={form}
              name="curriculumVersion"
              label={fieldNames.curriculumVersion}
              required
              maxLength={limitOf(ModuleFacts, 'curriculumVersion')}
              suggestions={versions}
              isDisabled={isCompleted}
              note="It counts for members of cohorts with this version."
            />
          </SimpleGrid>
          {module ? (
            <SwitchField
              form={form}
              name="isArchived"
              label={fieldNames.isArchived}
              note={`An archived module counts for nobody's progress; that ${counted(module.completions, 'person', 'people')} completed it stays known.`}
            />
          ) : null}
        </>
      )}
    </SetupEditor>
  );
}

/** A core module belongs to no track. */
function KindField({ form, isDisabled }: { form: DraftForm<Draft>; isDisabled: boolean }) {
  const set = ({ moduleType }: { moduleType: ModuleType | '' }) =>
    form.set({ moduleType, ...(moduleType === 'core' ? { trackId: '' } : {}) });
  return (
    <ChoiceField
      form={{ ...form, set }}
      name="moduleType"
      label={fieldNames.moduleType}
      required
      isDisabled={isDisabled}
      note={isDisabled ? 'You cannot change it: people have completed it.' : undefined}
      options={optionsOf(moduleTypeNames)}
    />
  );
}

export function RemoveModule({ module, onClose }: { module: CourseModule; onClose: () => void }) {
  const { id, title, activities, completions, version, isArchived } = module;
  const remove = useAction(deleteModule, actOnNamed(title, 'module', 'deleted', onClose));
  const archive = useAction(updateModule, actOnNamed(title, 'module', 'archived', onClose));
  return (
    <RemoveDialog
      thing="module"
      name={title}
      staysBecause={completions > 0 ? `${counted(completions, 'person', 'people')} completed it, so it stays.` : null}
      isRunning={remove.isRunning || archive.isRunning}
      onDelete={() => remove.run({ params: { id } })}
      instead={
        isArchived
          ? undefined
          : {
              label: 'Archive module',
              words: "An archived module no longer counts for anybody's progress. You can take it back.",
              run: () =>
                archive.run({
                  params: { id },
                  body: { ...ModuleFacts.parse(toInput(draftOf(module))), isArchived: true, version },
                }),
            }
      }
      onClose={onClose}
    >
      It is gone for good. {counted(activities, 'activity', 'activities')} with its title stay, and still count for the
      members' progress.
    </RemoveDialog>
  );
}

function draftOf({ title, moduleType, trackId, curriculumVersion, isArchived }: CourseModule): Draft {
  return { title, moduleType, trackId: trackId ?? '', curriculumVersion, isArchived };
}

function toInput(draft: Draft): unknown {
  return { ...draft, trackId: draft.trackId || null };
}

function wordsOf(draft: Draft, field: keyof Draft, tracks: { id: string; name: string }[]): string {
  if (field === 'isArchived') return draft.isArchived ? 'Yes' : 'No';
  if (field === 'moduleType') return draft.moduleType ? moduleTypeNames[draft.moduleType] : 'Nothing';
  if (field === 'trackId') return tracks.find(({ id }) => id === draft.trackId)?.name ?? 'None';
  return draft[field] || 'Nothing';
}
