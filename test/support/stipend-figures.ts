import type { InputOf } from '#contract/endpoint.ts';
import { listStipends } from '#contract/stipends.ts';
import type { Client } from './app.ts';

/** The figures on the cards of a week, and what can be done with its rows. */
export async function figuresOf(client: Client, query: InputOf<typeof listStipends>['query']) {
  const { summary } = await client.call(listStipends, { query });
  if (!summary) throw new Error('The figures of the week could not be read.');
  return summary;
}
