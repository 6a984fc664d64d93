import { Marked } from 'marked';
import { Html, html } from './html.ts';

/**
 * Escapes everything that looks like HTML in Markdown, because our texts contain no HTML elements. Headings
 * get ids. Wide code can be scrolled by keyboard.
 */
const marked = new Marked({
  renderer: {
    html: ({ text }) => html`${text}`.text,
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>`.text,
  },
});

export const markdown = (text: string): Html => new Html(marked.parse(text, { async: false }));

/** Markdown without paragraphs, such as the description of a field. */
export const inlineMarkdown = (text: string): Html =>
  /[`*_[\\&<]|:\/\//.test(text) ? new Html(marked.parseInline(text, { async: false })) : html`${text}`;

/** The id of a heading: `Rate limits` becomes `rate-limits`. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The headings of the chapters of a Markdown text. */
export const chaptersOf = (text: string): string[] =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
