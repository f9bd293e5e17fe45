import type { FastifyRequest } from 'fastify';

/** Whether the browser says that it has what bears this tag. A tag may come back as strong or weak, or as one of several. */
export function isKnownTag({ headers }: FastifyRequest, tag: string): boolean {
  const given = (headers['if-none-match'] ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''));
  return given.includes('*') || given.includes(tag.replace(/^W\//, ''));
}
