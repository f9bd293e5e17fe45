import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { WaitingAge } from './waiting-age.ts';
import { mostWeeks } from './weeks.ts';

export const questionStatuses = ['open', 'answered', 'closed', 'withdrawn'] as const;

/** A participant's question about a week's stipend. */
export const OwnStipendQuestion = z.object({
  id: Id,
  question: z.string(),
  askedAt: Instant,
  status: z.enum(questionStatuses),
  answer: z.string().nullable(),
  answeredBy: z.string().nullable(),
  answeredAt: Instant.nullable(),
});

const StipendQuestion = OwnStipendQuestion.extend({
  participantId: Id,
  participantName: z.string(),
  cohortName: z.string(),
  weekNumber: z.number().int(),
  /** The week as the participant saw it, a line each. */
  facts: z.array(z.string()),
  /** 'No coach assigned' without one. */
  coachName: z.string(),
});
export type StipendQuestion = z.infer<typeof StipendQuestion>;

const longestQuestion = 1000;
const longestAnswer = 1000;

export const askAboutStipend = endpoint({
  name: 'askAboutStipend',
  method: 'POST',
  path: '/api/stipend-questions',
  access: 'stipends.own',
  summary:
    "Questions an own week: a message with the week's facts goes to the coach, and the question into the admins' queue.",
  body: z.object({
    cohortId: Id,
    weekNumber: z.number().int().min(1).max(mostWeeks),
    question: z.string().trim().min(1, 'Please write your question.').max(longestQuestion),
  }),
  response: z.object({ id: Id }),
});

export const withdrawStipendQuestion = endpoint({
  name: 'withdrawStipendQuestion',
  method: 'DELETE',
  path: '/api/stipend-questions/:id',
  access: 'stipends.own',
  summary: 'A participant takes an open question back.',
  params: IdParams,
  response: Done,
});

export const listStipendQuestions = endpoint({
  name: 'listStipendQuestions',
  method: 'GET',
  path: '/api/stipend-questions',
  access: 'stipends.explain',
  mayReadReplica: true,
  summary:
    "Questions of own participants, everybody's for an admin: open ones by their age, answered ones newest first.",
  shows: ['questions', 'stipends', 'people', 'coaches'],
  query: z.object({
    state: z.enum(['open', 'answered']).default('open'),
    /** Asks only for those that wait for so long. */
    age: WaitingAge.optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(StipendQuestion),
});

export const answerStipendQuestion = endpoint({
  name: 'answerStipendQuestion',
  method: 'PUT',
  path: '/api/stipend-questions/:id/answer',
  access: 'stipends.explain',
  summary: "The participant's coach or an admin answers a question, or closes it without an answer.",
  params: IdParams,
  body: z
    .object({ closes: z.boolean(), answer: z.string().trim().max(longestAnswer) })
    .refine(({ closes, answer }) => closes === (answer === ''), {
      path: ['answer'],
      message: 'Please write an answer.',
    }),
  response: Done,
});
