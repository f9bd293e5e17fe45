// What the commonest pages cost as the people become more, as a picture:
// npm run bench -- growth [--people 100,1000,10000] [--seconds 1] [--heavy|--seeded] [--picture docs/pictures/growth.svg]
// The same of what earlier runs printed, such as one with 100,000 people: npm run bench -- growth --from FILE
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readOptions, wholeNumber } from './asked.ts';
import { alignColumns } from './figures.ts';
import { fitGrowth, sayGrowth } from './growth-fit.ts';
import { drawGrowth, type GrowthOf } from './growth-picture.ts';
import { readPrintedTable } from './printed-table.ts';
import { type Measured, measureSizes } from './table.ts';

const pages: Record<string, string> = {
  readParticipantDashboard: 'Participant dashboard',
  readTrainingCalendar: 'Calendar month',
  readFellowship: 'Fellowship page',
  readAssignment: 'Assignment',
  listSubmissions: 'Submissions list',
  listUsers: 'People list',
  readCoachDashboard: 'Coach dashboard',
  readAdminDashboard: 'Admin dashboard',
  listStipends: 'Stipend week, all cohorts',
  readSession: 'Session',
  readConversation: 'Message thread',
  sendMessage: 'Message, sent',
};

export async function measureGrowth(args: string[]): Promise<string | null> {
  const asked = readOptions(args, {
    people: { type: 'string', default: '100,1000,10000' },
    seconds: { type: 'string', default: '1' },
    heavy: { type: 'boolean', default: false },
    seeded: { type: 'boolean', default: false },
    from: { type: 'string' },
    picture: { type: 'string', default: 'docs/pictures/growth.svg' },
  });
  const sizes = asked.people.split(',').map((text) => wholeNumber(text, 100) ?? 0);
  if (sizes.includes(0)) return 'People are whole numbers from 100.';
  if (new Set(sizes).size < 2) return 'Growth needs at least two numbers of people.';
  const seconds = Number(asked.seconds);
  if (!(seconds > 0)) return 'Seconds are a number above zero.';
  if (asked.from !== undefined && !existsSync(asked.from)) return `There is no file ${asked.from}.`;
  const bySize = asked.from
    ? readPrintedTable(readFileSync(asked.from, 'utf8'))
    : await measureSizes({
        sizes,
        seconds,
        isHeavy: asked.heavy,
        isSeeded: asked.seeded,
        isWanted: (name) => name in pages,
      });
  if (bySize.size < 2) return 'Growth needs the table at two numbers of people at least.';
  const all = growthsOf(bySize);
  console.log('What grows with the people:');
  for (const line of alignColumns(all.map((one) => [one.name, sayFit(one)]))) console.log(line);
  const world = asked.seeded ? ', in a seeded program' : asked.heavy ? ', in a heavy program' : '';
  writeFileSync(asked.picture, drawGrowth(`What a request costs as the people become more${world}`, all));
  console.log(`The picture is ${asked.picture}.`);
  return null;
}

type Figures = Pick<Measured, 'name' | 'serverInMs' | 'databaseInMs'>;

function growthsOf(bySize: Map<number, Figures[]>): GrowthOf[] {
  return Object.entries(pages).map(([name, page]) => ({
    name: page,
    costs: [...bySize].flatMap(([people, measured]) =>
      measured
        .filter((one) => one.name === name)
        .map(({ serverInMs, databaseInMs }) => ({ people, cost: serverInMs + databaseInMs })),
    ),
  }));
}

function sayFit({ costs }: GrowthOf): string {
  const growth = fitGrowth(costs);
  return growth ? sayGrowth(growth) : 'not measured at two sizes';
}
