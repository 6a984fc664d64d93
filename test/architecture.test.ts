import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadEndpoints, root } from '../infra/build/endpoints.ts';
import { sources as hashedSources } from '../infra/local/bundles.ts';

/** The walls of the house, held against the code itself. */
const folders = ['shared', 'events', 'functions', 'infra', 'test'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter(
      (file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.startsWith('test/browser'),
    ),
);
const product = files.filter((file) => !file.startsWith('test/'));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const textOf = (file: string): string => sources.get(file) ?? '';

/** What a file imports when it runs: files by their path, packages by their name. Types cost nothing and are free. */
function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements]
    .filter(
      ([statement]) => !/^(?:import|export)\s+\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}/.test(statement),
    )
    .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
    .map((name) => (name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name));
}
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Everything a file pulls in, itself included, each with the file that pulls it. */
function reach(file: string): Map<string, string> {
  const reached = new Map([[file, '']]);
  for (const [current] of reached)
    for (const name of imports.get(current) ?? []) if (!reached.has(name)) reached.set(name, current);
  return reached;
}

/** What a file imports, types included. */
const everyImportOf = (file: string): string[] =>
  [
    ...textOf(file).matchAll(
      /^(?:import|export|declare module)\b[^'";]*'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
    ),
  ].map(([, fixed, dynamic]) => relative(root, join(root, dirname(file), fixed ?? dynamic ?? '')));

/** From the ground up. A folder of shared that is not named here is a noun. */
const layers = [
  /^shared\/(errors|schema|instant|formats|log)\.ts$|^shared\/id\//,
  /^shared\/table\//,
  /^shared\/events\//,
  /^shared\/security\//,
  /^shared\/(?!http\/)[\w-]+\//,
  /^shared\/http\//,
  /^(functions|events)\//,
];
const layerOf = (file: string): number => layers.findIndex((layer) => layer.test(file));
const layered = product.filter((file) => layerOf(file) >= 0);
const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/');

const isSdk = (name: string): boolean => name.startsWith('@aws-sdk/') || name.startsWith('@smithy/');
/** `a ← b ← c`, so that a failure shows the way. */
function wayTo(name: string, reached: Map<string, string>): string {
  const from = reached.get(name);
  return from ? `${name} ← ${wayTo(from, reached)}` : name;
}
const sdkWays = (file: string): string[] => {
  const reached = reach(file);
  return [...reached.keys()].filter(isSdk).map((name) => wayTo(name, reached));
};
const below = (folder: string) => product.filter((file) => file.startsWith(`${folder}/`));
const filesWith = (all: string[], condition: (file: string) => boolean) => all.filter(condition);

describe('the walls', () => {
  test('the reader of imports sees what there is', () => {
    expect(imports.get('functions/leads/create-lead.ts')).toContain('shared/leads/store.ts');
    expect(imports.get('shared/table/client.ts')).toContain('@aws-sdk/client-dynamodb');
    expect(imports.get('shared/table/keys.ts')).toEqual([]);
  });

  test('an import points down: within its layer or to one below, types included', () => {
    for (const file of layered)
      for (const name of everyImportOf(file).filter((one) => sources.has(one)))
        expect(layerOf(name), `${file} imports ${name}`).toBeLessThanOrEqual(layerOf(file));
  });

  test('no folder of shared is part of a cycle of folders, types included', () => {
    const below = new Map<string, Set<string>>();
    for (const file of layered)
      for (const name of everyImportOf(file).filter((one) => sources.has(one)))
        if (folderOf(name) !== folderOf(file))
          below.set(folderOf(file), (below.get(folderOf(file)) ?? new Set()).add(folderOf(name)));
    for (const folder of below.keys()) {
      const reached = new Set(below.get(folder));
      for (const one of reached) for (const next of below.get(one) ?? []) reached.add(next);
      expect([...reached], folder).not.toContain(folder);
    }
  });

  test('shared and events never import functions, infra or tests', () => {
    for (const file of [...below('shared'), ...below('events')])
      for (const name of imports.get(file) ?? []) expect(name, file).not.toMatch(/^(functions|infra|test)\//);
  });

  test('functions import neither an SDK, nor infra, nor each other', () => {
    for (const file of below('functions'))
      for (const name of imports.get(file) ?? [])
        expect(name, file).not.toMatch(/^(@aws-sdk|@smithy|@middy|node:|functions|infra|test)/);
  });

  test('no code of the service reads the tests', () => {
    for (const file of product)
      for (const name of imports.get(file) ?? []) expect(name, file).not.toMatch(/^test\/|^vitest/);
  });

  test('only the table speaks to DynamoDB', () => {
    const outside = [...below('shared'), ...below('events'), ...below('functions')].filter(
      (file) => !file.startsWith('shared/table/'),
    );
    for (const file of outside)
      expect(textOf(file), file).not.toMatch(/^import (?!type)[^;]*'@aws-sdk\/(client|lib)-dynamodb'/m);
  });

  test('commands of the client of documents, which the table’s own client would take for its first, are in tests alone', () => {
    expect(filesWith(product, (file) => everyImportOf(file).includes('@aws-sdk/lib-dynamodb'))).toEqual([]);
  });

  test('nothing scans the table', () => {
    for (const file of [...below('shared'), ...below('events'), ...below('functions')])
      expect(textOf(file), file).not.toMatch(/\bScanCommand\b/);
  });

  test('only the keys module puts a key together', () => {
    const builders = filesWith([...below('shared'), ...below('events'), ...below('functions')], (file) =>
      /['"`][A-Z]{2,}#|#\$\{/.test(textOf(file).replaceAll(/\/\*[\s\S]*?\*\//g, '')),
    );
    expect(builders).toEqual(['shared/table/keys.ts']);
  });

  test('only commit sends a transaction, and it asks for the events', () => {
    const senders = filesWith(product, (file) => textOf(file).includes('TransactWriteItemsCommand('));
    expect(senders).toEqual(['shared/table/transact.ts']);
  });

  test('environment variables are read where the process meets its surroundings, never in a handler or a rule', () => {
    for (const file of below('functions')) expect(textOf(file), file).not.toContain('process.env');
  });

  test('there is no cycle among the imports', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      const at = path.indexOf(file);
      if (at >= 0) cycles.push([...path.slice(at), file].join(' → '));
      if (at >= 0 || done.has(file)) return;
      for (const name of imports.get(file) ?? []) if (imports.has(name)) visit(name, [...path, file]);
      done.add(file);
    };
    for (const file of product) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

test('the bundles of the local runner are kept under a hash of every source that the build reads', () => {
  const read = [
    ...reach('infra/build/build.ts').keys(),
    ...product
      .filter((file) => /^(functions|events)\//.test(file))
      .flatMap((file) => [...reach(file).keys()]),
  ].filter((file) => sources.has(file) || file.startsWith('package'));
  const hashed = (file: string) =>
    hashedSources.some((source) => file === source || file.startsWith(`${source}/`));
  expect(read).toContain('infra/openapi/document.ts');
  expect(read).toContain('package.json');
  expect(read.filter((file) => !hashed(file))).toEqual([]);
});

describe('rules and contracts', () => {
  /** Pure over plain data and a given now: no client is ever loaded for their sake. */
  const pure = [
    ...product.filter((file) => /^shared\/[\w-]+\/(rules|schema)\.ts$/.test(file)),
    ...product.filter((file) => file.startsWith('shared/sla/') && !file.endsWith('/schema.ts')),
    'events/routing.ts',
    'shared/accounts/policy-of.ts',
    'shared/applications/assess-risk.ts',
    'shared/applications/document-requirements.ts',
    'shared/applications/readiness.ts',
    'shared/applications/sealed-faults.ts',
    'shared/applications/validate-application.ts',
    'shared/errors.ts',
    'shared/events/changes.ts',
    'shared/events/catalogue.ts',
    'shared/events/kinds.ts',
    'shared/events/subject-types.ts',
    'shared/events/subject.ts',
    'shared/http/body.ts',
    'shared/http/list-view.ts',
    'shared/http/routes.ts',
    'shared/id/mint.ts',
    'shared/leads/team-and-source.ts',
    'shared/round-robin/turn.ts',
    'shared/schema.ts',
    'shared/security/permissions.ts',
    'shared/table/keys.ts',
    'shared/table/revise.ts',
    'shared/ticket-rotations/simulate.ts',
  ];
  test.each(pure)('%s reaches no SDK', (file) => {
    expect(product).toContain(file);
    expect(sdkWays(file)).toEqual([]);
  });

  test('a list and a change of an account reach no Temporal: only what reckons business time does', () => {
    const reckon = below('shared/sla').filter((file) =>
      [...reach(file).keys()].some((name) => name.startsWith('temporal-polyfill')),
    );
    expect(reckon.map((file) => basename(file)).sort()).toEqual([
      'advance-clock.ts',
      'business-time.ts',
      'explain-clock.ts',
      'fold-clock.ts',
      'open-intervals.ts',
      'zone-offsets.ts',
    ]);
  });

  /** Files that export schemas, types and nothing that runs. */
  const schemas = below('shared').filter((file) => {
    const exported = [...textOf(file).matchAll(/^export (?:async )?(const|function|class) (\w+)/gm)];
    return (
      exported.length > 0 && exported.every(([, what, name = '']) => what === 'const' && /^[A-Z]/.test(name))
    );
  });

  test('a file of schemas reaches no SDK and no middy', () => {
    expect(schemas).toContain('shared/leads/schema.ts');
    for (const file of schemas) {
      expect(sdkWays(file), file).toEqual([]);
      expect(
        [...reach(file).keys()].filter((name) => name.startsWith('@middy')),
        file,
      ).toEqual([]);
    }
  });
});

describe('names', () => {
  test('no file and no folder has a name that says nothing', () => {
    const empty = /^(utils?|helpers?|common|service|services|managers?|misc|lib|index|types)$/;
    for (const file of product.filter((one) => !one.startsWith('functions/service/')))
      for (const part of file.replace(/\.ts$/, '').split('/')) expect(part, file).not.toMatch(empty);
  });

  test('files are named in lower case with dashes', () => {
    for (const file of files) expect(basename(file)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/);
  });
});

/** The fields of an object's schema. */
const propertiesOf = (schema: object = {}): object => (schema as { properties?: object }).properties ?? {};

/** Words of earlier versions, which have a plain one now. As names in the code and in README they stay gone. */
const retiredNames = [
  'beginTurn',
  'Passing',
  'Surroundings',
  'Asked',
  'Refusal',
  'refuses',
  'respondWith',
  'Change',
  'Tally',
  'Bare',
  'LostRace',
  'bury',
  'putNew',
  'putOver',
  'removeAt',
  'markNew',
  'pauseUnless',
  'readAuthority',
  'Identity',
  'PrincipalIdentity',
  'Caller',
  'home_only',
  'announces',
  'Announcement',
  'tellsOf',
  'placement',
  'changeMember',
];
/** Those of them that are no words of English, and so are gone from comments and texts too. */
const retiredEverywhere = [
  'beginTurn',
  'begin-turn',
  'LostRace',
  'putNew',
  'putOver',
  'removeAt',
  'markNew',
  'readAuthority',
  'home_only',
  'tellsOf',
  'changeMember',
  'change-member',
  'x-announces',
];
const wordOf = (words: string[]) => new RegExp(`(?<![\\w-])(${words.join('|')})(?![\\w-])`);
/** The code of a file without what is only read by people: comments, and texts in quotes. */
const namesIn = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gm, '');

describe('retired words', () => {
  const others = files.filter((file) => file !== 'test/architecture.test.ts');

  test('the reader of names drops comments and texts, and keeps the code', () => {
    const source = "/** A Turn. */ const a = 'it\\'s Turn'; // Turn\nfunction beginTurn() {}";
    expect(namesIn(source)).toContain('const a =');
    expect(namesIn(source).match(wordOf(retiredNames))?.[0]).toBe('beginTurn');
  });

  test('no identifier has a name that was retired', () => {
    for (const file of others)
      expect(namesIn(textOf(file)).match(wordOf(retiredNames))?.[0], file).toBeUndefined();
    // In a test it is node:crypto's own word.
    for (const file of product) expect(namesIn(textOf(file)), file).not.toMatch(/\bpublicKey\b/);
  });

  test('no comment, text or file name has a retired word of our own', () => {
    const texts = [...others.map(textOf), readFileSync(join(root, 'README.md'), 'utf8')];
    for (const text of texts) expect(text.match(wordOf(retiredEverywhere))?.[0]).toBeUndefined();
    for (const file of files)
      expect(basename(file, '.ts')).not.toMatch(/^(act|begin-turn|refusals?|placement|change-member)$/);
  });

  test('README has none of the names that were retired', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').match(wordOf(retiredNames))?.[0]).toBeUndefined();
  });
});

describe('a noun', () => {
  const stores = below('shared').filter((file) => file.endsWith('/store.ts'));
  const nounsOf = (file: string) =>
    [...textOf(file).matchAll(/recordStore<[^{]*\{\s*noun: '(\w+)'/g)].map(([, noun = '']) => noun);
  const nouns = stores.flatMap(nounsOf);

  test('has one store, and no two stores share one', () => {
    expect(nouns).toContain('LEAD');
    expect(nouns.filter((noun, index) => nouns.indexOf(noun) !== index)).toEqual([]);
    const declared = below('shared').flatMap((file) => [...textOf(file).matchAll(/= recordStore</g)]);
    expect(declared).toHaveLength(nouns.length);
  });

  test('is no partition that the keys use for something else', () => {
    const taken = [...textOf('shared/table/keys.ts').matchAll(/tenant\(\w+, '([A-Z]+)'/g)].map(
      ([, word]) => word,
    );
    expect(taken).toContain('EVENT');
    for (const noun of nouns) expect(taken).not.toContain(noun);
  });

  test('that code names has a store', () => {
    for (const file of files)
      for (const [, noun] of textOf(file).matchAll(
        /\b(?:recordKey|listKey|auditKey|listPartition|takeTurn|standingsOf)\([^()']*'([A-Z]+)'/g,
      ))
        expect(nouns, file).toContain(noun);
  });
});

describe('types', () => {
  /** Where a type is overruled, how often, and why: only tests that send what the types forbid, or stand in for AWS. */
  const allowed: Record<string, number> = {
    // An input for whatever endpoint.
    'test/costs/every-endpoint.ts': 1,
    // Items as they are on the wire.
    'test/costs/meter.ts': 2,
    // Lambda without a context.
    'test/docs/built-document.test.ts': 1,
    // Stream records of the SDK for the table, in its types.
    'test/events/audit.test.ts': 1,
    // Every kind with made-up data.
    'test/events/catalogue.test.ts': 4,
    // Stream records of the SDK for the table, in its types.
    'test/events/consumer.test.ts': 2,
    // Requests that must be rejected.
    'test/functions/accounts.test.ts': 1,
    'test/functions/apikeys.test.ts': 1,
    'test/functions/lead-life.test.ts': 1,
    'test/functions/lead-rotations.test.ts': 1,
    'test/functions/leads.test.ts': 1,
    'test/functions/reach.test.ts': 1,
    'test/functions/ticket-rotations.test.ts': 2,
    // A Lambda without a context.
    'test/functions/service.test.ts': 1,
    // Requests that must be rejected.
    'test/functions/users.test.ts': 1,
    'test/http/bodies.test.ts': 2,
    'test/http/responses.test.ts': 1,
    // Settings of a wrong type.
    'test/local/settings.test.ts': 1,
  };

  test('are overruled by `never`, `unknown` or `any` in the listed tests and nowhere else', () => {
    const found = files.map((file) => {
      const code = textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/(?! biome-ignore).*|'[^'\n]*'/g, '');
      return [file, code.match(/\bas (?:never|unknown as)\b|noExplicit[A]ny/g)?.length ?? 0] as const;
    });
    expect(Object.fromEntries(found.filter(([, count]) => count > 0))).toEqual(allowed);
  });
});

describe('an endpoint', async () => {
  const endpoints = await loadEndpoints();

  test('is the one thing its file exports, and the file is named verb-noun', () => {
    for (const { file } of endpoints) {
      expect(file).toMatch(/^functions\/[a-z-]+\/[a-z]+(-[a-z]+)+\.ts$/);
      expect(textOf(file).match(/^export /gm), file).toHaveLength(1);
      expect(textOf(file), file).toMatch(
        /^export default (endpoint|listing|listingAsSeen|listingForPrincipal|arrayListing|partedListing|builtDocument|createRecord|readRecord|deleteRecord|patchRecord|createRotation|patchRotation|memberEndpoint|listDocuments|requestUpload|completeUpload|reviewDocument|deleteDocument|linkDocument)\(/m,
      );
    }
  });

  test('has a route of its own', () => {
    const routes = endpoints.map(({ endpoint: { contract } }) =>
      `${contract.method} ${contract.path}`.replaceAll(/\{\w+\}/g, '{}'),
    );
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test('names every parameter of its path in its schema, and no other', () => {
    for (const { file, endpoint } of endpoints) {
      const inPath = [...endpoint.contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(propertiesOf(endpoint.contract.params)).sort(), file).toEqual(inPath.sort());
    }
  });

  test('that reads announces nothing but what it showed, and writes nothing', () => {
    const shows = ['application_sensitive_data_revealed', 'file_requested'];
    for (const { file, endpoint } of endpoints)
      if (endpoint.contract.method === 'GET') {
        expect(shows, file).toEqual(expect.arrayContaining([...(endpoint.contract.emits ?? [])]));
        expect(endpoint.contract.writes, file).toBeUndefined();
      }
  });

  test('decides in at most 40 lines, and catches nothing', () => {
    for (const { file } of endpoints) {
      const behaviour =
        textOf(file)
          .split(/^ {2}\{$/m)
          .at(-1) ?? '';
      expect(behaviour.trim().split('\n').length, file).toBeLessThanOrEqual(40);
      expect(textOf(file), file).not.toMatch(/\bcatch\b/);
    }
  });
});
