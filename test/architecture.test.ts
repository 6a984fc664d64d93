import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadEndpoints, root } from '../infra/build/endpoints.ts';
import { sources as hashedSources } from '../infra/local/bundles.ts';
import { parents, portalPages } from '../shared/resources/derived.ts';
import { keyWord } from '../shared/resources/key-word.ts';

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

/** The imports of a file at runtime, as file paths and package names. Type imports are not included. */
const importsOf = (file: string): string[] =>
  importStatements(file).map(({ fixed, dynamic }) => pathOf(file, fixed ?? dynamic ?? ''));

/** The imports that are loaded together with a file. */
const staticImportsOf = (file: string): string[] =>
  importStatements(file).flatMap(({ fixed }) => (fixed === undefined ? [] : [pathOf(file, fixed)]));

const pathOf = (file: string, name: string): string =>
  name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name;

function importStatements(file: string): { fixed?: string; dynamic?: string }[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements]
    .filter(
      ([statement]) => !/^(?:import|export)\s+\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}/.test(statement),
    )
    .map(([, fixed, dynamic]) => ({ fixed, dynamic }));
}
const imports = new Map(files.map((file) => [file, importsOf(file)]));

/** Maps a file to '', and each of its direct and indirect imports to a file that imports it. */
function reach(file: string, next = (one: string) => imports.get(one) ?? []): Map<string, string> {
  const reached = new Map([[file, '']]);
  for (const [current] of reached)
    for (const name of next(current)) if (!reached.has(name)) reached.set(name, current);
  return reached;
}

