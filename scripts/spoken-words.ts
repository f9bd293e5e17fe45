import { parseAst } from 'vite';

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

export interface Sentence {
  line: number;
  /** As people read it. `…` stands for what is filled in. */
  text: string;
}

/** What these attributes hold is drawn or followed, not read. */
const attributesOfCode = [
  'className',
  'classNames',
  'style',
  'styles',
  'd',
  'viewBox',
  'to',
  'href',
  'src',
  'id',
  'key',
];
/** What these properties hold is for developers: names of the contract, and the description of the API. */
const propertiesOfCode = ['summary', 'name', 'path', 'method', 'queryKey', 'meta', 'ascii', 'headers'];
const toldDevelopers = /^(Error|TypeError|RangeError)$/;
const toldOperators = /^(debug|info|warn|error|log)$/;

/** The texts in one source file that people read: on screens, in emails and files, in refusals. */
export function sentencesOf(source: string, file: string): Sentence[] {
  const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file) as unknown as Node;
  const found: { at: number; text: string }[] = [];
  visit(program, [], found);
  return found
    .map(({ at, text }) => ({ line: source.slice(0, at).split('\n').length, text }))
    .toSorted((one, other) => one.line - other.line);
}

function visit(node: Node, parents: Node[], found: { at: number; text: string }[]): void {
  if (isCode(node, parents)) return;
  const keep = (text: string) => isSpoken(text) && found.push({ at: node.start, text });
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') keepChildren(node, parents, found);
  else if (node.type === 'Literal' && typeof node.value === 'string') keep(node.value);
  else if (node.type === 'TemplateLiteral') keep(written(node));
  for (const child of childrenOf(node)) {
    const isJoined = node.type.startsWith('JSX') && (child.type === 'JSXText' || isInline(child, node));
    if (!isJoined) visit(child, [node, ...parents], found);
  }
}

/** An element's text is one sentence, with the marked words inside it. */
function keepChildren(node: Node, parents: Node[], found: { at: number; text: string }[]): void {
  const children = node.children as Node[];
  if (!hasOwnText(children)) return;
  const text = children.map(spokenIn).join('').replace(/\s+/g, ' ').trim();
  if (isSpoken(text)) found.push({ at: node.start, text });
  for (const child of children.filter((one) => isInline(one, node))) visitFilled(child, [node, ...parents], found);
}

/** Looks into marked words for attributes and filled-in expressions, whose own text is part of the sentence already. */
function visitFilled(node: Node, parents: Node[], found: { at: number; text: string }[]): void {
  for (const child of childrenOf(node)) {
    if (child.type === 'JSXExpressionContainer' || child.type === 'JSXOpeningElement')
      visit(child, [node, ...parents], found);
    else if (child.type === 'JSXElement') visitFilled(child, [node, ...parents], found);
  }
}

function spokenIn(child: Node): string {
  if (child.type === 'JSXText') return String(child.value);
  if (child.type === 'JSXElement')
    return isHidden(child) ? '' : (child.children as Node[]).map(spokenIn).join('') || '…';
  if (child.type !== 'JSXExpressionContainer') return '';
  const { expression } = child as unknown as { expression: Node };
  return expression.type === 'Literal' ? String(expression.value) : '…';
}

function isHidden({ openingElement }: Node): boolean {
  const { attributes } = openingElement as { attributes: Node[] };
  return attributes.some((attribute) => nameOf(attribute.name) === 'aria-hidden');
}

function hasOwnText(children: Node[]): boolean {
  return children.some((child) => child.type === 'JSXText' && /\p{L}/u.test(String(child.value)));
}

function isInline(child: Node, parent: Node): boolean {
  return child.type === 'JSXElement' && Array.isArray(parent.children) && hasOwnText(parent.children as Node[]);
}

function written({ quasis, expressions }: Node): string {
  const parts = quasis as { value: { cooked: string } }[];
  return parts.map(({ value }, index) => value.cooked + ((expressions as Node[])[index] ? '…' : '')).join('');
}

/** A sentence or a label: with a space, or a word that begins with a capital. */
function isSpoken(text: string): boolean {
  const words = text.trim();
  if (!/\p{L}{2}/u.test(words) || /^[…\s\p{P}]*$/u.test(words)) return false;
  if (/^[\w.:/#@?=&%*…+-]+$/.test(words)) return /^[A-Z][a-z]+$/.test(words);
  return / /.test(words) && !/^[a-z-]+(: |\/)|^(https?|data|blob):|[{};]|^\w+\(|\bpx\b|var\(/.test(words);
}

function isCode(node: Node, [parent]: Node[]): boolean {
  if (/^(Import|Export(All|Named)Declaration$)/.test(node.type) && node.source) return true;
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return true;
  if (node.type === 'TaggedTemplateExpression' || node.type === 'TemplateElement') return true;
  if (node.type === 'JSXAttribute') return attributesOfCode.includes(nameOf(node.name));
  if (node.type === 'Property') return propertiesOfCode.includes(nameOf(node.key));
  if (node.type === 'BinaryExpression') return /^[=!]==$/.test(String(node.operator));
  if (node.type === 'NewExpression') return toldDevelopers.test(nameOf(node.callee));
  if (node.type === 'CallExpression') return toldOperators.test(nameOf((node.callee as Node).property));
  return parent?.type === 'SwitchCase' && parent.test === node;
}

function nameOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown };
  if (typeof name === 'object' && name !== null) return nameOf(name);
  return String(name ?? value ?? '');
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'parent')
    .flatMap(([, value]) => value)
    .filter(
      (value): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value,
    );
}
