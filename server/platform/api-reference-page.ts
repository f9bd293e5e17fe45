import { escapeHtml } from './mail-template.ts';

/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface ApiDocument {
  info: { title: string; description?: string };
  paths?: Record<string, Record<string, ApiOperation>>;
}

interface ApiOperation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  'x-access'?: string | string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: object }[];
  requestBody?: { content?: Record<string, { schema?: object }> };
  responses?: Record<string, { content?: Record<string, { schema?: object }> }>;
}

type Entry = ApiOperation & { method: string; path: string };

/** Shows the whole document by tag, with the schemas as they are. */
export function apiReferencePage({ info, paths = {} }: ApiDocument): string {
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Entry => ({ ...operation, method, path })),
  );
  const byTag = Map.groupBy(entries, ({ tags }) => tags?.[0] ?? 'other');
  const tags = [...byTag.keys()].toSorted();
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>API reference · Switchyard</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1d252e, #dfe5ee);
  background: light-dark(#f7f9fb, #0c121a); overflow-wrap: anywhere; }
main { max-width: 960px; margin: 0 auto; }
h1 { font-size: 1.625rem; line-height: 1.25; }
h2 { font-size: 1.25rem; margin: 32px 0 8px; }
h3 { font-size: 1rem; margin: 16px 0 4px; }
a { color: light-dark(#2f4cb3, #8da0e1); }
ul { display: flex; flex-wrap: wrap; gap: 0 16px; padding: 0; list-style: none; }
li a { display: inline-block; padding: 10px 0; }
details { border: 1px solid light-dark(#c9d2dd, #364252); border-radius: 8px; margin: 8px 0; padding: 0 16px;
  background: light-dark(#fff, #1a2330); }
summary { min-height: 44px; padding: 8px 0; box-sizing: border-box; cursor: pointer; }
.method { display: inline-block; min-width: 64px; font-weight: 700; }
.sentence { display: block; }
table { border-collapse: collapse; } th, td { padding: 4px 16px 4px 0; text-align: left; vertical-align: top; }
pre { margin: 0 0 16px; padding: 12px; border-radius: 8px; white-space: pre-wrap; font-size: 0.875rem;
  background: light-dark(#eef2f6, #0c121a); }
</style></head><body><main>
<h1>API reference of ${escapeHtml(info.title)}</h1>
<p>${escapeHtml(info.description ?? '')} The same as a document for programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.
Every refusal is a problem document (RFC 9457) with a stable <code>code</code>.</p>
<nav aria-label="Parts of the API"><ul>${tags.map((tag) => `<li><a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a></li>`).join('')}</ul></nav>
${tags.map((tag) => section(tag, byTag.get(tag) ?? [])).join('\n')}
</main></body></html>`;
}

function section(tag: string, entries: Entry[]): string {
  return `<section id="${escapeHtml(tag)}" aria-labelledby="of-${escapeHtml(tag)}">
<h2 id="of-${escapeHtml(tag)}">${escapeHtml(tag)}</h2>
${entries.map(operation).join('\n')}</section>`;
}

function operation({ method, path, operationId, summary, parameters, requestBody, responses, ...rest }: Entry): string {
  const access = [rest['x-access'] ?? []].flat().join(', ');
  return `<details id="${escapeHtml(operationId ?? '')}"><summary><span class="method">${method.toUpperCase()}</span>
<code>${escapeHtml(path)}</code><span class="sentence">${escapeHtml(summary ?? '')}</span></summary>
<p>Who may call it: ${escapeHtml(access)}. Its name: <code>${escapeHtml(operationId ?? '')}</code>.</p>
${parameters?.length ? parameterTable(parameters) : ''}
${schemaOf('Body', requestBody?.content)}${schemaOf('Answer', responses?.[200]?.content)}</details>`;
}

function parameterTable(parameters: NonNullable<ApiOperation['parameters']>): string {
  const rows = parameters.map(
    ({
      name,
      in: place,
      required,
      schema,
    }) => `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td>
<td>${required ? 'needed' : 'optional'}</td><td><code>${escapeHtml(JSON.stringify(schema ?? {}))}</code></td></tr>`,
  );
  return `<h3>Parameters</h3><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Presence</th>
<th scope="col">Schema</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function schemaOf(title: string, content: Record<string, { schema?: object }> | undefined): string {
  const [found] = Object.entries(content ?? {});
  if (!found) return '';
  const [type, { schema }] = found;
  return `<h3>${title} <code>${escapeHtml(type)}</code></h3><pre>${escapeHtml(JSON.stringify(schema ?? {}, null, 2))}</pre>`;
}
