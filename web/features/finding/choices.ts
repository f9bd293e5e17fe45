import type { RefObject } from 'react';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Found, find } from '#contract/finding.ts';
import type { Role } from '#contract/roles.ts';
import { paths } from '../../app/paths.ts';
import { actsOf, actsOnThings, type TypedAct } from './acts.ts';

interface Shown {
  key: string;
  title: string;
  detail: string | null;
}
export type Choice = Shown & ({ to: string; search?: Record<string, string> | undefined } | { href: string });

export interface ChoiceGroup {
  label: string;
  choices: Choice[];
}

export interface Screen {
  label: string;
  to: string;
}

export interface FinderDialogProps {
  screens: Screen[];
  onClose: () => void;
  typed: string;
  onType: (typed: string) => void;
  field: RefObject<HTMLInputElement | null>;
}

/** The screens and acts in whose words one begins with each of the typed ones, in any order. */
export function screensFor(screens: Screen[], role: Role, typed: string): ChoiceGroup[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isMeant = (text: string) => words.every((word) => ` ${text.toLowerCase()}`.includes(` ${word}`));
  const labelOf = (path: string) => screens.find(({ to }) => to === path)?.label ?? null;
  return [
    ...asGroup(
      'Screens',
      screens
        .filter(({ label }) => isMeant(label))
        .map(({ label, to }) => ({ key: `screen ${to} ${label}`, title: label, detail: null, to })),
    ),
    ...asGroup(
      'Actions',
      actsOf(role, screens)
        .filter(({ label, words = '' }) => isMeant(`${label} ${words}`))
        .map(({ label, to, search }) => ({ key: `act ${label}`, title: label, detail: labelOf(to), to, search })),
    ),
  ];
}

export function groupsOf(found: ReplyOf<typeof find>, role: Role, typedAct: TypedAct): ChoiceGroup[] {
  const { people, activities, assignments, resources } = found;
  const acts = asGroup('What you can do', actsOnThings(found, role, typedAct));
  if (typedAct) return acts;
  return [
    ...asGroup(
      'People',
      people.map((person) => ({ ...shown('person', person), ...placeOfPerson(role, person.id) })),
    ),
    ...asGroup(
      'Activities',
      activities.map((activity) => ({ ...shown('activity', activity), to: paths.activity(activity.id) })),
    ),
    ...asGroup(
      'Assignments',
      assignments.map((assignment) => ({ ...shown('assignment', assignment), to: paths.assignment(assignment.id) })),
    ),
    ...asGroup(
      'Resources',
      resources.map((resource) => ({ ...shown('resource', resource), href: resource.fileUrl })),
    ),
    ...acts,
  ];
}

/** Staff open the person's page. A participant writes to the people that they know. */
function placeOfPerson(role: Role, id: string) {
  return role === 'participant' ? { to: paths.messages, search: { with: id } } : { to: paths.person(id) };
}

function shown(kind: string, { id, title, detail }: Found): Shown {
  return { key: `${kind} ${id}`, title, detail };
}

function asGroup(label: string, choices: Choice[]): ChoiceGroup[] {
  return choices.length > 0 ? [{ label, choices }] : [];
}
