import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../infra/openapi/content-security-policy.ts';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const page = `<style>p { color: red }</style><script type="application/json">{"a":"<style>"}</script>
<script>one('<style>')</script><script type="module">two()
</script>`;

test('the policy allows only the styles and scripts of the page, by their hashes', () => {
  const policy = contentSecurityPolicy(page);
  expect(policy).toContain(`style-src ${hash('p { color: red }')};`);
  expect(policy).toContain(`script-src ${hash("one('<style>')")} ${hash('two()\n')};`);
  expect(policy).not.toContain('unsafe');
});

test('the policy contains no hash for JSON data', () => {
  expect(contentSecurityPolicy(page)).not.toContain(hash('{"a":"<style>"}'));
});

test('other origins, forms and frames are forbidden', () => {
  const policy = contentSecurityPolicy(page);
  for (const rule of [
    "default-src 'none'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule);
});

test('a page without scripts is not allowed to run any script', () => {
  expect(contentSecurityPolicy('<p>Hello</p>')).toContain("script-src 'none'; style-src 'none'");
});
