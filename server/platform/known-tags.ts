import type { FastifyRequest } from 'fastify';

/**
 * True if the browser says that it has the content of this tag. A tag may come back strong or weak, or among others.
 */
export function isKnownTag({ headers }: FastifyRequest, tag: string): boolean {
  const given = (headers['if-none-match'] ?? '').split(',').map((part) => part.trim().replace(/^W\//, ''));
  return given.includes('*') || given.includes(tag.replace(/^W\//, ''));
}
