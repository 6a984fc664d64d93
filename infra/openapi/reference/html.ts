/** A text that is valid HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | undefined | readonly Part[];

/** A template of HTML. Strings and numbers are escaped, `false` and `undefined` are omitted, and lists are joined. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, index) => text + textOf(parts[index])).join(''));

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
