import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import listEvents from '../../functions/events/list-events.ts';
import listSeals from '../../functions/events/list-seals.ts';
import proveEvent from '../../functions/events/prove-event.ts';
import createTeam from '../../functions/teams/create-team.ts';
import { eventKey } from '../../shared/events/keys.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import type { EventProof, Seal } from '../../shared/integrity/event-seals/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { isProof } from '../event-seals/is-proof.ts';
import { documents } from '../harness/documents.ts';
import { sealAll } from '../harness/seal-events.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';

afterEach(() => void vi.restoreAllMocks());

const [acme, stranger] = [await tenant(), await tenant()];
const team = async (by: Tenant) => by.admin.ok(createTeam, { body: { name: 'West' } });
for (let n = 0; n < 3; n++) {
  await team(acme);
  await sealAll(acme.accountId);
}
await sealAll(stranger.accountId);

const list = async (query: object = {}, by = acme) =>
  (await by.admin.ok(listSeals, { query })) as { data: Seal[]; totalCount: number };
const eventsOf = async (by: Tenant) =>
  ((await by.admin.ok(listEvents, { query: { pageSize: 100 } })) as { data: LoggedEvent[] }).data;
const prove = (id: number, by = acme): Promise<EventProof> => by.admin.ok(proveEvent, { params: { id } });

describe('GET /events/seals', () => {
  test('GET /events/seals lists the seals of the account, newest first, each with the hash of the previous seal', async () => {
    const { data, totalCount } = await list();
    expect(totalCount).toBe(3);
    expect(data.map(({ number }) => number)).toEqual([3, 2, 1]);
    for (const [n, { previous, from }] of data.entries())
      expect([previous, from]).toEqual([
        data[n + 1]?.hash ?? null,
        data[n + 1]?.to ?? '2025-01-01T00:00:00.000Z',
      ]);
    expect((await list({}, stranger)).data.map(({ accountId }) => accountId)).toEqual([stranger.accountId]);
  });

  test('GET /events/seals returns pages, and filters by number and time', async () => {
    const { data } = await list();
    expect(await list({ page: 2, pageSize: 1 })).toMatchObject({ data: [data[1]], totalCount: 3 });
    expect((await list({ number: [2] })).data).toEqual([data[1]]);
    expect((await list({ since: data[1]?.to })).data).toEqual([data[0]]);
    expect((await list({ until: data[1]?.to })).data).toEqual(data.slice(1));
    expect((await list({ sort: 'to' })).data).toEqual([...data].reverse());
  });
});

describe('GET /events/{id}/proof', () => {
  const { d: _, ...half } = JSON.parse(readFileSync(process.env.SEAL_KEY_FILE ?? '', 'utf8'));
  const key = createPublicKey({ key: half, format: 'jwk' })
    .export({ format: 'der', type: 'spki' })
    .toString('base64');

  test('the proof of every event contains the event, and can be verified with only node:crypto and the public key', async () => {
    const events = await eventsOf(acme);
    expect(events.length).toBeGreaterThan(5);
    for (const event of events) {
      const proof = await prove(event.id);
      expect(isProof(proof, key)).toBe(true);
      expect(JSON.parse(proof.sealedText)).toEqual(event);
      expect((await list({ number: [proof.seal.number] })).data).toEqual([proof.seal]);
      expect(proof.seal.verifyingKey).toBe(key);
    }
  });

  test('a proof with any changed part is not valid', async () => {
    const events = await eventsOf(acme);
    const proof = await prove(events.at(-1)?.id ?? 0);
    const { sealedText, path, seal } = proof;
    const changed: EventProof[] = [
      { ...proof, sealedText: sealedText.replace('"version":1', '"version":2') },
      { ...proof, path: path.slice(1) },
      { ...proof, path: path.map((step) => ({ ...step, side: step.side === 'left' ? 'right' : 'left' })) },
      { ...proof, seal: { ...seal, count: seal.count + 1 } },
      { ...proof, seal: { ...seal, accountId: stranger.accountId } },
      { ...proof, seal: { ...seal, to: '2027-01-01T00:00:00.000Z' } },
    ];
    expect(path.length).toBeGreaterThan(0);
    expect(changed.map((one) => isProof(one, key))).toEqual(changed.map(() => false));
  });

  test('the proof of an event of another account or of an unknown event returns 404', async () => {
    const [foreign] = await eventsOf(stranger);
    const id = foreign?.id ?? 0;
    expect((await prove(id, stranger)).seal.accountId).toBe(stranger.accountId);
    for (const none of [id, id + 1, 1, 2 ** 53 - 1])
      expect((await acme.admin.call(proveEvent, { params: { id: none } })).body).toMatchObject({
        error: 'not_found',
      });
  });

  test('the proof of an event that is not sealed yet returns 400 event_not_sealed', async () => {
    await team(stranger);
    const [newest] = await eventsOf(stranger);
    const params = { id: newest?.id ?? 0 };
    const { status, body } = await stranger.admin.call(proveEvent, { params });
    expect([status, body]).toMatchObject([400, { error: 'event_not_sealed' }]);
    await sealAll(stranger.accountId);
    expect(isProof(await prove(params.id, stranger), key)).toBe(true);
  });

  test('the proof of an expired event returns 404, even before the table removes the event', async () => {
    const id = (await eventsOf(acme)).at(-3)?.id ?? 0;
    const expire = (at: number) =>
      documents.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: eventKey(acme.accountId, id),
          UpdateExpression: 'SET expiresAtSeconds = :at',
          ExpressionAttributeValues: { ':at': at },
        }),
      );
    const seconds = Math.floor(Date.now() / 1000);
    await expire(seconds + 3600);
    expect(isProof(await prove(id), key)).toBe(true);
    await expire(seconds - 1);
    const { status, body } = await acme.admin.call(proveEvent, { params: { id } });
    expect([status, body]).toMatchObject([404, { error: 'not_found' }]);
  });

  test('an altered event has no proof, and other events keep their proofs', async () => {
    const [one, other] = (await eventsOf(acme)).slice(-2);
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: eventKey(acme.accountId, one?.id ?? 0),
        UpdateExpression: 'SET occurredAt = :earlier',
        ExpressionAttributeValues: { ':earlier': '2025-06-01T00:00:00.000Z' },
      }),
    );
    const { body } = await acme.admin.call(proveEvent, { params: { id: one?.id ?? 0 } });
    expect(body).toMatchObject({ error: 'event_altered' });
    expect(isProof(await prove(other?.id ?? 0), key)).toBe(true);
  });
});
