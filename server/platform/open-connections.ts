import type { FastifyRequest } from 'fastify';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';

interface OpenConnection {
  isStillSignedIn(): Promise<boolean>;
  end(): void;
}

/** The open connections of this process by person. Each process ends its own. */
const openConnections = new Map<string, Set<OpenConnection>>();

/**
 * Streams and uploads outlive the check of their request. This ends them once their session has ended. Returns the way
 * to stop watching.
 */
export function endWithSession(
  app: Pick<App, 'sessions'>,
  request: FastifyRequest,
  actor: Actor,
  end: () => void,
): () => void {
  const own = openConnections.get(actor.id) ?? new Set();
  const connection: OpenConnection = {
    end,
    isStillSignedIn: async () => {
      try {
        return await app.sessions.isOpen(actor.sessionId);
      } catch (error) {
        request.log.error({ err: error }, 'an open connection could not check its session and ends');
        return false;
      }
    },
  };
  openConnections.set(actor.id, own.add(connection));
  return () => {
    own.delete(connection);
    if (own.size === 0 && openConnections.get(actor.id) === own) openConnections.delete(actor.id);
  };
}

/** Ends the connections that these people (or all) hold open by ended sessions. */
export async function endOrphans(userIds: string[] | 'all'): Promise<void> {
  const ids = userIds === 'all' ? [...openConnections.keys()] : userIds;
  const connections = ids.flatMap((id) => [...(openConnections.get(id) ?? [])]);
  await Promise.all(
    connections.map(async (connection) => {
      if (!(await connection.isStillSignedIn())) connection.end();
    }),
  );
}
