import { beforeAll, describe, expect, test } from 'vitest';
import { filterBy, listing } from '../../shared/endpoints/listing.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { mintId } from '../../shared/id/mint.ts';
import { array, integer, object, oneOf, optional, type Static, string } from '../../shared/schema.ts';
import type { ListSource } from '../../shared/table/list-source.ts';
import { recordFields } from '../../shared/table/record-fields.ts';
import { recordStore } from '../../shared/table/record-store.ts';
import { transact } from '../../shared/table/transact.ts';
import { countOf, viewedBy, viewOf } from '../../shared/table/views.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { inQuietMinute } from '../harness/quiet-minute.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

const phases = ['open', 'waiting', 'done'] as const;
const Task = object({
  ...recordFields,
  phase: oneOf(phases),
  urgency: oneOf(['low', 'medium', 'high', 'urgent']),
  worker: optional(string({ examples: ['1'] })),
  labels: array(string({ examples: ['vip'] })),
  /** Computed when it is read. */
  age: optional(oneOf(['young', 'old'])),
  minutes: integer({ examples: [1] }),
});
type Task = Static<typeof Task>;

const holderOf = ({ worker }: Task) => worker ?? 'none';
const tasks = recordStore<Task, 'task'>({
  noun: 'TASK',
  subject: 'task',
  views: viewedBy({
    state: ({ phase }) => [phase],
    holder: (task) => [holderOf(task), task.phase],
    countedAs: (task) => [{ of: task.phase }, { of: task.phase, within: ['BY', holderOf(task)] }],
  }),
});

const listTasks = listing(
  {
    path: '/tasks',
    permission: 'readLeads',
    item: Task,
    filters: ['phase', 'urgency', 'labels', 'age', 'createdBy'],
    customFilters: {
      worker: filterBy(array(string()), (task: Task, workers) => workers.includes(holderOf(task))),
    },
    sorts: ['createdAt', 'urgency', 'phase', 'minutes', 'age'],
    searchable: ['createdBy'],
    indexed: ['phase', 'worker'],
    partitions: ({ phase = [], worker = [] }) => (phase.length || phases.length) * (worker.length || 1),
    summary: 'List tasks',
  },
  ({ account, now }, answered) => {
    const source = sourceOf(account, answered);
    return {
      ...source,
      async newest(bounds) {
        const { items, cut } = await source.newest(bounds);
        return { items: items.map((task) => withAge(task, now)), cut };
      },
    };
  },
);

const withAge = (task: Task, now: Date): Task => ({
  ...task,
  age: now.getTime() - Date.parse(task.createdAt) > 36_000_000 ? 'old' : 'young',
});

function sourceOf(
  account: AccountId,
  { phase = phases, worker }: { phase?: readonly Task['phase'][]; worker?: readonly string[] },
): ListSource<Task> {
  const held = worker?.flatMap((one) => phase.map((of) => ({ of, within: ['BY', one] })));
  if (held) {
    const partitions = held.map(({ of, within }) => [within[1] ?? '', of]);
    return viewOf<Task>(tasks, account, 'holder', partitions, () => countOf(tasks, account, held));
  }
  if (phase === phases) return tasks.listOf(account);
  const states = phase.map((of) => [of]);
  return viewOf<Task>(tasks, account, 'state', states, () =>
    countOf(
      tasks,
      account,
      phase.map((of) => ({ of })),
    ),
  );
}

let ada: Tenant;
let busy: Tenant;
const made: Task[] = [];

const taskOf = (accountId: AccountId, n: number): Task => ({
  id: mintId(clock.now()),
  accountId,
  version: 1,
  createdAt: new Date(clock.now().getTime() - (n % 2) * 72_000_000).toISOString(),
  createdBy: n % 3 === 0 ? 'grace@example.com' : 'alan@example.com',
  updatedAt: clock.now().toISOString(),
  phase: phases[n % 3] ?? 'open',
  urgency: (['urgent', 'low', 'high', 'medium'] as const)[n % 4] ?? 'low',
  ...(n % 5 > 1 && { worker: String(n % 5) }),
  labels: n % 7 === 0 ? ['vip', 'late'] : n % 2 === 0 ? ['late'] : [],
  minutes: n,
});
const seed = async ({ accountId }: Tenant, count: number, keep?: Task[]) => {
  for (let n = 0; n < count; n++) {
    const task = taskOf(accountId, n);
    await transact(tasks.insert(task), Date.now() + 30_000);
    keep?.unshift(task);
  }
};
beforeAll(async () => {
  [ada, busy] = [await tenant(), await tenant()];
  await seed(ada, 60, made);
  await seed(busy, 150);
});

