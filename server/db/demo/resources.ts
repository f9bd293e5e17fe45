import { addDays, easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { easternTime } from './past.ts';

const resources: [title: string, fileType: string, courseModule: string, program: string][] = [
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
const folderOf = { recording: 'recordings', slide: 'slides', material: 'handouts' } as Record<string, string>;

/** Links to what was used in class; inserted here, as links have no act of their own. */
export async function makeResources(db: Db, admin: Actor): Promise<void> {
  const today = easternDay(now());
  await db
    .insertInto('resources')
    .values(
      resources.map(([title, fileType, courseModule, program], index) => ({
        title,
        fileType,
        courseModule,
        program,
        description: `Used in ${courseModule}.`,
        fileUrl: `https://media.example/power-up/${folderOf[fileType] ?? ''}/${index + 1}`,
        uploadedBy: admin.id,
        createdAt: easternTime(addDays(today, -30 + index * 2), '09:00'),
      })),
    )
    .execute();
}
