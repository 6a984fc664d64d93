import { createHash } from 'node:crypto';
import { escapeHtml } from '../formats.ts';
import type { HttpResponse } from './response.ts';

interface Page {
  title: string;
  styles: string;
  /** The HTML of the body, in which all texts are escaped. */
  body: string;
}

/** Returns the response with a page for printing, in English. It allows no scripts and no other resources than its styles. */
export const printedPage = ({ title, styles, body }: Page): HttpResponse => ({
  statusCode: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
  },
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
${body}
</body>
</html>
`,
});
