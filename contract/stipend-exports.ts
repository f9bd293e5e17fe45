import { z } from 'zod';
import { endpoint, Id, IdParams } from './endpoint.ts';
import { mostWeeks } from './weeks.ts';

export const exportFormats = ['csv', 'xlsx'] as const;
export const ExportFormat = z.enum(exportFormats);
export type ExportFormat = z.infer<typeof ExportFormat>;

const spreadsheet = { 200: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'] };

export const exportScopes = ['week', 'cohort', 'person', 'year'] as const;

/** Each export cannot do without these. */
const neededFor = { week: 'week', cohort: 'cohort', person: 'person', year: 'year' } as const;

export const exportStipends = endpoint({
  name: 'exportStipends',
  method: 'GET',
  path: '/api/stipends/export',
  access: 'stipends.manage',
  takesLong: true,
  summary:
    "The stipends of a week (of one cohort or all), of a cohort, of a person, or each person's totals of a year, as CSV or XLSX; the export is on record.",
  query: z
    .object({
      scope: z.enum(exportScopes),
      format: ExportFormat,
      week: z.coerce.number().int().min(1).max(mostWeeks).optional(),
      cohort: Id.optional(),
      person: Id.optional(),
      /** It goes by the dates of approvals and payments, in the programme's zone. */
      year: z.coerce.number().int().min(2000).max(2100).optional(),
    })
    .superRefine((query, context) => {
      const needed = neededFor[query.scope];
      if (query[needed] === undefined)
        context.addIssue({ code: 'custom', path: [needed], message: 'Please choose one.' });
    }),
  binary: spreadsheet,
  response: z.unknown(),
});

export const exportOwnStipends = endpoint({
  name: 'exportOwnStipends',
  method: 'GET',
  path: '/api/stipends/own/export',
  access: 'stipends.own',
  summary: "The participant's own stipends as CSV or XLSX.",
  query: z.object({ format: ExportFormat }),
  binary: spreadsheet,
  response: z.unknown(),
});

export const printOwnStatement = endpoint({
  name: 'printOwnStatement',
  method: 'GET',
  path: '/api/stipends/own/statement',
  access: 'stipends.own',
  summary: "A statement of the participant's own stipends, all weeks and the totals of each year, as PDF.",
  binary: { 200: ['application/pdf'] },
  response: z.unknown(),
});

export const printStatement = endpoint({
  name: 'printStatement',
  method: 'GET',
  path: '/api/users/:id/stipend-statement',
  access: 'stipends.manage',
  summary: "A participant's statement as PDF; the export is on record.",
  params: IdParams,
  binary: { 200: ['application/pdf'] },
  response: z.unknown(),
});
