import * as copies from '#contract/programme-copies.ts';
import * as items from '#contract/programme-items.ts';
import * as setup from '#contract/programme-setup.ts';
import { findCohort } from '#server/features/cohorts/cohort-setup-queries.ts';
import { editActivity } from '#server/features/curriculum/activities.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { createActivity, deleteActivity, findProgrammeActivities } from './programme-activities.ts';
import { copyProgramme, undoProgrammeCopy } from './programme-copies.ts';
import { findProgrammeDates, moveCohort } from './programme-dates.ts';
import { createModule, deleteModule, moveModule, updateModule } from './programme-modules.ts';
import { findModules, findTracks } from './programme-queries.ts';
import {
  createRequirement,
  deleteRequirement,
  findRequirements,
  moveRequirement,
  updateRequirement,
} from './programme-requirements.ts';
import { createTrack, deleteTrack, updateTrack } from './programme-tracks.ts';

export function programmeRoutes(app: App): void {
  serve(app, setup.listModules, ({ db, query }) => findModules(db, query));
  serve(app, setup.createModule, ({ db, actor, body }) => createModule(db, actor, body));
  serve(app, setup.updateModule, ({ db, actor, params, body }) => updateModule(db, actor, params.id, body));
  serve(app, setup.deleteModule, ({ db, actor, params }) => deleteModule(db, actor, params.id));
  serve(app, setup.moveModule, ({ db, actor, params, body }) => moveModule(db, actor, params.id, body.direction));
  serve(app, setup.listTracks, ({ db, query }) => findTracks(db, query));
  serve(app, setup.createTrack, ({ db, actor, body }) => createTrack(db, actor, body));
  serve(app, setup.updateTrack, ({ db, actor, params, body }) => updateTrack(db, actor, params.id, body));
  serve(app, setup.deleteTrack, ({ db, actor, params }) => deleteTrack(db, actor, params.id));

  serve(app, items.listRequirements, ({ db, query }) => findRequirements(db, query));
  serve(app, items.createRequirement, ({ db, actor, body }) => createRequirement(db, actor, body));
  serve(app, items.updateRequirement, ({ db, actor, params, body }) => updateRequirement(db, actor, params.id, body));
  serve(app, items.deleteRequirement, ({ db, actor, params }) => deleteRequirement(db, actor, params.id));
  serve(app, items.moveRequirement, ({ db, actor, params, body }) =>
    moveRequirement(db, actor, params.id, body.direction),
  );
  serve(app, items.listProgrammeActivities, ({ db, query }) => findProgrammeActivities(db, query));
  serve(app, items.createActivity, ({ db, actor, body }) => createActivity(db, actor, body));
  serve(app, items.updateActivity, async ({ db, actor, params, body }) => {
    await editActivity(db, actor, params.id, body);
    return { id: params.id };
  });
  serve(app, items.deleteActivity, ({ db, actor, params }) => deleteActivity(db, actor, params.id));

  serve(app, copies.previewProgrammeDates, ({ db, params, query }) => findProgrammeDates(db, params.id, query));
  serve(app, copies.moveCohort, async ({ db, actor, params, body }) => {
    await moveCohort(db, actor, params.id, body);
    return findCohort(db, params.id);
  });
  serve(app, copies.copyProgramme, ({ db, actor, body }) => copyProgramme(db, actor, body));
  serve(app, copies.undoProgrammeCopy, ({ db, actor, params }) => undoProgrammeCopy(db, actor, params.id));
}
