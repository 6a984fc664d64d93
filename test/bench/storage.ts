import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { contents } from '../../infra/administration/data-folder-contents.ts';
import { sendOne } from './http-load.ts';
import { type Service, skipTeam, startLocalService } from './local-service.ts';
import type { Row } from './rows.ts';

/** The record types, with the path and the body of a request that creates the `n`th record. */
export const kinds = {
  lead: {
    path: `/leads${skipTeam}`,
    body: (n: number) => ({
      ...{ firstName: 'Ada', lastName: `Byron ${n}`, email: 'ada@example.com', phone: '+1 415 555 0134' },
      ...{ company: 'Harbor Street Coffee', notes: 'Call after the lunch rush.' },
    }),
  },
  ticket: {
    path: '/tickets',
    body: (n: number) => ({
      ...{ subject: `Printer ${n}`, description: 'The printer prints nothing.', category: 'technical' },
      ...{ requesterType: 'external', requesterId: 'ada', requesterName: 'Ada Byron' },
      requesterEmail: 'ada@example.com',
    }),
  },
  application: {
    path: '/applications',
    body: (n: number) => ({
      basics: {
        dbaName: `Harbor ${n}`,
        dbaContact: 'Ada Byron',
        dbaEmail: 'ada@example.com',
        dbaCity: 'Oakland',
      },
      businessOwners: [{ name: 'Ada Byron' }],
    }),
  },
};

/**
 * Measures the bytes that `npm start` stores for one record of each type: those of DynamoDB's items, with events, audit
 * entries and index items, and those of the data file after a restart.
 */
export async function measureStorage(count: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [kind, { path, body }] of Object.entries(kinds)) {
    const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-bench-'));
    try {
      await restart(folder);
      const before = await sizesIn(folder);
      const service = await startLocalService(folder);
      await create(service, path, count, body).finally(service.stop);
      await restart(folder);
      const after = await sizesIn(folder);
      const each = (of: (sizes: Sizes) => number) => Math.round((of(after) - of(before)) / count);
      rows.push({
        part: 'storage',
        measure: `bytes of one ${kind} with its events and audit entries`,
        result: `${each(({ items, index }) => items - index)} in the table, and ${each(({ index }) => index)} in the search index; ${each(({ file }) => file)} in the data file`,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

/** Creates records, and waits until the last one has been processed: its index items are written last. */
async function create(
  { url, headers }: Service,
  path: string,
  count: number,
  body: (n: number) => object,
): Promise<void> {
  const post = { method: 'POST', url: `${url}${path}`, headers };
  for (let n = 1; n <= count; n++) await sendOne(undefined, post, JSON.stringify(body(n)));
  const list = { method: 'GET', url: `${url}/search?q=${count}`, headers };
  for (let tries = 0; tries < 100; tries++) {
    const groups = Object.values(JSON.parse(await sendOne(undefined, list))) as unknown[][];
    if (groups.some(({ length }) => length > 0)) break;
    await setTimeout(200);
  }
  await setTimeout(3000);
}

/** Starts and stops the service, which deletes processed stream records from the data file. */
const restart = async (folder: string): Promise<void> => (await startLocalService(folder)).stop();

interface Sizes {
  items: number;
  index: number;
  file: number;
}

async function sizesIn(folder: string): Promise<Sizes> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const db = new sqlite.Database(join(folder, contents.table), { fileMustExist: true });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const isIndex = `json_extract(item_json, '$.type.S') IN ('search-index', 'search-entries')`;
    const found = db.get(
      `SELECT SUM(item_size) AS items, SUM(CASE WHEN ${isIndex} THEN item_size ELSE 0 END) AS indexed FROM "merchant-ops-local"`,
    );
    const pages = db.get(
      'SELECT (SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count) AS n',
    );
    const size = db.get('SELECT page_size AS n FROM pragma_page_size');
    return {
      items: Number(found?.items),
      index: Number(found?.indexed),
      file: Number(pages?.n) * Number(size?.n),
    };
  } finally {
    db.close();
  }
}
