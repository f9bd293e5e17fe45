import * as contract from '#contract/programme-setup.ts';
import { type App, serve } from '#server/platform/serve.ts';
import { findCourses } from './course-queries.ts';
import { createCourse, deleteCourse, updateCourse } from './courses.ts';

export function courseRoutes(app: App): void {
  serve(app, contract.listCourses, ({ db, query }) => findCourses(db, query));
  serve(app, contract.createCourse, ({ db, actor, body }) => createCourse(db, actor, body));
  serve(app, contract.updateCourse, ({ db, actor, params, body }) => updateCourse(db, actor, params.id, body));
  serve(app, contract.deleteCourse, ({ db, actor, params }) => deleteCourse(db, actor, params.id));
}
