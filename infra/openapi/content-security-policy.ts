import { createHash } from 'node:crypto';

/**
 * The policy of a page that carries all it needs: the styles and scripts that stand in it, by their hashes, and
 * requests to where it came from. Nothing else is loaded or run, and no other page may frame it.
 */
export function contentSecurityPolicy(page: string): string {
  return [
    "default-src 'none'",
    `script-src ${hashesOf('script', page)}`,
    `style-src ${hashesOf('style', page)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Both kinds of element are looked for at once, since a script may well speak of styles. */
function hashesOf(kind: 'script' | 'style', page: string): string {
  const hashes = [...page.matchAll(/<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g)].flatMap(
    ([, name, attributes = '', text = '']) =>
      name === kind && !attributes.includes('application/json') ? [hashOf(text)] : [],
  );
  return hashes.join(' ') || "'none'";
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
