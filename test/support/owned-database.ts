import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Makes an empty database whose owner is no superuser, unlike the owner in the other tests. */
export async function createOwnedDatabase(connectionString: string) {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  await onServer(connectionString, [
    `create role ${name} login nosuperuser password '${password}'`,
    `create database ${name} owner ${name}`,
  ]);
  const own = new URL(connectionString);
  own.username = name;
  own.password = password;
  own.pathname = `/${name}`;
  return {
    connectionString: own.href,
    drop: () => onServer(connectionString, [`drop database ${name} with (force)`, `drop role ${name}`]),
  };
}

async function onServer(connectionString: string, statements: string[]): Promise<void> {
  const server = new pg.Client({ connectionString });
  await server.connect();
  try {
    for (const statement of statements) await server.query(statement);
  } finally {
    await server.end();
  }
}
