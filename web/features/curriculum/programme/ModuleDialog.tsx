import { SimpleGrid } from '@mantine/core';
import { moduleNames } from '#contract/learning.ts';
import {
  type CourseModule,
  createModule,
  deleteModule,
  ModuleFacts,
  type ModuleType,
  updateModule,
} from '#contract/programme-setup.ts';
import { useAction } from '../../../api/use-action.ts';
import { limitOf } from '../../../ui/text-limit.ts';
import type { DraftForm } from '../../../ui/use-draft.ts';
import { SetupDialog } from '../SetupDialog.tsx';
import { ChoiceField, SuggestedField, SwitchField } from '../SetupFields.tsx';
import { counted, moduleTypeNames, optionsOf } from '../setup-words.ts';
import { RemoveDialog } from './RemoveDialog.tsx';

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
  const create = useAction(createModule, {
    success: 'Module Added',
    failureTitle: 'The module could not be added',
    onSuccess: onClose,
  });
  const update = useAction(updateModule, {
    success: 'Module Saved',
    failureTitle: 'The module could not be saved',
    onSuccess: onClose,
  });
  const draft: Draft = module
    ? draftOf(module)
    : { title: '', moduleType: 'core', trackId: '', curriculumVersion, isArchived: false };
  const { run: _, ...state } = module ? update : create;
  const isCompleted = (module?.completions ?? 0) > 0;
  return (
    <SetupDialog
      title={module ? `Edit ${module.title}` : 'Add module'}
      saveLabel={module ? 'Save module' : 'Add module'}
      initial={draft}
      current={module ? { draft, version: module.version } : undefined}
      schema={ModuleFacts}
      toInput={toInput}
      fieldNames={fieldNames}
      inWords={(own, field) => wordsOf(own, field, tracks)}
      saving={{
        ...state,
        run: (facts, version) =>
          module && version !== null
            ? update.run({ params: { id: module.id }, body: { ...facts, version } })
            : create.run({ body: facts }),
      }}
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
                ? `${counted(module.activities, 'activity', 'activities')} of this curriculum carry the title, and take a new one over.`
                : 'Activities that carry this title belong to the module.'
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
              note="Of the cohorts whose members it counts for."
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
    </SetupDialog>
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
      note={isDisabled ? 'Stays, since people have completed it.' : undefined}
      options={optionsOf(moduleTypeNames)}
    />
  );
}

export function RemoveModule({ module, onClose }: { module: CourseModule; onClose: () => void }) {
  const ending = { onSuccess: onClose, onError: onClose } as const;
  const remove = useAction(deleteModule, {
    success: () => ({ title: 'Module Deleted', message: module.title }),
    failureTitle: 'The module could not be deleted',
    ...ending,
  });
  const archive = useAction(updateModule, {
    success: () => ({ title: 'Module Archived', message: module.title }),
    failureTitle: 'The module could not be archived',
    ...ending,
  });
  const { id, title, activities, completions, version, isArchived } = module;
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
              words: "Archived, it counts for nobody's progress any more, and can be taken back.",
              run: () =>
                archive.run({
                  params: { id },
                  body: { ...ModuleFacts.parse(toInput(draftOf(module))), isArchived: true, version },
                }),
            }
      }
      onClose={onClose}
    >
      It is gone for good. {counted(activities, 'activity', 'activities')} that carry its title stay, and count for the
      members' progress as before.
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
