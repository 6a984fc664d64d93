import { generateKeyPairSync, sign } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddresses } from '../../infra/administration/addresses.ts';
import { type Fault, verifyEvents } from '../../infra/operations/verify-events.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { firstIdAt, mintedAt } from '../../shared/id/mint.ts';
import { sealHeadKey, sealKey, sealLeavesKey } from '../../shared/integrity/event-seals/keys.ts';
import { openSealing } from '../../shared/integrity/event-seals/open-sealing.ts';
import {
  packLeaves,
  type StoredSeal,
  sealHashOf,
  statementText,
} from '../../shared/integrity/event-seals/seal.ts';
import { signingKey } from '../../shared/integrity/event-seals/seal-key.ts';
import { allSeals, eventsWithin, readLeaves } from '../../shared/integrity/event-seals/store.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import type { Item } from '../../shared/table/item.ts';
import type { Key } from '../../shared/table/keys.ts';
import { getItem, getItems } from '../../shared/table/read.ts';
import { addEvents, newAccount, passToTurn, seal } from '../event-seals/sealed-account.ts';
import { clock } from '../harness/clock.ts';
import { eventOf } from '../harness/notify.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { type WireRequest, watchWire } from '../harness/wire.ts';

/** Hides the metrics of the seal schedule. */
const hideOutput = () => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
beforeEach(hideOutput);
hideOutput();

const verifyingKey = await signingKey().verifyingKey();

/** An account with four seals of two events each. */
async function sealedAccount(): Promise<AccountId> {
  const account = await newAccount();
  for (let n = 0; n < 4; n++) {
    await addEvents(account, 2);
    await seal(account);
  }
  return account;
}
const account = await sealedAccount();
const other = await sealedAccount();
const seals = await allSeals(account);
const events = await eventsWithin(account, {
  from: '2025-01-01T00:00:00.000Z',
  to: '2094-01-01T00:00:00.000Z',
});
const idOf = (n: number): number => Number(events[n]?.sk);
const sealAt = (n: number): StoredSeal => {
  const found = seals[n];
  if (!found) throw new Error(`No seal ${n + 1}`);
  return found;
};
const itemOf = async (key: Key): Promise<Item> => {
  const item = await getItem(key);
  if (!item) throw new Error(`No item ${key.sk}`);
  return item;
};

const faultsOf = async (knownHash?: string, now = clock.now(), of = account): Promise<Fault[]> =>
  (await verifyEvents(of, { verifyingKey, knownHash, now })).faults;
/** Returns the faults without their descriptions (`sentence`). */
const kinds = (faults: readonly Fault[]) => faults.map(({ sentence: _, ...fault }) => fault);

/** Puts and deletes items directly, runs `run`, and restores the items. */
async function tampered<T>(put: readonly Item[], gone: readonly Key[], run: () => Promise<T>): Promise<T> {
  const keys = [...put, ...gone].map(({ pk, sk }) => ({ pk, sk }));
  const before = await getItems(keys);
  await deleteAll(gone);
  await putAll(put);
  return run().finally(async () => {
    await deleteAll(keys);
    await putAll(before.filter((item) => item !== undefined));
  });
}
const tamperedSeal = async (n: number, change: object, run: () => Promise<Fault[]>): Promise<Fault[]> =>
  tampered([{ ...(await itemOf(sealKey(account, sealAt(n).to))), ...change }], [], run);
/** The keys of seal `n` (counted from 0), of all later seals, and of their leaves. */
const cutFrom = (n: number): Key[] =>
  seals.slice(n).flatMap(({ to, root }) => [sealKey(account, to), sealLeavesKey(account, root)]);
/** The pointer to the newest seal, as it was when seal `n` was the newest. */
const headAt = async (n: number): Promise<Item> => ({
  ...(await itemOf(sealHeadKey(account))),
  version: n + 1,
  to: sealAt(n).to,
  hash: sealHashOf(sealAt(n)),
});

