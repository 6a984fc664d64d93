import { createHash } from 'node:crypto';

/**
 * The policy of a page that carries all it needs: the styles and scripts that stand in it, by their hashes, and
 * requests to where it came from. Nothing else is loaded or run, and no other page may frame it.
 */
export function contentSecurityPolicy(page: string): string {
  const known = policies.get(page);
  if (known) return known;
  const hashes: Record<string, string[]> = { script: [], style: [] };
  for (const [, name = '', attributes = '', text = ''] of page.matchAll(/<(script|style)\b([^>]*)>([^]*?)<\/\1>/g))
    if (!attributes.includes('application/json')) hashes[name]?.push(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.script?.join(' ')}`,
    `style-src ${hashes.style?.join(' ')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  policies.set(page, policy);
  return policy;
}

/** A page is the same for as long as the process lives, and large. */
const policies = new Map<string, string>();
