import { expect, test } from 'vitest';
import { readSettings } from '../../infra/local/settings.ts';
import { resourceNames } from '../../infra/operations/import/resource-names.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { builtManifest, deploymentOf, resources, templatesOf } from '../harness/deployment.ts';
import { completedProd as prod } from '../harness/production.ts';
import { files, placeOf, proseOf, textOf } from './pages.ts';

const templates = templatesOf(deploymentOf(prod, await builtManifest()));

/** The keys of the object with this name in a file of the tests that runs when it is imported. */
const keysIn = (file: string, name: string): string[] => {
  const [, body = ''] = new RegExp(`const ${name}\\b.*? = \\{\\n(.*?)\\n\\};`, 's').exec(textOf(file)) ?? [];
  return [...body.matchAll(/^ {2}'?([\w-]+)'?: /gm)].map(([, key = '']) => key);
};

/** The environment variables that `npm start` reads. */
function variablesOfStart(): string[] {
  const read = new Set(['DOMAIN_SERVERS', 'DYNOXIDE']);
  const get = (_: object, name: string | symbol): undefined => void read.add(String(name));
  readSettings(new Proxy({}, { get }), []);
  return [...read];
}

const tests = files.filter((file) => /^(test|infra\/scenes)\/.*\.ts$/.test(file)).map(textOf);

/** The tables in the generated tests that need an entry for some endpoints: each is named in the message of its test. */
const tablesOfTests = tests.flatMap((text) =>
  [...text.matchAll(/\bAdd [^`\n]*? to (?:the table )?\\?`(\w+)\\?`/g)].map(([, table = '']) => table),
);

/** The files that `npx vitest run -u` writes. */
const snapshots = tests.flatMap((text) => {
  const [, named, variable = ''] = /toMatchFileSnapshot\((?:'([\w.-]+)'|(\w+))\)/.exec(text) ?? [];
  const [, file = ''] = new RegExp(`const ${variable} = join\\(.*'([\\w.-]+)'\\)`).exec(text) ?? [];
  return named ?? (variable === '' ? [] : file);
});

interface CompleteList {
  page: string;
  /** The text before the list, and the text after it. */
  between: [string, string];
  /** Matches a name of the list. */
  name?: RegExp;
  names: readonly string[];
}

/** The lists of the documents that name every thing of a kind. */
const lists: readonly CompleteList[] = [
  {
    page: 'infra/handbook.md',
    between: ['The log groups are', '\n\n'],
    names: templates.flatMap((template) =>
      resources<{ LogGroupName: string }>(template, 'AWS::Logs::LogGroup').map(
        ([, { LogGroupName }]) => LogGroupName,
      ),
    ),
  },
  {
    page: 'infra/handbook.md',
    between: ['| limit | counted |', '\n\n'],
    name: /^\| `(\w+)` \|/gm,
    names: Object.keys(prod.edge?.limits ?? {}),
  },
  {
    page: 'infra/handbook.md',
    between: ['`npm start` reads these environment variables:', '\n\nThe '],
    name: /^- `(\w+)`|(?<=`)(_[A-Z_\d]+)(?=`)/gm,
    names: variablesOfStart().map((name) => name.replace(/^AWS_ENDPOINT_URL(?=_)/, '')),
  },
  {
    page: 'infra/handbook.md',
    between: ['| resource | columns |', '\n\n'],
    name: /^\| (.+?) \|/gm,
    names: [...resourceNames, 'account'],
  },
  {
    page: 'events/README.md',
    between: ['After five failed deliveries', '\n\n'],
    name: /(?<=^\d+\. .*)`(\w+)`/gm,
    names: queueNames,
  },
  {
    page: 'test/README.md',
    between: ['| command | what it does |', '\n\n'],
    name: /^\| `npm run test:extra -- ([\w-]+)`/gm,
    names: keysIn('test/extra.ts', 'suites'),
  },
  {
    page: 'functions/README.md',
    between: ['You edit these lists only in the named cases', '\n\nTo check'],
    name: /^\| `(\w+)` in \[`[\w-]+(?:\.test)?\.ts`\]\(\.\.\/(?:test|infra\/scenes)/gm,
    names: [...new Set(tablesOfTests)],
  },
  {
    page: 'test/README.md',
    between: ['### Files that a command writes', '\n\n\n'],
    name: /\[`([\w.-]+)`\]/g,
    names: [...snapshots, 'published.json.gz'],
  },
  {
    page: 'test/bench/README.md',
    between: ['| part | what it measures |', '\n\n'],
    name: /^\| `(\w+)` \|/gm,
    names: keysIn('test/bench/main.ts', 'parts'),
  },
];

test.each(lists)('the list after "$between.0" in $page is complete', ({ page, between, name, names }) => {
  const prose = proseOf(page);
  const [before = '', rest = ''] = prose.split(between[0]);
  const [list = ''] = rest.split(between[1]);
  const listed = [...list.matchAll(name ?? /`([^`]+)`/g)].flatMap(([, ...found]) =>
    found.flatMap((text = '') => text.match(/[\w./-]+/g) ?? []),
  );
  expect(names.length).toBeGreaterThan(3);
  expect(listed.toSorted(), placeOf(page, prose, before.length)).toEqual(names.toSorted());
});
