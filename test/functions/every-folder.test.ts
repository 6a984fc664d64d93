import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

test('each folder of functions/ has the test file of its name', () => {
  const folders = readdirSync('functions', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.length).toBeGreaterThan(0);
  expect(readdirSync(import.meta.dirname)).toEqual(
    expect.arrayContaining(folders.map(({ name }) => `${name}.test.ts`)),
  );
});
