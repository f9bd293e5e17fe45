import { houseZone } from '#contract/house-zone.ts';
import type { ResourceType } from '#contract/resources.ts';
import type { TrackType } from '#contract/roles.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { createResource } from '#server/features/resources/resources.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { easternTime, standingAt } from './past.ts';

const resources: [title: string, fileType: ResourceType, courseModule: string, program: TrackType][] = [
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

/** Links to what was used in class, one added every other day. */
export async function makeResources(db: Db, admin: Actor): Promise<void> {
  const today = dayAt(now(), houseZone);
  for (const [index, [title, fileType, courseModule, program]] of resources.entries()) {
    const addedAt = easternTime(addDays(today, -30 + index * 2), '09:00');
    await standingAt(addedAt, () =>
      createResource(db, admin, {
        title,
        fileType,
        courseModule,
        program,
        description: `Used in ${courseModule}.`,
        fileUrl: `https://media.example/power-up/${folderOf[fileType]}/${index + 1}`,
      }),
    );
  }
}
