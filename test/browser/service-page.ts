import type { Page } from 'playwright-core';
import { beforeAll, beforeEach } from 'vitest';
import { atEndOfAll } from '../harness/temporary-folder.ts';
import { type ConsoleService, startConsoleService } from '../service/console-service.ts';
import { errorsOf } from './check-page.ts';
import { type Browser, startChromium } from './chromium.ts';

/** The service of the test file that imports this module. It runs until the end of the file. */
export let running: ConsoleService;
export let browser: Browser;
/** A new page for each test. */
export let page: Page;
/** The errors of `page`. */
export let pageErrors: string[];

export const atEnd = atEndOfAll();

beforeAll(async () => {
  [browser, running] = await Promise.all([startChromium(), startConsoleService(atEnd)]);
  atEnd(browser.close);
});

beforeEach(async () => {
  await page?.close();
  page = await browser.context.newPage();
  pageErrors = errorsOf(page);
});

export const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name, exact: true });
