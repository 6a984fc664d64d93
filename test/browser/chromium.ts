import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Flags that disable, for example, updates, sync and first-run pages. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Browser {
  context: BrowserContext;
  close(): Promise<void>;
}

/** Starts the installed Chromium with an empty profile. */
export async function startChromium(options: { javaScriptEnabled?: boolean } = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'merchant-ops-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
    ...options,
  });
  // Without a GPU, rendering the page can take ten seconds on a busy machine.
  context.setDefaultTimeout(120_000);
  context.setDefaultNavigationTimeout(120_000);
  return {
    context,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
