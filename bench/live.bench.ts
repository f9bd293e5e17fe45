import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import pg from 'pg';
import { listenLive } from '#contract/live.ts';
import { sendMessage } from '#contract/messages.ts';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/platform/telling.ts';
import { assignCoach } from '../test/factories/cohorts.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import { type OpenStream, openStream } from './live-stream.ts';
import type { Scenario } from './scenario.ts';

const openConnections = 1_000;
const participantsOfCoach = 40;

export const scenario: Scenario = {
  measured: `until it is on the recipient's stream, with ${openConnections} streams open`,
  baseline: 'a bare NOTIFY until another connection of the driver hears it',
  rounds: 300,
  prepare: async () => {
    const app = await openBenchApp();
    const coach = await buildCoach(app.db);
    const participants = await buildParticipants(app.db, coach.id);
    const agent = new Agent({ keepAlive: false, maxSockets: openConnections });
    const streams: (OpenStream & { participant: BuiltPerson })[] = [];
    for (const participant of participants) {
      const { cookie } = await app.as(participant);
      streams.push({ participant, ...(await openStream(agent, `${app.url}${listenLive.path}`, cookie)) });
    }
    const asCoach = await app.as(coach);
    const bare = await openNotifyRoundTrip(app.connectionString);
    let turn = 0;
    const nextStream = (among: number) => {
      turn += 1;
      const stream = streams[turn % among];
      if (!stream) throw new Error('No stream is open.');
      return stream;
    };
    return {
      cases: [
        {
          name: 'Live news',
          runMeasured: async () => {
            const { participant, nextChunk } = nextStream(openConnections);
            const arrived = nextChunk();
            await changed(app.db, 'messages', [participant.id]);
            await arrived;
          },
          runBaseline: bare.run,
        },
        {
          name: 'A message, sent over HTTP',
          runMeasured: async () => {
            const { participant, nextChunk } = nextStream(participantsOfCoach);
            const arrived = nextChunk();
            const body = { clientKey: randomUUID(), text: 'How was the substation?', fileId: null };
            await asCoach.call(sendMessage, { params: { id: participant.id }, body });
            await arrived;
          },
          runBaseline: bare.run,
        },
      ],
      close: async () => {
        for (const { close } of streams) close();
        await bare.close();
        await app.close();
      },
    };
  },
};

/** The first ones are the coach's own participants. */
async function buildParticipants(db: Db, coachId: string) {
  const participants = [];
  for (let index = 0; index < openConnections; index += 1) {
    const participant = await buildParticipant(db);
    if (index < participantsOfCoach) await assignCoach(db, { participantId: participant.id, coachId });
    participants.push(participant);
  }
  return participants;
}

async function openNotifyRoundTrip(connectionString: string) {
  const [speaker, listener] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([speaker.connect(), listener.connect()]);
  await listener.query('listen bench');
  return {
    run: async () => {
      const arrived = new Promise((resolve) => listener.once('notification', resolve));
      await speaker.query("select pg_notify('bench', 'news')");
      await arrived;
    },
    close: async () => {
      await Promise.all([speaker.end(), listener.end()]);
    },
  };
}
