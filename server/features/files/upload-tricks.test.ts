import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUpload, downloadFile } from '#contract/files.ts';
import { docx, docxTypes, pdfOf, png, svgWithScript, zipOf } from '#test/factories/files.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { beginUpload, idOf, sendBytes, tusHeaders, uploadFile } from '#test/support/uploads.ts';

let server: TestApp;
let owner: Client;
beforeAll(async () => {
  server = await startTestApp();
  owner = await server.as(await buildParticipant(server.db));
});
afterAll(() => server.close());

const html = '<!doctype html><script>document.title = "ran"</script>';
const download = (id: string, query = '') => owner.fetch(`${downloadFile.path.replace(':id', id)}${query}`);
const nameOf = async (id: string) => {
  const query = server.db.selectFrom('storedFiles').select(['displayName', 'path']).where('id', '=', id);
  return query.executeTakeFirstOrThrow();
};

test.each([
  ['a NUL', 'a\u0000b.txt', 'ab.txt'],
  ['a way out of the folder', '../../../../etc/passwd.txt', 'passwd.txt'],
  ['a way out of the folder of Windows', 'C:\\windows\\..\\win.txt', 'win.txt'],
  ['an escaped way out', '..%2f..%2fetc%2fpasswd.txt', '..%2f..%2fetc%2fpasswd.txt'],
  ['a turned reading direction', 'annex\u202etxt.exe\u202c.txt', 'annextxt.exe.txt'],
  ['letters of no width', 'a\u200b\ufeff\u00adb.txt', 'ab.txt'],
  ['a header of its own', 'a\r\nset-cookie: a=b\r\n\r\n<script>.txt', 'aset-cookie: a=b<script>.txt'],
  ['quotes', 'a"; filename="b.exe"; x=.txt', 'a"; filename="b.exe"; x=.txt'],
  ['a star', "a'; filename*=UTF-8''b.exe; x=.txt", "a'; filename*=UTF-8''b.exe; x=.txt"],
  ['spaces at its ends', '  a.txt \t', 'a.txt'],
  ['thousands of letters', `${'x'.repeat(5000)}.txt`, `${'x'.repeat(196)}.txt`],
  ['letters of other scripts', 'größe 数据.txt', 'größe 数据.txt'],
])('a name with %s is kept without what no name needs, and leaves as one header', async (_, given, kept) => {
  const id = await uploadFile(owner, { area: 'my_files', name: given }, 'words');
  const { displayName, path } = await nameOf(id);
  expect(displayName).toBe(kept);
  expect(path).toMatch(/^[\w.-]+\/[\w.-]+$/);
  expect(path).not.toContain('..');
  const answer = await download(id);
  const disposition = answer.headers.get('content-disposition') ?? '';
  const [, ascii = '', encoded = ''] =
    /^attachment; filename="([^"]*)"; filename\*=UTF-8''([^;]*)$/.exec(disposition) ?? [];
  expect(ascii).toMatch(/^[\x20-\x7e]+\.txt$/);
  expect(decodeURIComponent(encoded)).toBe(kept);
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(await answer.text()).toBe('words');
});

test('a name that is cut in the middle of a character can be sent', async () => {
  const id = await uploadFile(owner, { area: 'my_files', name: `a${'😀'.repeat(300)}.txt` }, 'words');
  const { displayName } = await nameOf(id);
  expect(displayName.isWellFormed()).toBe(true);
  expect(displayName).not.toContain('\ufffd');
  expect((await download(id)).status).toBe(200);
});

test.each([
  'a.txt\u0000.exe',
  'a.exe',
  'a.html',
  'a.htm',
  'a.js',
  'a.svgz',
  'a.txt.',
  'a.txt/',
  '..',
  '\u202e',
  'a.php.',
  'a',
])('the name %j is refused', async (name) => {
  const answer = await beginUpload(owner, { area: 'my_files', name, size: 5 });
  expect([415, 422]).toContain(answer.status);
  expect(await answer.json()).toMatchObject({ status: answer.status });
});

