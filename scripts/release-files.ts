/** What an installation runs, and what whoever runs it reads. */
const parts =
  /^(contract|server|scripts|deploy|docs\/(operations|reliability|scaling|security)\.md|docs\/monitoring)(\/|$)/;
const single = /^(package\.json|package-lock\.json|README\.md|CHANGELOG\.md|SECURITY\.md|\.env\.example)$/;
/** Tests, and what only builders run. */
const leftOut = /\.test\.tsx?$|tsconfig|^scripts\/(drills|seed)\//;

export function isReleased(file: string): boolean {
  return (single.test(file) || parts.test(file)) && !leftOut.test(file);
}

/** The subjects of commits, by the room that they name. They say what changed for whom. */
export function changesSince(subjects: string[], tag: string | undefined): string {
  const rooms = Map.groupBy(subjects, (subject) => /^([\w -]+): /.exec(subject)?.[1] ?? 'other');
  const sections = [...rooms]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([room, lines]) => {
      const items = lines.map((line) => `- ${line.startsWith(`${room}: `) ? line.slice(room.length + 2) : line}`);
      return `## ${room}\n\n${items.join('\n')}`;
    });
  const since = tag ? `Since ${tag}.` : 'From the beginning.';
  return [since, ...sections].join('\n\n');
}
