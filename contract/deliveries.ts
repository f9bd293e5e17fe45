import { z } from 'zod';
import { endpoint, Id, IdParams } from './endpoint.ts';

export const demoMailboxPath = '/demo/mail';

export const showDemoMailbox = endpoint({
  name: 'showDemoMailbox',
  method: 'GET',
  path: demoMailboxPath,
  access: 'public',
  binary: true,
  summary: 'The mails of a demo instance as a page, newest first; not found on any other instance.',
  query: z.object({ to: z.string().max(254).optional(), before: Id.optional() }),
  response: z.string(),
});

export const showDemoMail = endpoint({
  name: 'showDemoMail',
  method: 'GET',
  path: `${demoMailboxPath}/:id`,
  access: 'public',
  binary: true,
  summary: 'One mail of a demo instance as a page; not found on any other instance.',
  params: IdParams,
  response: z.string(),
});
