import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import project from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test.each(['README.md', 'test/README.md'])('every relative link of %s leads to a file', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});

test('a link of README that shows a file name leads to the file of that name', () => {
  const shown = [...readme.matchAll(/\[`([\w.-]+\.(?:ts|md))`\]\(([^)]+)\)/g)];
  expect(shown.filter(([, name, link]) => !`/${link}`.endsWith(`/${name}`)).map(([text]) => text)).toEqual(
    [],
  );
});

test('every path in README’s map is there', () => {
  const map = readme.split('## The map')[1]?.split('```')[1] ?? '';
  const paths = [...map.matchAll(/^((?:\w[\w.-]*\/?)+[\w./-]*)/gm)].map(([path]) => path);
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every npm script that README names is one', () => {
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
  expect(named.filter((script) => !(script in project.scripts))).toEqual([]);
});
