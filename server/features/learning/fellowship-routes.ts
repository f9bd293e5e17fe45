import {
  listCohortProgress,
  listProgressCohorts,
  readMemberProgress,
  setModuleCompletion as setModuleCompletionEndpoint,
} from '#contract/cohort-progress.ts';
import {
  lockTrack as lockTrackEndpoint,
  readFellowship,
  readTrack,
  selectTrack as selectTrackEndpoint,
} from '#contract/fellowship.ts';
import { readCohortCompletion, readCohortStandings } from '#contract/programme-figures.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findCohortCompletion } from './cohort-completion-queries.ts';
import { findCohortProgress, findMemberProgress, findProgressCohorts } from './cohort-progress-queries.ts';
import { findCohortStandings } from './cohort-standing-queries.ts';
import { findFellowship, findTrack } from './fellowship-queries.ts';
import { setModuleCompletion } from './module-completions.ts';
import { lockTrack, selectTrack } from './tracks.ts';

export function fellowshipRoutes(app: App): void {
  serve(app, readFellowship, ({ db, actor }) => findFellowship(db, actor));
  serve(app, readTrack, ({ db, actor, params }) => findTrack(db, actor, params.id));
  serve(app, selectTrackEndpoint, ({ db, actor, body }) => selectTrack(db, actor, body));
  serve(app, lockTrackEndpoint, ({ db, actor, params, body }) => lockTrack(db, actor, params.id, body.trackId));
  serve(app, listProgressCohorts, ({ db, actor }) => findProgressCohorts(db, actor));
  serve(app, listCohortProgress, ({ db, actor, params, query }) => findCohortProgress(db, actor, params.id, query));
  serve(app, readCohortStandings, ({ db, actor }) => findCohortStandings(db, actor));
  serve(app, readCohortCompletion, ({ db, actor, params }) => findCohortCompletion(db, actor, params.id));
  serve(app, readMemberProgress, ({ db, actor, params }) =>
    findMemberProgress(db, actor, { cohortId: params.id, participantId: params.participantId }),
  );
  serve(app, setModuleCompletionEndpoint, ({ db, actor, params, body }) =>
    setModuleCompletion(
      db,
      actor,
      { cohortId: params.id, participantId: params.participantId },
      { ...body, moduleId: params.moduleId },
    ),
  );
}
