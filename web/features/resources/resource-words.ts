import type { ResourceOrder, ResourceType } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';

export const typeNames: Record<ResourceType, string> = { recording: 'Recording', slide: 'Slide', material: 'Material' };

export const programNames: Record<TrackType, string> = {
  fellowship: 'Fellowship',
  adult_mobilization: 'Adult Mobilization',
  self_learner: 'Self Learner',
};

export const orderNames: Record<ResourceOrder, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  title: 'Title, A to Z',
};

export function optionsOf<Value extends string>(names: Record<Value, string>, values = Object.keys(names) as Value[]) {
  return values.map((value) => ({ value, label: names[value] }));
}
