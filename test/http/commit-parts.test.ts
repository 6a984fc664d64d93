import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { endpoint, type Request } from '../../shared/endpoints/endpoint.ts';
import { ApiError } from '../../shared/errors.ts';
import { commit } from '../../shared/events/outbox.ts';
import { array, object, optional, string } from '../../shared/schema.ts';
import { increment } from '../../shared/table/counters.ts';
import { putIfAbsent, putIfVersion } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { VersionConflict } from '../../shared/table/transact.ts';
import { logged } from '../harness/call.ts';
import { concurrently } from '../harness/concurrently.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';

const acme = await tenant();
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

let keys = 0;
const freshKey = () => ({ 'idempotency-key': `parts-${++keys}` });
const freshNames = (count: number) => Array.from({ length: count }, () => `n${++keys}`);
const rowOf = (name: string) => ({ pk: `ACCOUNT#TEST#PART#${name}`, sk: 'TEST' });
const versionOf = async (name: string) => Number((await getItem(rowOf(name)))?.version ?? 0);
const replayed = ({ headers }: { headers: Record<string, string> }) => headers['idempotency-replayed'];
const activated = async () =>
  (await storedEvents(acme.accountId)).filter(({ kind }) => kind === 'team_activated');

const contract = {
  method: 'POST',
  path: '/parts',
  permission: 'writeTeams',
  body: object({ names: array(string()), last: optional(string()) }),
  response: object({ results: array(string()) }),
  emits: ['team_activated'],
  errors: ['team_required', 'team_unknown'],
  commitsParts: true,
  summary: 'Change many',
} as const;
type Given = Request<typeof contract>;

const change = (name: string, version: number) => ({
  ...(version === 0
    ? putIfAbsent({ ...rowOf(name), version: 1 })
    : putIfVersion({ ...rowOf(name), version: version + 1 }, version)),
  change: { type: 'team', id: name, action: 'updated' as const },
});
const eventOf = (name: string) =>
  ({ kind: 'team_activated', subject: { type: 'team', id: name }, data: {} }) as const;

/** Repeats the read and the write of one part until the write succeeds or is rejected with an API error. */
async function part({ commit }: Given, name: string): Promise<string> {
  for (let attempts = 0; ; ) {
    try {
      await commit([change(name, await versionOf(name))], [eventOf(name)], { attempts });
      return `${name} changed`;
    } catch (error) {
      if (error instanceof ApiError) return `${name} ${error.code}`;
      if (!(error instanceof VersionConflict)) throw error;
      attempts = error.attempts;
    }
  }
}

let decided = 0;
const changeMany = endpoint({
  ...contract,
  decide: async (request: Given) => {
    decided += 1;
    const results = await Promise.all(request.body.names.map((name) => part(request, name)));
    const { last } = request.body;
    return {
      response: { results },
      writes: last ? [putIfAbsent({ ...rowOf(last), version: 1 })] : [],
      events: [],
    };
  },
});

/** Returns a list that collects the transactions sent from now on, as JSON. */
function transactions(): string[] {
  const sent: string[] = [];
  stops.push(
    watchWire({
      before: ({ invocation, operation, input }) =>
        invocation && operation === 'TransactWriteItems' && sent.push(JSON.stringify(input)),
    }),
  );
  return sent;
}

