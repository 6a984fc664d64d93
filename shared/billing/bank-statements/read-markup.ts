import { UnreadableStatement } from './statement.ts';

/** An element of XML or of OFX, with the line of its start tag. */
export interface Element {
  /** Without the prefix of a namespace. */
  name: string;
  line: number;
  attributes: string;
  text: string;
  children: Element[];
}

/** A start tag or an end tag, with the text that follows. */
const token = /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s[^<>]*?)?)(\/?)>([^<]*)/g;

/** Deeper elements are not those of a statement. */
const mostLevels = 100;
/** An element with its tags has at least 20 characters, so that a statement of 10 MB has fewer. They take 300 MB of memory. */
const mostElements = 1_000_000;

/** The parts that are not elements, with their ends. */
const specials = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
] as const;

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Removes comments and instructions, and writes CDATA sections with entities. All lines remain. */
function onlyElements(text: string): string {
  let plain = '';
  for (let at = 0; ; ) {
    const start = text.slice(at).search(/<(?:!--|\?|!\[CDATA\[)/);
    if (start < 0) return plain + text.slice(at);
    const [open, end] = specials.find(([first]) => text.startsWith(first, at + start)) ?? specials[0];
    const from = at + start + open.length;
    const to = text.indexOf(end, from);
    if (to < 0) throw new UnreadableStatement(`must be XML: ${open} is not closed`);
    const content = text.slice(from, to);
    plain += text.slice(at, at + start);
    plain += open === '<![CDATA[' ? escaped(content) : content.replace(/[^\n]/g, '');
    at = to + end.length;
  }
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Replaces the entities of a text once, so that `&amp;lt;` is `&lt;`. Unknown entities remain. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/**
 * Reads XML, or OFX 1, in which elements with a text need no end tag. In OFX (`isOpen`), an element that is not closed has
 * no children: they belong to its parent. Throws `UnreadableStatement` for XML whose tags do not fit, and for documents
 * that declare entities.
 */
export function readMarkup(text: string, { isOpen }: { isOpen: boolean }): Element {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new UnreadableStatement('must not have a DOCTYPE');
  const root: Element = { name: '', line: 1, attributes: '', text: '', children: [] };
  const open: Element[] = [root];
  let line = 1;
  let elements = 0;
  const plain = onlyElements(text);
  let nextBreak = plain.indexOf('\n');
  for (const { 1: end, 2: name = '', 3: attributes = '', 4: empty, 5: after = '', index } of plain.matchAll(
    token,
  )) {
    for (; nextBreak >= 0 && nextBreak < index; nextBreak = plain.indexOf('\n', nextBreak + 1)) line++;
    if (end === '/') close(open, name, isOpen, line);
    else {
      if (++elements > mostElements) throw new UnreadableStatement('must not have so many elements');
      const element = { name, line, attributes, text: '', children: [] };
      const parent = open.at(-1);
      // An element with a text has no children in OFX.
      if (isOpen && parent && parent.text !== '' && open.length > 1) open.pop();
      open.at(-1)?.children.push(element);
      if (empty !== '/') open.push(element);
      if (open.length > mostLevels) throw new UnreadableStatement('must not have so many levels');
    }
    const current = open.at(-1);
    if (current) current.text = (current.text + decoded(after)).trim();
  }
  if (open.length > 1 && !isOpen)
    throw new UnreadableStatement(`must be XML: <${open.at(-1)?.name}> is not closed`);
  return root;
}

function close(open: Element[], name: string, isOpen: boolean, line: number): void {
  const at = open.findLastIndex((element) => element.name === name);
  if (at < 1 || (at < open.length - 1 && !isOpen)) {
    if (isOpen) return;
    throw new UnreadableStatement(`must be XML: </${name}> on line ${line} closes another element`);
  }
  while (open.length - 1 > at) {
    const moved = open.pop()?.children.splice(0) ?? [];
    // As arguments of one call, many elements would exceed the stack.
    for (const element of moved) open.at(-1)?.children.push(element);
  }
  open.pop();
}

/** Returns the elements at a path, such as `Refs/EndToEndId`. */
export function elementsAt(element: Element, path: string): Element[] {
  return path
    .split('/')
    .reduce(
      (found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)),
      [element],
    );
}

/** Returns the text at a path; empty if there is no such element. */
export const textAt = (element: Element, path: string): string => elementsAt(element, path)[0]?.text ?? '';

/** Returns all elements with a name, at any depth, in the order of the document. */
export const elementsNamed = (element: Element, name: string): Element[] =>
  element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsNamed(child, name),
  ]);
