import * as people from '#contract/people.ts';
import * as notes from '#contract/person-notes.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findPersonHistory } from './person-history-queries.ts';
import { findPersonNotes } from './person-note-queries.ts';
import { openNote, removeNote, writeNote } from './person-notes.ts';
import { findPerson } from './person-queries.ts';

export function peopleRoutes(app: App): void {
  serve(app, people.readPerson, ({ db, actor, params }) => findPerson(db, actor, params.id));
  serve(app, people.listPersonHistory, ({ db, actor, params, query }) =>
    findPersonHistory(db, actor, params.id, query),
  );
  serve(app, notes.listPersonNotes, ({ db, actor, params, query }) =>
    findPersonNotes(db, actor, params.id, query.cursor),
  );
  serve(app, notes.writePersonNote, ({ db, actor, params, body }) => writeNote(db, actor, params.id, body));
  serve(app, notes.openPersonNote, ({ db, actor, params, body }) => openNote(db, actor, params.id, body.reason));
  serve(app, notes.removePersonNote, async ({ db, actor, params }) => {
    await removeNote(db, actor, params.id);
    return { done: true as const };
  });
}