const gifAndScript = Buffer.concat([Buffer.from('GIF89a/*'), Buffer.alloc(300), Buffer.from('*/=1;alert(1)//')]);
const pictures: [string, Buffer][] = [
  ['a.gif', gifAndScript],
  ['b.png', Buffer.concat([png, Buffer.from(html)])],
  ['c.png', Buffer.concat([png, zipOf({ 'a.html': html })])],
  ['d.jpg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), Buffer.from(`JFIF\0${html}`)])],
];
const others: [string, Buffer][] = [
  ['e.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(html), pdfOf(500)])],
  ['f.txt', Buffer.from(html)],
  ['g.txt', Buffer.from(svgWithScript)],
  ['h.txt', Buffer.from('\ufeff<html>', 'utf16le')],
  ['i.svg', Buffer.from(svgWithScript)],
  ['j.zip', zipOf({ 'a.html': html, '../../b.txt': 'x' })],
  ['k.docx', docx()],
];

test.each([...pictures, ...others])(
  '%s, which is two things at once, is only ever what its name says',
  async (name, bytes) => {
    const id = await uploadFile(owner, { area: 'my_files', name }, bytes);
    const isPicture = pictures.some(([one]) => one === name);
    for (const query of ['', '?inline=1']) {
      const { headers, status } = await download(id, query);
      expect(status).toBe(200);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-type')).not.toMatch(/html|javascript|\/xml/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('script-src');
      const isShown = query !== '' && (isPicture || name.endsWith('.pdf'));
      expect(headers.get('content-disposition')).toMatch(isShown ? /^inline; / : /^attachment; /);
      if (!name.endsWith('.pdf') || !isShown) expect(policy).toMatch(/^sandbox;/);
    }
  },
);

test.each<[string, Buffer]>([
  ['a.png', Buffer.from(html)],
  ['b.jpg', Buffer.from(svgWithScript)],
  ['c.pdf', Buffer.from(html)],
  ['d.gif', Buffer.from('GEF89a<script>')],
  ['e.txt', Buffer.from('MZ\u0000\u0001\u0002')],
  ['f.docx', zipOf({ 'a.html': html })],
  ['g.svg', Buffer.from(`<html><svg></svg>${html}</html>`)],
  ['h.svg', Buffer.from(`<!DOCTYPE html><svg>${html}</svg>`)],
  ['i.png', Buffer.from(svgWithScript)],
  ['j.webp', Buffer.from('RIFF0000WAVEfmt ')],
  ['k.mp4', Buffer.from(html)],
  ['l.doc', Buffer.from(html)],
])('%s, whose content is something else, is refused, and nothing of it stays', async (name, bytes) => {
  const begun = await beginUpload(owner, { area: 'my_files', name, size: bytes.length });
  const id = idOf(begun);
  const sent = await sendBytes(owner, id, 0, new Uint8Array(bytes));
  expect(sent.status).toBe(415);
  expect(await sent.json()).toMatchObject({ code: 'unsupported_type' });
  expect((await download(id)).status).toBe(404);
  expect(await server.db.selectFrom('storedFiles').select('id').where('id', '=', id).execute()).toEqual([]);
});

test('the kind that a browser declares counts for nothing', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64');
  const declared = { filename: 'a.txt', area: 'my_files', filetype: 'text/html', contentType: 'text/html' };
  const metadata = Object.entries(declared).map(([name, text]) => `${name} ${encoded(text)}`);
  const begun = await owner.fetch(createUpload.path, {
    method: 'POST',
    headers: { ...tusHeaders, 'upload-length': String(html.length), 'upload-metadata': metadata.join(',') },
  });
  const id = idOf(begun);
  expect((await sendBytes(owner, id, 0, new Uint8Array(Buffer.from(html)))).status).toBe(204);
  expect((await download(id)).headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

test('what would fill the memory when opened is not opened, or only its beginning', async () => {
  const wide = Buffer.from(png);
  wide.writeUInt32BE(0x7fffffff, 16);
  wide.writeUInt32BE(0x7fffffff, 20);
  const id = await uploadFile(owner, { area: 'my_files', name: 'wide.png' }, wide);
  expect((await download(id)).status).toBe(200);

  // A part that is packed tells a Word document. Of a part that would become this long, nothing is unpacked.
  const types = docxTypes.padEnd(64 * 1024 * 1024, ' ');
  const bomb = zipOf({ '[Content_Types].xml': types, 'word/document.xml': '<w:document/>' });
  expect(bomb.length).toBeLessThan(100 * 1024);
  const begun = await beginUpload(owner, { area: 'my_files', name: 'bomb.docx', size: bomb.length });
  const sent = await sendBytes(owner, idOf(begun), 0, new Uint8Array(bomb));
  expect(sent.status).toBe(415);
});