/** The imports of a file, including types. */
const everyImportOf = (file: string): string[] =>
  [
    ...textOf(file).matchAll(
      /^(?:import|export|declare module)\b[^'";]*'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
    ),
  ].map(([, fixed, dynamic]) => relative(root, join(root, dirname(file), fixed ?? dynamic ?? '')));

/** The layers of the service, lowest first. A file imports only files of its own and of lower layers. */
const order = [
  'shared/id',
  'shared',
  'shared/search',
  'shared/resources',
  'shared/sla',
  'shared/table',
  'shared/events',
  'shared/security',
  'shared/accounts',
  'shared/channels',
  'shared/work-queue',
  'shared/integrity',
  'shared/endpoints',
  'shared/body-capture',
  'shared/people',
  'shared/rotations',
  'shared/documents',
  'shared/messaging',
  'shared/domains',
  'shared/single-sign-on',
  'shared/sales',
  'shared/support',
  'shared/provisioning',
  'shared/billing',
  'shared/correspondence',
  'shared/residuals',
  'shared/partner',
  'shared/child-accounts',
  'shared/saved-views',
  'shared/closing',
  'shared/http',
  'events',
  'functions',
  'infra',
];

test('shared/README.md lists the folders of shared/ in the order of the layers, highest layer first', () => {
  const text = readFileSync(join(root, 'shared', 'README.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, folder]) => `shared/${folder}`);
  expect(listed).toEqual(order.filter((folder) => folder.startsWith('shared/')).reverse());
});

const isIn = (folder: string, file: string): boolean =>
  folder === 'shared' ? /^shared\/[\w-]+\.ts$/.test(file) : file.startsWith(`${folder}/`);
const placeOf = (file: string): number => order.findLastIndex((folder) => isIn(folder, file));
const folderOf = (file: string): string => file.split('/').slice(0, -1).join('/');

const isSdk = (name: string): boolean => name.startsWith('@aws-sdk/') || name.startsWith('@smithy/');
/** The chain of imports that leads to a module: `a ← b ← c`. */
function chainTo(name: string, reached: Map<string, string>): string {
  const importer = reached.get(name);
  return importer ? `${name} ← ${chainTo(importer, reached)}` : name;
}
const sdkImports = (file: string): string[] => {
  const reached = reach(file);
  return [...reached.keys()].filter(isSdk).map((name) => chainTo(name, reached));
};
const below = (folder: string) => product.filter((file) => file.startsWith(`${folder}/`));
const filesWith = (all: string[], condition: (file: string) => boolean) => all.filter(condition);

describe('the layers', () => {
  test('the imports of a file are found', () => {
    expect(imports.get('functions/leads/create-lead.ts')).toContain('shared/sales/leads/store.ts');
    expect(imports.get('shared/table/client.ts')).toContain('@aws-sdk/client-dynamodb');
    expect(imports.get('shared/table/keys.ts')).toEqual([]);
  });

  test('every folder of the service belongs to a layer', () => {
    for (const file of product) expect(placeOf(file), file).toBeGreaterThanOrEqual(0);
    for (const folder of order)
      expect(
        product.some((file) => placeOf(file) === order.indexOf(folder)),
        folder,
      ).toBe(true);
  });

  test('a file imports only files and types of its own layer and of lower layers', () => {
    for (const file of product)
      for (const name of everyImportOf(file).filter((one) => sources.has(one)))
        expect(placeOf(name), `${file} imports ${name}`).toBeLessThanOrEqual(placeOf(file));
  });

  test('the folders of shared/ do not import each other in a cycle, even with type imports', () => {
    const below = new Map<string, Set<string>>();
    for (const file of product)
      for (const name of everyImportOf(file).filter((one) => sources.has(one)))
        if (folderOf(name) !== folderOf(file))
          below.set(folderOf(file), (below.get(folderOf(file)) ?? new Set()).add(folderOf(name)));
    for (const folder of [...below.keys()].filter((one) => one.startsWith('shared/'))) {
      const reached = new Set(below.get(folder));
      for (const one of reached) for (const next of below.get(one) ?? []) reached.add(next);
      expect([...reached], folder).not.toContain(folder);
    }
  });

  test('only shared/table/ calls DynamoDB', () => {
    const outside = [...below('shared'), ...below('events'), ...below('functions')].filter(
      (file) => !file.startsWith('shared/table/'),
    );
    for (const file of outside)
      expect(textOf(file), file).not.toMatch(/^import (?!type)[^;]*'@aws-sdk\/(client|lib)-dynamodb'/m);
  });

  test('only the export and the erasure of closed accounts scan the table, in a schedule', () => {
    const service = [...below('shared'), ...below('events'), ...below('functions')];
    const scanning = filesWith(service, (file) => /\bScanCommand\b/.test(textOf(file)));
    expect(scanning).toEqual(['shared/table/scan-pages.ts']);
    const entries = [...below('events/consumers'), ...below('events/schedules'), ...below('functions')];
    expect(filesWith(entries, (file) => reach(file).has('shared/table/scan-pages.ts'))).toEqual([
      'events/schedules/account-closings.ts',
    ]);
  });

  describe('a key', () => {
    const service = [...below('shared'), ...below('events'), ...below('functions')];
    const codeOf = (file: string) => textOf(file).replaceAll(/\/\*[\s\S]*?\*\//g, '');

    test('is built only in files named keys.ts, store.ts or due-keys.ts', () => {
      const builders = filesWith(service, (file) =>
        /['"`][A-Z]{2,}#|#\$\{|\b(?:tenantPartition|partitionAcrossAccounts)\(/.test(codeOf(file)),
      );
      expect(builders.length).toBeGreaterThan(10);
      // The declarations of resources only describe keys.
      expect(
        builders.filter((file) => !/^shared\/(?:resources\/|.*\/(?:keys|store|due-keys)\.ts$)/.test(file)),
      ).toEqual([]);
    });

    test('gets its partition from shared/table/keys.ts, the only file that adds the account to a partition', () => {
      const writers = filesWith(service, (file) => /\[['"`]ACCOUNT['"`#]|['"`]ACCOUNT#/.test(codeOf(file)));
      expect(writers).toEqual(['shared/table/keys.ts']);
      expect(filesWith(service, (file) => /\b\w*[pP]k: *['"`[]/.test(codeOf(file)))).toEqual([]);
    });

    test('without an account is built by a function with AcrossAccounts in its name', () => {
      for (const file of service)
        for (const [, name = ''] of codeOf(file).matchAll(
          /^export (?:const|function) (\w+)(?:(?!^export)[\s\S])*?\bpartitionAcrossAccounts\(/gm,
        ))
          if (name !== 'partitionAcrossAccounts') expect(name, file).toMatch(/AcrossAccounts/);
    });
  });

  test('only shared/table/transact.ts sends transactions', () => {
    const senders = filesWith(product, (file) => textOf(file).includes('TransactWriteItemsCommand('));
    expect(senders).toEqual(['shared/table/transact.ts']);
  });

  test('files do not import each other in a cycle, even with type imports', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      const at = path.indexOf(file);
      if (at >= 0) cycles.push([...path.slice(at), file].join(' → '));
      if (at >= 0 || done.has(file)) return;
      for (const name of everyImportOf(file)) if (sources.has(name)) visit(name, [...path, file]);
      done.add(file);
    };
    for (const file of product) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

test('the local service and the operators’ commands do not import each other, but only files below both', () => {
  const upper = ['infra/local/', 'infra/operations/'];
  const importsOfFolder = (folder: string) => below(folder).flatMap(everyImportOf);
  expect(importsOfFolder('infra/local').filter((file) => file.startsWith('infra/operations/'))).toEqual([]);
  expect(importsOfFolder('infra/operations').filter((file) => file.startsWith('infra/local/'))).toEqual([]);
  const shared = importsOfFolder('infra/administration');
  expect(shared.length).toBeGreaterThan(10);
  expect(shared.filter((file) => upper.some((folder) => file.startsWith(folder)))).toEqual([]);
});

test('the declarations of the operators’ commands load neither the SDK nor typebox, so that --help is fast', () => {
  const reached = reach('infra/operations/ops.ts', staticImportsOf);
  expect([...reached.keys()]).toContain('infra/operations/commands/dead-letters.ts');
  const slow = [...reached.keys()].filter((name) => isSdk(name) || name === 'typebox');
  expect(slow.map((name) => chainTo(name, reached))).toEqual([]);
});

test('operators’ commands print only through print.ts, which escapes control characters, and the progress bar', () => {
  const printers = product.filter(
    (file) =>
      file.startsWith('infra/operations/') && /process\.std(?:out|err)\.write|console\./.test(textOf(file)),
  );
  expect(printers).toEqual([]);
});

test('the cache key of the local runner’s bundles depends on all sources that the build reads', () => {
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
  /** Files with pure functions. They must not load an AWS client. */
  const pure = [
    ...product.filter((file) => /^shared\/([\w-]+\/)+(rules|schema)\.ts$/.test(file)),
    ...product.filter((file) => /^shared\/.*\/(due-)?keys\.ts$/.test(file)),
    ...product.filter((file) => file.startsWith('shared/sla/') && !file.endsWith('/schema.ts')),
    'events/routing.ts',
    'shared/accounts/policy-of.ts',
    'shared/sales/applications/underwriting/assess-risk.ts',
    'shared/sales/applications/completeness/document-requirements.ts',
    'shared/sales/applications/completeness/readiness.ts',
    'shared/sales/applications/completeness/value-faults.ts',
    'shared/sales/applications/completeness/validate-application.ts',
    'shared/sales/value-checks/formats.ts',
    'shared/sales/value-checks/sensitive-faults.ts',
    'shared/sales/value-checks/split-name.ts',
    'shared/errors.ts',
    'shared/events/changes.ts',
    'shared/events/kinds.ts',
    'shared/events/subject.ts',
    'shared/http/body.ts',
    'shared/endpoints/list-view.ts',
    'shared/endpoints/routes.ts',
    'shared/id/mint.ts',
    'shared/sales/leads/team-and-source.ts',
    'shared/resources/derived.ts',
    'shared/rotations/turn.ts',
    'shared/schema.ts',
    'shared/security/permissions.ts',
    'shared/table/revise.ts',
    'shared/support/ticket-rotations/simulate.ts',
  ];
  test.each(pure)('%s does not import the SDK', (file) => {
    expect(product).toContain(file);
    expect(sdkImports(file)).toEqual([]);
  });

  test('in shared/sla, only the files that compute business time import Temporal', () => {
    const computing = below('shared/sla').filter((file) =>
      [...reach(file).keys()].some((name) => name.startsWith('temporal-polyfill')),
    );
    expect(computing.map((file) => basename(file)).sort()).toEqual([
      'advance-clock.ts',
      'business-time.ts',
      'explain-clock.ts',
      'fold-clock.ts',
      'open-intervals.ts',
      'zone-offsets.ts',
    ]);
  });

  /** Files that export only schemas and types. */
  const schemas = below('shared').filter((file) => {
    const exported = [...textOf(file).matchAll(/^export (?:async )?(const|function|class) (\w+)/gm)];
    return (
      exported.length > 0 && exported.every(([, what, name = '']) => what === 'const' && /^[A-Z]/.test(name))
    );
  });

  test('a file of schemas imports neither the SDK nor middy', () => {
    expect(schemas).toContain('shared/sales/leads/schema.ts');
    for (const file of schemas) {
      expect(sdkImports(file), file).toEqual([]);
      expect(
        [...reach(file).keys()].filter((name) => name.startsWith('@middy')),
        file,
      ).toEqual([]);
    }
  });
});

describe('names', () => {
  test('no file or folder has a meaningless name', () => {
    const meaningless = /^(utils?|helpers?|common|service|services|managers?|misc|lib|index|types)$/;
    for (const file of product.filter((one) => !one.startsWith('functions/service/')))
      for (const part of file.replace(/\.ts$/, '').split('/')) expect(part, file).not.toMatch(meaningless);
  });

  test('an exported name is declared in only one file of the product', () => {
    const declared = new Map<string, Set<string>>();
    for (const file of product.filter((one) => !one.endsWith('.d.ts')))
      for (const [, name = ''] of textOf(file).matchAll(
        /^export (?:async )?(?:interface|type|class|const|function\*?) (\w+)/gm,
      ))
        declared.set(name, (declared.get(name) ?? new Set()).add(file));
    expect(declared.size).toBeGreaterThan(1000);
    const repeated = [...declared].filter(([, places]) => places.size > 1);
    expect(repeated.map(([name, places]) => `${name}: ${[...places].join(', ')}`)).toEqual([]);
  });
});

const propertiesOf = (schema: object = {}): object => (schema as { properties?: object }).properties ?? {};

describe('the name of a record type in keys', () => {
  const stores = below('shared').filter((file) => file.endsWith('/store.ts'));
  const nounsOf = (file: string) =>
    [...textOf(file).matchAll(/recordStore<[^{]*\{\s*resource: '(\w+)'(?:,\s*noun: '(\w+)')?/g)].map(
      ([, name = '', noun]) => noun ?? keyWord(name),
    );
  const nouns = stores.flatMap(nounsOf);

  test('belongs to exactly one store', () => {
    expect(nouns).toContain('LEAD');
    expect(nouns.filter((noun, index) => nouns.indexOf(noun) !== index)).toEqual([]);
    for (const file of below('shared')) {
      const calls = textOf(file).match(/(?<!function |typeof )\brecordStore</g) ?? [];
      const found = stores.includes(file) ? nounsOf(file) : [];
      expect(
        found,
        `${file}: call recordStore<…>({ resource: '…', … }) only in a store.ts, with resource as the first field`,
      ).toHaveLength(calls.length);
    }
  });

  test('is derived from a declared resource', () => {
    for (const file of below('shared'))
      for (const [, name = ''] of textOf(file).matchAll(/(?:record|child)Store<[^{]*\{\s*resource: '(\w+)'/g))
        expect(Object.keys(portalPages), file).toContain(name);
  });

  test('of the parent of a child store is declared with the child', () => {
    for (const file of below('shared'))
      for (const [, child = '', parent = ''] of textOf(file).matchAll(
        /childStore<[^{]*\{\s*resource: '(\w+)',\s*parent: '(\w+)'/g,
      ))
        expect(parents[parent]?.childKinds, `${file}: ${parent} must declare the child ${child}`).toContain(
          keyWord(child),
        );
  });

  test('is not the name of another partition', () => {
    const taken = below('shared').flatMap((file) =>
      [...textOf(file).matchAll(/tenantPartition\(\w+, '([A-Z]+)'/g)].map(([, word]) => word),
    );
    expect(taken).toContain('EVENT');
    for (const noun of nouns) expect(taken).not.toContain(noun);
  });

  test('belongs to a store if code builds keys with it', () => {
    for (const file of files)
      for (const [, noun] of textOf(file).matchAll(
        /\b(?:recordKey|listKey|auditKey|listPartition|takeTurn|progressOf)\([^()']*'([A-Z]+)'/g,
      ))
        expect(nouns, file).toContain(noun);
  });
});

describe('an endpoint', async () => {
  const endpoints = await loadEndpoints();

  test('is the only export of its file, and the file name is a verb and a noun', () => {
    for (const { file } of endpoints) {
      expect(file).toMatch(/^functions\/[a-z-]+\/[a-z]+(-[a-z]+)+\.ts$/);
      expect(textOf(file).match(/^export /gm), file).toHaveLength(1);
      expect(textOf(file), file).toMatch(
        /^export default (endpoint|listing|listingForPrincipal|arrayListing|restrictedListing|builtDocument|createRecord|readRecord|deleteRecord|patchRecord|createRotation|patchRotation|memberEndpoint|accessEndpoint|removalEndpoint|listDocuments|requestUpload|completeUpload|reviewDocument|deleteDocument|linkDocument|putOwner|putParticipants|revealEventBody|rulingEndpoint|qualificationEndpoint)\(/m,
      );
    }
  });

  test('has a unique route', () => {
    const routes = endpoints.map(({ endpoint: { contract } }) =>
      `${contract.method} ${contract.path}`.replaceAll(/\{\w+\}/g, '{}'),
    );
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  test('has a schema with exactly the parameters of its path', () => {
    for (const { file, endpoint } of endpoints) {
      const inPath = [...endpoint.contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(propertiesOf(endpoint.contract.params)).sort(), file).toEqual(inPath.sort());
    }
  });

  test('has at most 60 lines and no catch block', () => {
    for (const { file } of endpoints) {
      expect(textOf(file).trim().split('\n').length, file).toBeLessThanOrEqual(60);
      expect(textOf(file), file).not.toMatch(/\bcatch\b/);
    }
  });
});
