// A process that loads this first has a clock that stands beside the machine's. It reads by how much at SIGUSR2.
import { readFileSync } from 'node:fs';

const file = process.env.SHIFTED_CLOCK_FILE ?? '';
const machineNow = Date.now.bind(Date);
let shiftMs = 0;

process.on('SIGUSR2', () => {
  shiftMs = Number(readFileSync(file, 'utf8'));
  console.log(`The clock is shifted by ${shiftMs} ms.`);
});

globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [machineNow() + shiftMs] : given, made),
  get: (target, name, self) => (name === 'now' ? () => machineNow() + shiftMs : Reflect.get(target, name, self)),
});
