/** Reads `Switchyard <hello@switchyard.example>`, or an address alone, which is then the name too. */
export function parseSender(from: string): { name: string; address: string } {
  const address = /[^\s<>@]+@[^\s<>@]+/.exec(from)?.[0] ?? from;
  const name = from
    .replace(/<[^<>]*>/, '')
    .replaceAll('"', '')
    .trim();
  return { name: name || address, address };
}
