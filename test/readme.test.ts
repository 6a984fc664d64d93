import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import project from '../package.json' with { type: 'json' };
import { examplesOf, journey } from './service/examples.ts';

const root = join(import.meta.dirname, '..');
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const readme = textOf('README.md');

/** Every document of the repository. */
const pages = [
  'README.md',
  ...['functions', 'events', 'shared', 'infra', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  ),
];

/** The anchors of a document's headings, as GitHub generates them. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

/** The relative links of a document. */
const linksOf = (page: string) =>
  [...textOf(page).matchAll(/\[([^\]]+)\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, label = '', path = '', anchor]) => ({
      label,
      target: path === '' ? page : join(dirname(page), path),
      anchor,
    }),
  );

test('the documents link to each other and to the code', () => {
  const links = pages.flatMap(linksOf);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ anchor }) => anchor !== undefined).length).toBeGreaterThan(1);
});

describe.each(pages)('%s', (page) => {
  const links = linksOf(page);

  test('every relative link leads to a file, and every anchor to a heading', () => {
    const broken = links.filter(
      ({ target, anchor }) =>
        !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  test('a link that shows a file name leads to a file of that name', () => {
    const misnamed = links.filter(({ label, target }) => {
      const [, name] = /^`([\w./-]+\.(?:ts|md))`$/.exec(label) ?? [];
      return name !== undefined && !`/${target}`.endsWith(`/${name}`);
    });
    expect(misnamed).toEqual([]);
  });
});

test('README has at most 250 lines and 16 KB, and the README of a folder at most 60 lines outside its tables', () => {
  const linesOf = (text: string): string[] => text.trimEnd().split('\n');
  expect(linesOf(readme).length).toBeLessThanOrEqual(250);
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(16 * 1024);
  const long = pages.filter(
    (page) =>
      page.endsWith('/README.md') &&
      // The README of the published package may be longer, because it contains a complete example.
      page !== join('infra', 'client', 'README.md') &&
      linesOf(textOf(page)).filter((line) => !line.startsWith('|')).length > 60,
  );
  expect(long).toEqual([]);
});

test('every path in README’s map exists', () => {
  const map = readme.split('## The map')[1]?.split('```')[1] ?? '';
  const paths = [...map.matchAll(/\b(?:functions|events|shared|infra|test)\/[\w./-]*/g)].map(
    ([path]) => path,
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(pages)('every npm script in %s exists', (page) => {
  const named = [...textOf(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
    ([, script = '']) => script,
  );
  expect(named.filter((script) => !(script in project.scripts))).toEqual([]);
});

test('no npm script is longer than 120 characters', () => {
  const long = Object.entries(project.scripts).filter(([, script]) => script.length > 120);
  expect(long).toEqual([]);
});

test('every message under Troubleshooting exists in the code', () => {
  const section = readme.split('## Troubleshooting')[1] ?? '';
  const messages = [...section.matchAll(/^- \*\*`([^`]+)`\*\*/gm)].map(([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(2);
  const folder = join('infra', 'local');
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts'));
  const sources = [...files.map((file) => join(folder, file)), 'shared/errors.ts'];
  const texts = sources
    .map(textOf)
    .join('')
    .replaceAll(/\$\{port\}/g, '3000');
  expect(messages.filter((message) => !texts.includes(message))).toEqual([]);
});

test('every command of README is run by a test or by .ci/run', () => {
  const linesOf = (page: string) => examplesOf(page).flatMap(({ lines }) => lines.trim().split('\n'));
  const handbook = new Set(linesOf(join('infra', 'handbook.md')));
  const ci = textOf(join('.ci', 'run'));
  const inCi = (command: string): string =>
    command.replace(/^npm (?:run )?(check|test)$/, 'npm run --silent $1').replace(/ -o .*/, '');
  const others = examplesOf('README.md')
    .filter(({ heading }) => !journey.includes(heading))
    .flatMap(({ lines }) => lines.trim().split('\n'));
  expect(others.length).toBeGreaterThan(5);
  const isRun = (line: string): boolean => {
    const [, testFile] = /^npx vitest run (\S+)$/.exec(line) ?? [];
    if (testFile !== undefined) return existsSync(join(root, testFile));
    if (handbook.has(line)) return true;
    return line.split(' && ').every((command) => ci.includes(inCi(command)));
  };
  expect(others.filter((line) => !isRun(line))).toEqual([]);
});
