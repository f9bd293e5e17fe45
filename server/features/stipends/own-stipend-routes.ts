import { listRatedWeeks } from '#contract/rated-weeks.ts';
import { printOwnStatement, printStatement } from '#contract/stipend-exports.ts';
import * as questions from '#contract/stipend-questions.ts';
import * as weeks from '#contract/stipend-weeks.ts';
import { type App, serve, serveStream } from '#server/platform/serve.ts';
import { findRatedWeeks } from './rated-week-queries.ts';
import { findQuestions } from './stipend-question-queries.ts';
import { answerQuestion, askAboutWeek, withdrawQuestion } from './stipend-questions.ts';
import { sendOwnStatement, sendStatementOf } from './stipend-statements.ts';
import { findOwnStipendWeeks, findStipendWeeksOf } from './stipend-week-queries.ts';

/** What participants and their coaches see of stipends, and what they ask about them. */
export function ownStipendRoutes(app: App): void {
  serve(app, weeks.listOwnStipendWeeks, ({ db, actor, query }) => findOwnStipendWeeks(db, actor, query.cursor));
  serve(app, weeks.listStipendWeeksOf, ({ db, actor, params, query }) =>
    findStipendWeeksOf(db, actor, params.id, query.cursor),
  );
  serve(app, listRatedWeeks, ({ db, actor, query }) => findRatedWeeks(db, actor, query.week ?? null));
  serve(app, questions.askAboutStipend, ({ db, actor, body }) => askAboutWeek(db, actor, body));
  serve(app, questions.withdrawStipendQuestion, ({ db, actor, params }) => withdrawQuestion(db, actor, params.id));
  serve(app, questions.listStipendQuestions, ({ db, actor, query }) => findQuestions(db, actor, query));
  serve(app, questions.answerStipendQuestion, ({ db, actor, params, body }) =>
    answerQuestion(db, actor, params.id, body),
  );
  serveStream(app, printOwnStatement, ({ db, actor, reply }) => sendOwnStatement(db, actor, reply));
  serveStream(app, printStatement, ({ db, actor, params, reply }) => sendStatementOf(db, actor, params.id, reply));
}
