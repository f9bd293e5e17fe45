import type { LibraryResource, ResourceOrder, ResourceType } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';

export const typeNames: Record<ResourceType, string> = { recording: 'Recording', slide: 'Slide', material: 'Material' };

export const programNames: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

/** What the kind of participants is called, and the program's name if it is for one alone. */
export function audienceOf({ program, programme }: Pick<LibraryResource, 'program' | 'programme'>) {
  return { kind: programme?.kindName ?? programNames[program], only: programme?.name ?? null };
}

export function audienceInWords(resource: Pick<LibraryResource, 'program' | 'programme'>): string {
  const { kind, only } = audienceOf(resource);
  return only ? `${kind}, ${only}` : kind;
}

export const orderNames: Record<ResourceOrder, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title, A to Z',
};

export function optionsOf<Value extends string>(names: Record<Value, string>, values = Object.keys(names) as Value[]) {
  return values.map((value) => ({ value, label: names[value] }));
}
