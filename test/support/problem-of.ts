import type { Endpoint } from '#contract/endpoint.ts';
import { Problem } from '#contract/errors.ts';

const WholeProblem = Problem.loose();

/** Reads a refusal, with the fields that documented functions add to it. */
export async function problemOf(answer: Pick<Response, 'json'>): Promise<Problem> {
  return WholeProblem.parse(await answer.json());
}

/** Reads a refusal. Throws if the server did not refuse. */
export async function refusalOf({ name }: Pick<Endpoint, 'name'>, answer: Response): Promise<Problem> {
  if (answer.ok) throw new Error(`${name} was expected to refuse, and answered ${await answer.text()}`);
  return problemOf(answer);
}

/** Throws with the problem's code and detail if the server refuses. */
export async function requireTaken({ name }: Pick<Endpoint, 'name'>, answer: Response): Promise<void> {
  if (answer.ok) return;
  const { code, detail } = await problemOf(answer);
  throw new Error(`${name} answered ${answer.status} ${code}: ${detail}`);
}
