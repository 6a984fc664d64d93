import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Registers a clean-up for the end of a test, or of all tests that share a runner. */
export type AtEnd = (end: () => Promise<void> | void) => void;

/**
 * Returns a function that registers clean-ups for the end of all tests of a file or of a `describe`. Must not be called
 * in a hook or a test, because Vitest ignores an `afterAll` there.
 */
export function atEndOfAll(): AtEnd {
  const ends: Parameters<AtEnd>[0][] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return (end) => void ends.unshift(end);
}

/** Creates a folder that is deleted at the end of the test. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
