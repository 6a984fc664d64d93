import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../../infra/build/endpoints.ts';

/** Returns the accessibility problems that axe finds, for example in names, roles, contrast or focus. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Saves a screenshot in .build/screenshots/ for manual review. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(root, '.build', 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/**
 * Returns a list to which the page's errors are added as they occur, including violations of its Content
 * Security Policy. Responses with a 4xx status are not added.
 */
export function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    const isRejected = /Failed to load resource: the server responded with a status of 4/.test(
      message.text(),
    );
    if (message.type() === 'error' && !isRejected) errors.push(message.text());
  });
  return errors;
}
