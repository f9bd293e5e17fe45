const head = /^([\d,]+) people {2,}server, ms/;
const row = /^(\S.*?) {2,}([\d.]+) {2,}([\d.]+) {2,}/;

/** The processor milliseconds of each call at each number of people, from what the table printed. */
export function readPrintedTable(
  text: string,
): Map<number, { name: string; serverInMs: number; databaseInMs: number }[]> {
  const bySize: ReturnType<typeof readPrintedTable> = new Map();
  let size = 0;
  for (const line of text.split('\n')) {
    const [, people] = head.exec(line) ?? [];
    if (people) size = Number(people.replaceAll(',', ''));
    const [, name = '', server, database] = row.exec(line) ?? [];
    if (size === 0 || people || !server) continue;
    bySize.set(size, [
      ...(bySize.get(size) ?? []),
      { name, serverInMs: Number(server), databaseInMs: Number(database) },
    ]);
  }
  return bySize;
}
