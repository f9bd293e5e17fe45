import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface TestMailServer {
  url: string;
  received: { to: string[]; mail: Email }[];
  /**
   * How it fails from now on:
   * - refuses: refuses connections.
   * - stalls: takes connections without a word.
   * - hangs up: hangs up before it has the email.
   * - takes no content: refuses the whole email.
   * - drops: drops the connection after the whole email.
   * - keeps, then drops: keeps the email and drops the connection instead of its yes.
   * - says yes, then drops: drops the connection after its yes.
   * - waits: keeps the email, and its yes until released.
   */
  fault:
    | 'refuses'
    | 'stalls'
    | 'hangs up'
    | 'takes no content'
    | 'drops'
    | 'keeps, then drops'
    | 'says yes, then drops'
    | 'waits'
    | null;
  /** The number of connections that wait for its first word, or for its yes. */
  waiting(): number;
  release(): void;
  close(): Promise<void>;
}

/** Starts a real SMTP server on loopback that keeps what it receives. Pass `port` to restart one at the same port. */
export async function startMailServer(port = 0, { offersTls = false } = {}): Promise<TestMailServer> {
  const received: TestMailServer['received'] = [];
  const sockets = new Set<Socket>();
  const unanswered: (() => void)[] = [];
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: offersTls ? ['AUTH'] : ['STARTTLS', 'AUTH'],
    onConnect: (_session, done) => {
      if (mailServer.fault === 'stalls') unanswered.push(done);
      else done();
    },
    onRcptTo: ({ address }, _session, done) => {
      if (mailServer.fault === 'hangs up') return dropAll();
      const refusal = Object.assign(new Error(`<${address}>: The mailbox is busy`), { responseCode: 451 });
      done(mailServer.fault === 'refuses' ? refusal : null);
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (mailServer.fault === 'drops') return dropAll();
        if (mailServer.fault === 'takes no content')
          return done(Object.assign(new Error('No room'), { responseCode: 452 }));
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          received.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail });
          if (mailServer.fault === 'keeps, then drops') return dropAll();
          if (mailServer.fault === 'waits') return void unanswered.push(done);
          done();
          if (mailServer.fault === 'says yes, then drops') for (const socket of sockets) socket.end();
        }, done);
      });
    },
  });
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // A client that was killed resets its connection. That ends no server.
  server.on('error', () => undefined);
  const address = server.server.address() as AddressInfo;
  const mailServer: TestMailServer = {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    fault: null,
    waiting: () => unanswered.length,
    release: () => {
      for (const done of unanswered.splice(0)) done();
    },
    close: () => {
      if (mailServer.fault === 'stalls') dropAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return mailServer;
}