describe('an event', () => {
  test('an unchanged log is intact', async () => {
    expect(await verifyEvents(account, { verifyingKey, now: clock.now() })).toEqual({
      accountId: account,
      seals: 4,
      events: 8,
      unsealed: 0,
      head: { number: 4, to: sealAt(3).to, hash: sealHashOf(sealAt(3)) },
      faults: [],
    });
    for (const one of seals) expect(await faultsOf(sealHashOf(one))).toEqual([]);
  });

  test('an altered event is reported with its seal', async () => {
    const one = { ...(await itemOf(eventKey(account, idOf(2)))), data: { to: '1' } };
    const [fault, ...others] = await tampered([one], [], faultsOf);
    expect([fault, others]).toEqual([
      {
        fault: 'altered',
        seal: 2,
        event: idOf(2),
        sentence: `Event ${idOf(2)} of ${mintedAt(idOf(2)).toISOString()} was altered after seal 2.`,
      },
      [],
    ]);
  });

  test('a removed event is reported', async () => {
    const faults = await tampered([], [eventKey(account, idOf(5))], faultsOf);
    expect(kinds(faults)).toEqual([{ fault: 'removed', seal: 3, event: idOf(5) }]);
  });

  test('an event with a backdated time or key is reported', async () => {
    const item = await itemOf(eventKey(account, idOf(7)));
    const byTime = await tampered([{ ...item, occurredAt: '2025-06-01T00:00:00.000Z' }], [], faultsOf);
    expect(kinds(byTime)).toEqual([{ fault: 'back_dated', seal: 4, event: idOf(7) }]);
    const earlier = idOf(3) + 7;
    const moved = { ...item, ...eventKey(account, earlier), id: earlier };
    const faults = await tampered([moved], [eventKey(account, idOf(7))], faultsOf);
    expect(kinds(faults)).toEqual([
      { fault: 'inserted', seal: 2, event: earlier },
      { fault: 'removed', seal: 4, event: idOf(7) },
    ]);
  });

  test('an inserted event is reported, and an unsealed event is reported after 30 minutes', async () => {
    const id = firstIdAt(new Date(mintedAt(idOf(0)).getTime() - 86_400_000));
    const inserted = { ...eventOf(account, { id }), ...eventKey(account, id), type: 'event' };
    expect(kinds(await tampered([inserted], [], faultsOf))).toEqual([
      { fault: 'inserted', seal: 1, event: id },
    ]);
    const [waiting] = await addEvents(other);
    expect(await faultsOf(undefined, clock.now(), other)).toEqual([]);
    const later = new Date(clock.now().getTime() + 31 * 60_000);
    expect(kinds(await faultsOf(undefined, later, other))).toEqual([
      { fault: 'unsealed', event: waiting?.id },
    ]);
    await seal(other);
    expect(await faultsOf(undefined, later, other)).toEqual([]);
  });
});