const list = async (query: object) => {
  const { status, headers, body } = await ada.key.call(listTasks, { query: { pageSize: 100, ...query } });
  expect(status, JSON.stringify(body)).toBe(200);
  return {
    ids: body.data.map(({ id }) => id),
    total: body.totalCount,
    window: headers['x-list-window'],
    body,
  };
};
const idsWhere = (holds: (task: Task) => boolean) => made.filter(holds).map(({ id }) => id);
describe('filters that an index answers', () => {
  const views: [string, object, (task: Task) => boolean][] = [
    ['one state', { phase: 'open' }, ({ phase }) => phase === 'open'],
    ['several states', { phase: ['open', 'done'] }, ({ phase }) => phase !== 'waiting'],
    ['a state that was sent twice', { phase: ['open', 'open'] }, ({ phase }) => phase === 'open'],
    ['one holder', { worker: '3' }, ({ worker }) => worker === '3'],
    ['what nobody holds', { worker: 'none' }, ({ worker }) => worker === undefined],
    [
      'several holders and states',
      { worker: ['none', '4'], phase: ['waiting', 'done'] },
      ({ worker, phase }) => (worker === undefined || worker === '4') && phase !== 'open',
    ],
    ['a holder who holds nothing', { worker: 'somebody' }, () => false],
  ];

  test.each(views)('%s are listed newest first with their exact total', async (_, query, holds) => {
    const expected = idsWhere(holds);
    const { ids, total } = await list(query);
    expect([ids, total]).toEqual([expected, expected.length]);
    const second = await list({ ...query, page: 2, pageSize: 3 });
    expect([second.ids, second.total]).toEqual([expected.slice(3, 6), expected.length]);
  });

  test.each(views)(
    '%s cost one round trip and as much as in an account with more of them',
    async (_, query) => {
      const cost = async ({ key }: Tenant) => {
        await inQuietMinute(() => key.ok(listTasks, {}));
        const { result, requests, sequence, exchanges } = await measure(() =>
          key.call(listTasks, { query: { ...query, pageSize: 2 } }),
        );
        expect(result.status).toBe(200);
        const items = exchanges.flatMap(({ operation, output }) =>
          operation === 'Query' ? ((output.Items ?? []) as Record<string, unknown>[]) : [],
        );
        return { requests, sequence, items: items.filter(({ type }) => type !== undefined).length };
      };
      const few = await cost(ada);
      expect(few.sequence).toBe(1);
      expect(await cost(busy)).toEqual(few);
    },
  );

  test('another filter, a search or an order is held against what the index answers, and not against all', async () => {
    const { ids, total } = await list({ phase: ['open', 'waiting'], createdBy: 'grace@example.com' });
    const expected = idsWhere(
      ({ phase, createdBy }) => phase !== 'done' && createdBy === 'grace@example.com',
    );
    expect([ids, total]).toEqual([expected, expected.length]);
    const measured = await measure(() => list({ phase: 'done', sort: 'minutes' }));
    expect(measured.result.ids).toEqual(idsWhere(({ phase }) => phase === 'done').reverse());
    const indexes = measured.exchanges.flatMap(({ input }) => input.IndexName ?? []);
    expect(indexes).toEqual(['state']);
    expect((await list({ worker: '2', search: 'GRACE' })).ids).toEqual(
      idsWhere(({ worker, createdBy }) => worker === '2' && createdBy === 'grace@example.com'),
    );
  });

  test('values in more than 60 partitions are held against all records, and found all the same', async () => {
    const workers = Array.from({ length: 20 }, (_, n) => String(n));
    const indexesOf = async (query: object) => {
      const { result, exchanges } = await measure(() => list(query));
      const expected = idsWhere(({ worker }) => worker !== undefined);
      expect([result.ids, result.total]).toEqual([expected, expected.length]);
      return new Set(exchanges.flatMap(({ input }) => input.IndexName ?? []));
    };
    expect(await indexesOf({ worker: workers })).toEqual(new Set(['holder']));
    expect(await indexesOf({ worker: [...workers, '20'] })).toEqual(new Set(['list']));
  });

  test('filters that an index answers count as one call, and any other as ten', () => {
    const weigh = (query: object) => listTasks.contract.weigh?.({ page: 1, pageSize: 25, ...query });
    expect([weigh({}), weigh({ phase: ['open'] }), weigh({ phase: ['open'], worker: ['none'] })]).toEqual([
      1, 1, 1,
    ]);
    expect([
      weigh({ phase: ['open'], sort: 'minutes' }),
      weigh({ phase: ['open'], labels: ['vip'] }),
      weigh({ worker: Array.from({ length: 61 }, (_, n) => String(n)) }),
    ]).toEqual([10, 10, 10]);
  });
});

describe('a list', () => {
  test('a list is filtered by what a list in its records contains', async () => {
    expect((await list({ labels: 'late' })).ids).toEqual(idsWhere(({ labels }) => labels.includes('late')));
    expect((await list({ labels: ['vip', 'late'] })).ids).toEqual(
      idsWhere(({ labels }) => labels.length > 0),
    );
    expect((await list({ labels: 'vip,late' })).ids).toEqual([]);
  });

  test('a list is sorted by the rank of an enum, not by its letters', async () => {
    const urgencies = ['low', 'medium', 'high', 'urgent'];
    const { body } = await list({ sort: '-urgency,minutes' });
    expect(body.data.map(({ urgency, minutes }) => [urgency, minutes])).toEqual(
      made
        .map(({ urgency, minutes }) => [urgency, minutes] as const)
        .sort(([one, a], [other, b]) => urgencies.indexOf(other) - urgencies.indexOf(one) || a - b),
    );
  });

  test('a list shows, filters and sorts what depends on the time as of the request', async () => {
    const old = idsWhere(({ minutes }) => minutes % 2 === 1);
    expect((await list({ age: 'old' })).ids).toEqual(old);
    expect((await list({ phase: 'open', age: 'young' })).ids).toEqual(
      idsWhere(({ minutes, phase }) => phase === 'open' && minutes % 2 === 0),
    );
    const { body } = await list({ sort: 'age' });
    expect(body.data.map(({ age }) => age)).toEqual([...Array(30).fill('young'), ...Array(30).fill('old')]);
    expect((await list({})).body.data.map(({ age }) => age)).toContain('old');
  });
});
