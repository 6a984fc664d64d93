import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type ConsoleService, startConsoleService } from '../local/console-service.ts';
import { errorsOf, screenshot, violations } from './check-page.ts';
import { type Browser, startChromium } from './chromium.ts';

/** The service of the test file that imports this module. It runs until the end of the file. */
export let running: ConsoleService;
export let browser: Browser;
/** A new page for each test. */
export let page: Page;
/** The errors of `page`. */
export let pageErrors: string[];

const ends: (() => Promise<void> | void)[] = [];
export const atEnd = (end: (typeof ends)[number]) => void ends.unshift(end);

beforeAll(async () => {
  [browser, running] = await Promise.all([startChromium(), startConsoleService(atEnd)]);
  atEnd(browser.close);
});

afterAll(async () => {
  for (const end of ends) await end();
});

beforeEach(async () => {
  await page?.close();
  page = await browser.context.newPage();
  page.setDefaultTimeout(30_000);
  pageErrors = errorsOf(page);
});

/** Opens the console at its printed address, and then one of its screens. */
export async function open(screen: string, width = 1280): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.goto(`${running.credentials.baseUrl}/#${running.token}`);
  await heading('Local service').waitFor();
  await goTo(screen);
}

export const goTo = (screen: string) => page.goto(`${running.credentials.baseUrl}/#/${screen}`);

export const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true });

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