describe('an endpoint that commits parts', () => {
  test('each part is committed together with its events, and the idempotency row is committed last', async () => {
    const names = freshNames(3);
    const [headers, sent] = [freshKey(), transactions()];
    const first = await acme.key.call(changeMany, { headers, body: { names } });
    expect(first.body.results).toEqual(names.map((name) => `${name} changed`));
    expect(sent).toHaveLength(4);
    for (const name of names) {
      const [own = '', ...others] = sent.filter((text) => text.includes(rowOf(name).pk));
      expect(others).toEqual([]);
      expect(own).toContain('team_activated');
    }
    expect(sent.map((text) => text.includes('#IDEMPOTENCY#'))).toEqual([false, false, false, true]);
    const again = await acme.key.call(changeMany, { headers, body: { names } });
    expect([replayed(again), again.body]).toEqual(['true', first.body]);
    expect(sent).toHaveLength(4);
    expect(await Promise.all(names.map(versionOf))).toEqual([1, 1, 1]);
  });

  test('if a part loses a race, only this part is repeated', async () => {
    const [lost = '', other = ''] = freshNames(2);
    await commit({ writes: [change(lost, 0)], events: [], deadline: 0 });
    decided = 0;
    let meddled = false;
    stops.push(
      watchWire({
        async before({ invocation, operation, input }) {
          if (!invocation || operation !== 'TransactWriteItems' || meddled) return;
          if (!JSON.stringify(input).includes(rowOf(lost).pk)) return;
          meddled = true;
          await commit({ writes: [change(lost, 1)], events: [], deadline: 0 });
        },
      }),
    );
    const before = (await activated()).length;
    await acme.key.ok(changeMany, { body: { names: [lost, other] } });
    expect([decided, await versionOf(lost), await versionOf(other)]).toEqual([1, 3, 1]);
    expect(await activated()).toHaveLength(before + 2);
  });

  test('a conflict in the final commit returns 503, and the parts stay committed', async () => {
    const [name = '', last = ''] = freshNames(2);
    await commit({ writes: [change(last, 0)], events: [], deadline: 0 });
    decided = 0;
    const response = await acme.key.call(changeMany, { headers: freshKey(), body: { names: [name], last } });
    expect([response.status, response.body.error, response.headers['retry-after']]).toEqual([
      503,
      'busy',
      '1',
    ]);
    expect([decided, await versionOf(name)]).toEqual([1, 1]);
  });

  test('a request returns 503 if the endpoint does not handle the version conflict of a part', async () => {
    const [done = '', taken = ''] = freshNames(2);
    await commit({ writes: [change(taken, 0)], events: [], deadline: 0 });
    decided = 0;
    const careless = endpoint({
      ...contract,
      decide: async ({ commit: write }) => {
        decided += 1;
        await write([change(done, 0)], [eventOf(done)]);
        await write([change(taken, 0)], [eventOf(taken)]);
        return { response: { results: [] } };
      },
    });
    const response = await acme.key.call(careless, { body: { names: [] } });
    expect([response.status, response.body.error]).toEqual([503, 'busy']);
    expect([decided, await versionOf(done), await versionOf(taken)]).toEqual([1, 1, 1]);
  });

  test('an endpoint can use the Idempotency-Key and the raw body to detect that a part is already committed', async () => {
    const [name = ''] = freshNames(1);
    const once = endpoint({
      ...contract,
      decide: async ({ commit: write, idempotencyKey, rawBody }) => {
        const journal = putIfAbsent(rowOf(`${idempotencyKey} ${rawBody}`));
        await write([change(name, await versionOf(name)), journal], [eventOf(name)]).catch((error) => {
          if (!(error instanceof VersionConflict)) throw error;
        });
        return { response: { results: [`${idempotencyKey} ${rawBody}`] } };
      },
    });
    const headers = freshKey();
    const rawBody = '{ "names": ["é"] }';
    const sent = { headers, rawBody };
    const responses = await concurrently(5, () => acme.key.call(once, sent));
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.results}`))).toEqual(
      new Set([`200 ${headers['idempotency-key']} ${rawBody}`]),
    );
    expect(await versionOf(name)).toBe(1);
    expect((await acme.key.ok(once, { body: { names: [] } })).results).toEqual(['undefined {"names":[]}']);
  });

  test('an error response is sent only after the pending writes of parts have ended', async () => {
    const [name = ''] = freshNames(1);
    const hasty = endpoint({
      ...contract,
      decide: ({ commit: write }) => {
        write([change(name, 0)], [eventOf(name)]).catch(() => undefined);
        throw new ApiError('team_required');
      },
    });
    stops.push(
      watchWire({ before: ({ operation }) => operation === 'TransactWriteItems' && setTimeout(30) }),
    );
    const response = await acme.key.call(hasty, { body: { names: [] } });
    expect([response.body.error, await versionOf(name)]).toEqual(['team_required', 1]);
  });

  test('an endpoint that commits parts ignores If-Match', async () => {
    const [name = ''] = freshNames(1);
    const response = await acme.key.call(changeMany, {
      headers: { 'if-match': 'nonsense' },
      body: { names: [name] },
    });
    expect([response.status, await versionOf(name)]).toEqual([200, 1]);
  });

  test('an endpoint that commits parts returns 500 if decide writes to the table without calling commit', async () => {
    const [name = ''] = freshNames(1);
    const sly = endpoint({
      ...contract,
      decide: async ({ commit: write }) => {
        await write([change(name, 0)], [eventOf(name)]);
        await increment(rowOf(name));
        return { response: { results: [] } };
      },
    });
    expect((await acme.key.call(sly, { body: { names: [] } })).status).toBe(500);
    expect(logged.at(-1)).toContain('POST /parts sends UpdateItemCommand in `decide`');
  });

  test('only an endpoint that changes something can commit parts', () => {
    const decide = () => ({ response: { results: [] } });
    expect(() => endpoint({ ...contract, emits: [], decide })).toThrow(/endpoint that changes/);
  });
});

describe('a dry run of parts', () => {
  const table = async () => (await scanTable()).filter(({ pk }) => !pk.includes('#CALLS#'));

  test('a dry run of parts changes nothing, lists changes and events in the order of the parts, and returns the response of the real request', async () => {
    const names = freshNames(3);
    const before = await table();
    const inOrder = endpoint({
      ...contract,
      decide: async ({ body, commit: write }) => {
        await Promise.all(body.names.map((name) => write([change(name, 0)], [eventOf(name)])));
        return { response: { results: body.names.map((name) => `${name} changed`) } };
      },
    });
    // Delays the first part, so that it ends last.
    stops.push(
      watchWire({
        before: ({ input }) => JSON.stringify(input).includes(rowOf(names[0] ?? '').pk) && setTimeout(30),
      }),
    );
    const { answer, changes, events } = await acme.key.dryRun(inOrder, { body: { names } });
    expect(await table()).toEqual(before);
    expect(changes.map(({ id }) => id)).toEqual(names);
    expect(events.map(({ subject }) => subject.id)).toEqual(names);
    expect(await acme.key.ok(inOrder, { body: { names } })).toEqual(answer);
  });

  test('a dry run checks the conditions of each part, and omits parts that fail', async () => {
    const [there = '', absent = ''] = freshNames(2);
    await commit({ writes: [change(there, 0)], events: [], deadline: 0 });
    const unfit = putIfAbsent(rowOf(there), new ApiError('team_unknown'));
    const strict = endpoint({
      ...contract,
      decide: async ({ commit: write }) => {
        const refused = await write([unfit, change(absent, 0)], [eventOf(there)]).catch(
          (error) => error.code,
        );
        await write([change(absent, 0)], [eventOf(absent)]);
        return { response: { results: [refused] } };
      },
    });
    const { answer, changes, events } = await acme.key.dryRun(strict, { body: { names: [] } });
    expect(answer.results).toEqual(['team_unknown']);
    expect(changes.map(({ id }) => id)).toEqual([absent]);
    expect(events.map(({ subject }) => subject.id)).toEqual([absent]);
  });
});