describe('a seal', () => {
  test('a removed last seal is detected by the pointer to the newest seal', async () => {
    const faults = await tampered([], cutFrom(3), faultsOf);
    expect(kinds(faults)[0]).toEqual({ fault: 'cut_off', seal: 4 });
  });

  test('a replaced newest seal with the same number is reported', async () => {
    const { signature: _, verifyingKey: __, ...statement } = sealAt(3);
    const to = new Date(Date.parse(statement.to) - 1).toISOString();
    const another = { ...statement, to };
    const signature = await signingKey().sign(statementText(another));
    const item = {
      ...(await itemOf(sealKey(account, sealAt(3).to))),
      ...sealKey(account, to),
      to,
      signature,
    };
    const faults = await tampered([item], [sealKey(account, sealAt(3).to)], faultsOf);
    expect(kinds(faults)).toEqual([{ fault: 'cut_off', seal: 4 }]);
  });

  test.each([
    ['the next', 1],
    ['the first', 0],
  ])('a log is intact if %s seal is written during the verification', async (_, before) => {
    const account = await newAccount();
    await addEvents(account);
    if (before > 0) await seal(account);
    await addEvents(account);
    // Adds a seal after the first of the two reads of the chain.
    const partitions = [sealHeadKey(account).pk, sealKey(account, '').pk];
    let [first, isAppended, resume]: [WireRequest | undefined, boolean, () => void] = [
      undefined,
      false,
      () => {},
    ];
    const appended = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const stop = watchWire({
      before(request) {
        if (isAppended || !partitions.some((pk) => JSON.stringify(request.input).includes(`"${pk}"`)))
          return undefined;
        if (first) return appended;
        first = request;
        return undefined;
      },
      async done(_, request) {
        if (isAppended || request !== first) return;
        isAppended = true;
        await seal(account);
        resume();
      },
    });
    const verified = await verifyEvents(account, { verifyingKey, now: clock.now() });
    stop();
    expect(verified.faults).toEqual([]);
    expect(await allSeals(account)).toHaveLength(before + 1);
  });

  test('a removed last seal is detected by unsealed events or by a known hash, even if the pointer is set back', async () => {
    const later = new Date(clock.now().getTime() + 31 * 60_000);
    const withEvents = await tampered([await headAt(2)], cutFrom(3), () => faultsOf(undefined, later));
    expect(kinds(withEvents)).toEqual([
      { fault: 'unsealed', event: idOf(6) },
      { fault: 'unsealed', event: idOf(7) },
    ]);
    const gone = [...cutFrom(3), eventKey(account, idOf(6)), eventKey(account, idOf(7))];
    const [withoutHash, withHash] = await tampered([await headAt(2)], gone, () =>
      Promise.all([faultsOf(undefined, later), faultsOf(sealHashOf(sealAt(3)), later)]),
    );
    expect(withoutHash).toEqual([]);
    expect(kinds(withHash ?? [])).toEqual([{ fault: 'cut_off' }]);
  });

  test('a missing seal in the middle is reported as a gap, a broken chain and unsealed events', async () => {
    const later = new Date(clock.now().getTime() + 31 * 60_000);
    const faults = await tampered([], [sealKey(account, sealAt(1).to)], () => faultsOf(undefined, later));
    expect(kinds(faults)).toEqual([
      { fault: 'previous', seal: 3 },
      { fault: 'gap', seal: 3 },
      { fault: 'unsealed', event: idOf(2) },
      { fault: 'unsealed', event: idOf(3) },
    ]);
  });

  test('a signature with a flipped bit, of another key or of another account is reported', async () => {
    const bytes = Buffer.from(sealAt(1).signature, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const flipped = { signature: bytes.toString('base64') };
    const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = {
      signature: sign('sha256', Buffer.from(statementText(sealAt(1))), forger.privateKey).toString('base64'),
      verifyingKey: forger.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    };
    for (const change of [flipped, forged, { signature: 'none' }])
      expect(kinds(await tamperedSeal(1, change, faultsOf))).toEqual([{ fault: 'signature', seal: 2 }]);
    const [theirs] = await allSeals(other);
    const foreign = await tamperedSeal(0, { ...theirs }, faultsOf);
    expect(kinds(foreign)).toContainEqual({ fault: 'signature', seal: 1 });
  });

  test('an altered seal and the seal after it are reported', async () => {
    expect(kinds(await tamperedSeal(1, { count: 3 }, faultsOf))).toEqual([
      { fault: 'signature', seal: 2 },
      { fault: 'previous', seal: 3 },
      { fault: 'root', seal: 2 },
    ]);
    const chained = await tamperedSeal(2, { previous: sealHashOf(sealAt(0)) }, faultsOf);
    expect(kinds(chained)).toEqual([
      { fault: 'signature', seal: 3 },
      { fault: 'previous', seal: 3 },
      { fault: 'previous', seal: 4 },
    ]);
    const nonsense = await tamperedSeal(1, { to: 'never', from: 7, root: null }, faultsOf);
    expect(kinds(nonsense)).toContainEqual({ fault: 'signature', seal: 2 });
  });

  test('leaves that do not match the root are reported, and without leaves, the events are compared with the root', async () => {
    const [leaves = []] = await readLeaves(account, [sealAt(1)]);
    const key = sealLeavesKey(account, sealAt(1).root);
    const hash = Buffer.alloc(32, 7);
    const altered = { ...(await itemOf(key)), leaves: packLeaves(leaves.map(({ id }) => ({ id, hash }))) };
    const faults = kinds(await tampered([altered], [], faultsOf));
    expect(faults[0]).toEqual({ fault: 'root', seal: 2 });
    expect(await tampered([], [key], faultsOf)).toEqual([]);
    const both = await tampered([], [key, eventKey(account, idOf(2))], faultsOf);
    expect(kinds(both)).toEqual([{ fault: 'leaves', seal: 2 }]);
  });
});

test('a missing event is reported only if it has not expired', async () => {
  const [all, leaves] = [
    events.map(({ pk, sk }) => ({ pk, sk })),
    seals.map(({ root }) => sealLeavesKey(account, root)),
  ];
  const expired = new Date(clock.now().getTime() + 440 * 86_400_000);
  expect(await tampered([], [...all, ...leaves], () => faultsOf(sealHashOf(sealAt(3)), expired))).toEqual([]);
  expect(await tampered([], all, () => faultsOf(undefined, expired))).toEqual([]);
  // The log is also intact if its expired events still exist. Only an inserted event without expiry, or with a later
  // expiry, is reported.
  expect(await tampered([], leaves, () => faultsOf(undefined, expired))).toEqual([]);
  const id = firstIdAt(new Date(mintedAt(idOf(0)).getTime() - 86_400_000));
  const inserted = { ...eventOf(account, { id }), ...eventKey(account, id), type: 'event' };
  for (const expiresAtSeconds of [undefined, Math.floor(expired.getTime() / 1000) + 86_400])
    expect(
      kinds(
        await tampered([{ ...inserted, expiresAtSeconds }], [...all, ...leaves], () =>
          faultsOf(undefined, expired),
        ),
      ),
    ).toEqual([{ fault: 'unexpired', seal: 1, event: id }]);
  const early = new Date(clock.now().getTime() + 399 * 86_400_000);
  expect((await tampered([], all, () => faultsOf(undefined, early))).map(({ fault }) => fault)).toEqual(
    Array(8).fill('removed'),
  );
  const forged = await tampered([], [...all, ...leaves, sealKey(account, sealAt(1).to)], () =>
    faultsOf(undefined, expired),
  );
  expect(kinds(forged)).toEqual([
    { fault: 'previous', seal: 3 },
    { fault: 'gap', seal: 3 },
  ]);
});

const large = Number(process.env.LARGE_LOG ?? 400);

test(`a log of ${large} events is intact, and an altered event among them is reported`, async () => {
  const crowded = await newAccount();
  passToTurn(crowded);
  const start = clock.now().getTime();
  const items = Array.from({ length: large }, (_, n) => {
    const id = firstIdAt(new Date(start + n * 20));
    return { ...eventOf(crowded, { id }), ...eventKey(crowded, id), type: 'event' };
  });
  expect(await putAll(items)).toEqual([]);
  const first = { accountId: crowded, id: firstIdAt(new Date(start)) };
  await openSealing(first, { now: clock.now(), deadline: Date.now() + 10_000 });
  await seal(crowded);
  const began = performance.now();
  const verified = await verifyEvents(crowded, { verifyingKey, now: clock.now() });
  if (large > 400)
    process.stderr.write(`${large} events verified in ${Math.round(performance.now() - began)} ms\n`);
  expect(verified).toMatchObject({ events: large, unsealed: 0, faults: [] });
  const one = items[large - 7];
  const changed = { ...one, ...eventKey(crowded, one?.id ?? 0), type: 'event', data: { to: 'nobody' } };
  const faults = await tampered([changed], [], () => faultsOf(undefined, clock.now(), crowded));
  expect(faults.map(({ fault, event }) => [fault, event])).toEqual([['altered', one?.id]]);
});

describe('the command', () => {
  const verify = operatorsCommand('events', 'verify');
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-verify-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('the command reports an intact log with the hash to store, and exits with 0', async () => {
    const options = ['--account', account, '--stage', 'local', '--head', sealHashOf(sealAt(1))];
    expect(await verify.asProcess(...options)).toEqual({
      code: 0,
      stdout: `4 seals and 8 events are intact; 0 events are not sealed yet.\nThe newest seal is number 4, up to ${sealAt(3).to}, with the hash ${sealHashOf(sealAt(3))}.\n`,
      stderr: '',
    });
  });

  test('the command prints a sentence for each fault, or the result as JSON, and exits with 1', async () => {
    const unknown = 'ab'.repeat(32);
    const given = ['--account', account, '--stage', 'local', '--head', unknown];
    const gone = [eventKey(account, idOf(1))];
    const [text, json] = await tampered([], gone, async () => [
      await verify.here(...given),
      await verify.here(...given, '--json'),
    ]);
    expect(text).toEqual({
      code: 1,
      stdout: `No seal has the hash ${unknown}: seals were removed or replaced.\nEvent ${idOf(1)} of ${mintedAt(idOf(1)).toISOString()} was removed: it is in seal 1 but not in the log.\n`,
      stderr: '',
    });
    expect(json?.code).toBe(1);
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({
      seals: 4,
      events: 7,
      faults: [{ fault: 'cut_off' }, { fault: 'removed', seal: 1, event: idOf(1) }],
    });
  });

  test('the command uses the service and the key of a data folder, and reports a missing service', async () => {
    vi.stubEnv('DATA_DIR', folder);
    const none = await verify.here('--account', account);
    expect([none.code, none.stderr]).toEqual([
      1,
      `No service runs with the data folder ${folder}. Start one with npm start.\n`,
    ]);
    const urlOf = (name: (typeof queueNames)[number]) => process.env[queueUrlVariable(name)] ?? '';
    writeAddresses(join(folder, 'runner.json'), {
      region: 'us-east-1',
      tableName: process.env.TABLE_NAME ?? '',
      dynamoDb: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
      sqs: process.env.AWS_ENDPOINT_URL_SQS ?? '',
      s3: process.env.AWS_ENDPOINT_URL_S3 ?? '',
      bucketName: process.env.BUCKET_NAME ?? '',
      queues: queueNames.map((name) => ({ name, url: urlOf(name), deadLetterUrl: '' })),
      smtpPort: 0,
      relayDeadLetterUrl: '',
    });
    copyFileSync(process.env.SEAL_KEY_FILE ?? '', join(folder, 'seal-key.json'));
    expect(await verify.asProcess('--account', account)).toMatchObject({ code: 0, stderr: '' });
    rmSync(join(folder, 'seal-key.json'));
    expect((await verify.here('--account', account)).code).toBe(1);
    vi.unstubAllEnvs();
  });

  test('the command refuses a malformed hash', async () => {
    expect(await verify.here('--account', account, '--head', 'abc')).toEqual({
      code: 2,
      stdout: '',
      stderr: '--head must be the hash of a seal (64 hex digits).\n',
    });
  });
});
