import { beforeEach, expect } from 'vitest';
import { screenshot, violations } from './check-page.ts';
import { heading, page, running } from './service-page.ts';

beforeEach(() => page.setDefaultTimeout(30_000));

/** Opens the console at the address that the service prints, and then goes to a screen. */
export async function open(screen: string, width = 1280): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${running.credentials.baseUrl}/#${running.token}`);
  await heading('Local service').waitFor();
  await goTo(screen);
}

export const goTo = (screen: string) => page.goto(`${running.credentials.baseUrl}/#/${screen}`);

export const card = (name: string) =>
  page.locator('.card', { has: page.getByRole('heading', { level: 2, name, exact: true }) });

/** Saves a screenshot, and checks that the page with all details open is accessible and not wider than the window. */
export async function check(name: string, colorScheme: 'light' | 'dark'): Promise<void> {
  const width = page.viewportSize()?.width ?? expect.fail('The page has no size');
  await screenshot(page, `console-${name}-${width}-${colorScheme}`);
  await page.evaluate(`for (const one of document.querySelectorAll('main details')) one.open = true`);
  expect(await violations(page), name).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
}
