import { escapeHtml, isWebAddress } from '../../formats.ts';

/** Web addresses in a text. The punctuation that ends a sentence is not a part of the address. */
const webAddresses = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,:;!?()[\]{}]/gi;

/**
 * Returns the HTML alternative of a plain text: one paragraph for each block of lines, with links for web addresses. The
 * text is escaped, so it cannot add elements.
 */
export const messageHtml = (text: string): string =>
  [
    '<!doctype html><html><head><meta charset="utf-8"></head><body>',
    ...text.split(/\n{2,}/).map((block) => `<p>${block.split('\n').map(lineHtml).join('<br>\n')}</p>`),
    '</body></html>',
  ].join('\n');

function lineHtml(line: string): string {
  let [html, end] = ['', 0];
  for (const { 0: address, index } of line.matchAll(webAddresses)) {
    if (!isWebAddress(address)) continue;
    const shown = escapeHtml(address);
    html += `${spaced(line.slice(end, index))}<a href="${shown}">${shown}</a>`;
    end = index + address.length;
  }
  return html + spaced(line.slice(end));
}

/** Keeps indentation and columns, which HTML would collapse. */
const spaced = (text: string): string => escapeHtml(text).replaceAll(/ {2}/g, '&nbsp; ');
