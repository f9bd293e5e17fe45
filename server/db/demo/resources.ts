import { houseZone } from '#contract/house-zone.ts';
import type { ResourceType } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { createResource } from '#server/features/resources/resources.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now, standingAt } from '#server/platform/clock.ts';
import { easternTime } from './past.ts';

type Link = [title: string, fileType: ResourceType, courseModule: string, program: TrackType];

const links: Link[] = [
  ['How the Grid Works, recording of week 1', 'recording', 'Energy Technology and Applications', 'fellowship'],
  ['Transformers, Feeders and Substations, slides', 'slide', 'Energy Technology and Applications', 'fellowship'],
  ['Utility and regulator acronyms, four pages', 'material', 'Industry & Sector drivers', 'fellowship'],
  ['Arc-flash boundaries at a glance', 'material', 'Policy (Safety, Justice, and Incentives)', 'fellowship'],
  ['Energy justice, recording of week 4', 'recording', 'Policy (Safety, Justice, and Incentives)', 'fellowship'],
  ['Résumé template with examples', 'material', 'Career Readiness', 'fellowship'],
  ['Relay coordination, slides', 'slide', 'Field Service Engineering', 'fellowship'],
  ['Insulation resistance test record', 'material', 'Quality Assurance', 'fellowship'],
  ['Weatherization basics, recording', 'recording', 'Case Management', 'adult_mobilization'],
  ['Energy foundations, self-study guide', 'material', 'Energy Technology and Applications', 'self_learner'],
];
const folderOf = { recording: 'recordings', slide: 'slides', material: 'handouts' } as const satisfies Record<
  ResourceType,
  string
>;

const descriptionOf = {
  recording: 'From class.',
  slide: 'From class.',
  material: 'To keep.',
} as const satisfies Record<ResourceType, string>;

const linksOfSecondProgram: Link[] = [
  ['Climbing checks, recording of week 2', 'recording', 'Rigging and Climbing', 'fellowship'],
  ['Grounding sets at a glance', 'material', 'Grounding', 'fellowship'],
];

/** Recordings of the fellowship's weeks are for the given program alone, or for every one. */
export function makeResources(db: Db, admin: Actor, { recordingsFor }: { recordingsFor: string | null }) {
  const isOfAWeek = ([, fileType, , program]: Link) => fileType === 'recording' && program === 'fellowship';
  return addLinks(db, admin, {
    links,
    site: 'power-up',
    programmeOf: (link) => (isOfAWeek(link) ? recordingsFor : null),
  });
}

export function makeResourcesOfSecondProgram(db: Db, admin: Actor, programmeId: string) {
  return addLinks(db, admin, { links: linksOfSecondProgram, site: 'line-workers', programmeOf: () => programmeId });
}

interface Shelf {
  links: Link[];
  /** Where the files are. */
  site: string;
  programmeOf: (link: Link) => string | null;
}

/** Links to what was used in class, one added every other day. */
async function addLinks(db: Db, admin: Actor, shelf: Shelf): Promise<void> {
  const today = dayAt(now(), houseZone);
  for (const [index, link] of shelf.links.entries()) {
    const [title, fileType, courseModule, program] = link;
    const addedAt = easternTime(addDays(today, -30 + index * 2), '09:00');
    await standingAt(addedAt, () =>
      createResource(db, admin, {
        title,
        fileType,
        courseModule,
        program,
        programmeId: shelf.programmeOf(link),
        description: descriptionOf[fileType],
        fileUrl: `https://media.example/${shelf.site}/${folderOf[fileType]}/${index + 1}`,
      }),
    );
  }
}
