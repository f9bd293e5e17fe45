// A bare server of Node that takes and gives one file, and nothing else. It ends with the process that forked it.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

const [file = ''] = process.argv.slice(2);

const server = createServer(async (request, response) => {
  try {
    if (request.method === 'PUT') {
      // The product says that it has a file once that is on the disk, so this does too.
      await pipeline(request, createWriteStream(file, { flush: true }));
      response.writeHead(204).end();
    } else {
      response.writeHead(200, { 'content-length': statSync(file).size });
      await pipeline(createReadStream(file), response);
    }
  } catch (error) {
    process.stderr.write(`${error}\n`);
    response.destroy();
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
