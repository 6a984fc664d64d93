import { createHash } from 'node:crypto';

/**
 * Returns the policy of a self-contained page. The policy allows only the page's own styles and scripts (identified by
 * hashes), and requests to the page's origin. Other pages may not embed the page in a frame.
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

/**
 * Searches for scripts and styles together. A search for styles alone would also find `<style>` in the text
 * of a script.
 */
function hashesOf(kind: 'script' | 'style', page: string): string {
  const hashes = [...page.matchAll(/<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g)].flatMap(
    ([, name, attributes = '', text = '']) =>
      name === kind && !attributes.includes('application/json') ? [hashOf(text)] : [],
  );
  return hashes.join(' ') || "'none'";
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
