import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { messageBody } from '../../events/queue-messages.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import readSession from '../../functions/auth/read-session.ts';
import requestPasswordReset from '../../functions/auth/request-password-reset.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import deleteMerchantDocument from '../../functions/merchants/delete-merchant-document.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import createTeam from '../../functions/teams/create-team.ts';
import listTeams from '../../functions/teams/list-teams.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import listUsers from '../../functions/users/list-users.ts';
import removeUserFromAccount from '../../functions/users/remove-user-from-account.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import listWebhooks from '../../functions/webhooks/list-webhooks.ts';
import { deadLetterSources } from '../../infra/administration/dead-letter-sources.ts';
import { isRelayed } from '../../infra/local/event-records.ts';
import { removeDeadLetters, waitForQueues } from '../../infra/operations/account-messages.ts';
import { eraseAccount } from '../../infra/operations/erase-account.ts';
import { exportAccount } from '../../infra/operations/export-account.ts';
import { fetchFile } from '../../infra/operations/fetch-file.ts';
import { filesBucket } from '../../infra/operations/files-bucket.ts';
import { InvalidExport, readExport, type VerifiedExport } from '../../infra/operations/read-export.ts';
import { removeAccountFiles } from '../../infra/operations/remove-account-files.ts';
import { scanTable as scanPages, writeDeadline } from '../../infra/operations/scan-table.ts';
import { cloudService } from '../../infra/operations/service-at.ts';
import { stageNamed } from '../../infra/stages.ts';
import { confirmationOf } from '../../shared/accounts/close-account.ts';
import { listedAccounts } from '../../shared/accounts/directory.ts';
import { eraseItems } from '../../shared/closing/erase-items.ts';
import type { ExportedRecord } from '../../shared/closing/exported-kinds.ts';
import { documentObject } from '../../shared/documents/object-keys.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { canonicalJson } from '../../shared/events/canonical.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { queueNames } from '../../shared/events/queues.ts';
import { eventInItem } from '../../shared/events/read-event.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { emailAcrossAccountsKey, invitationsKey, userKey } from '../../shared/people/users/keys.ts';
import { users } from '../../shared/people/users/store.ts';
import { mintAppKey } from '../../shared/security/app-keys.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import type { Item } from '../../shared/table/item.ts';
import { readTenantPartition } from '../../shared/table/keys.ts';
import { addressOf, received } from '../correspondence/incoming-mail.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { deliver, drain, wholeStream } from '../harness/drain.ts';
import { filledMerchant, merchantCanaries } from '../harness/filled-merchant.ts';
import { joins, type Member, member, memberPassword } from '../harness/member.ts';
import { eventOf } from '../harness/notify.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import '../harness/queue-ages.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { inVirtualTime } from '../harness/virtual-time.ts';
import { asTest, watchWire } from '../harness/wire.ts';
import { connectPartner, documentedMerchant, fillAccount } from './filled-account.ts';

const canary = 'canary7431';
const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-accounts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let acme: Tenant;
beforeAll(async () => {
  acme = await tenant();
  expect(await fillAccount(acme, canary)).toBeGreaterThan(15);
});

/** Reads an export into a map. Fails if a record is duplicated. */
async function imported(
  source: AsyncIterable<Uint8Array>,
): Promise<VerifiedExport & { records: Map<string, ExportedRecord> }> {
  const records = new Map<string, ExportedRecord>();
  const verified = await readExport(source, (record) => {
    const name = JSON.stringify([record.kind, record.parent, record.id]);
    expect(records.has(name), name).toBe(false);
    records.set(name, record);
  });
  return { ...verified, records };
}
async function* bytesOf(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line);
}
/** Splits the bytes into chunks of 700 bytes, regardless of line ends. */
async function* inParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 700) yield bytes.subarray(start, start + 700);
}
/** Returns the lines with records of this kind. */
const linesOf = (text: string, kind: string): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`{"kind":"${kind}",`))
    .join('\n');
const scanned = (account: AccountId, count: boolean) =>
  eraseItems(account, {
    count,
    ownLogs: new Set(),
    pages: scanPages(),
    writeDeadline,
    removeRawMails: async () => {},
  });
const sensitive = Object.values(merchantCanaries);
const requestOf = (path: string) => ({ method: 'GET', path, headers: {}, ipAddress: '' });

describe('accounts export', () => {
  const run = operatorsCommand('accounts', 'export');
  const local = ['--stage', 'local'];

  test('an export has as many records of each kind as the table and the API', async () => {
    const { header, end, records } = await imported(bytesOf(exportAccount(acme.accountId)));
    expect(header).toMatchObject({ account: acme.accountId, revealed: false });
    const counted: Record<string, number> = {};
    for (const { kind } of records.values()) counted[kind] = (counted[kind] ?? 0) + 1;
    expect(counted).toEqual(end.counts);

    const own = (await scanTable()).filter(({ pk }) => readTenantPartition(pk)?.account === acme.accountId);
    const inTable = (type: string) => own.filter((item) => item.type === type).length;
    const sameType = ['account', 'lead', 'application', 'merchant', 'mid', 'note', 'equipment', 'document'];
    for (const type of [...sameType, 'ticket', 'notification', 'event', 'seal', 'team', 'lookup', 'webhook'])
      expect([type, end.counts[type]]).toEqual([type, inTable(type)]);
    expect(end.counts.audit_entry).toBe(inTable('audit'));
    expect(end.counts.ticket_comment).toBe(inTable('ticket-comment'));
    expect(end.counts.webhook_delivery).toBeGreaterThan(0);
    expect(Object.keys(end.counts).length).toBeGreaterThan(28);

    const total = async (list: Endpoint) => {
      const { headers, body } = await acme.admin.call(list);
      const { totalCount } = body as { totalCount?: number };
      return totalCount ?? Number(headers['x-total-count']);
    };
    const lists: [string, Endpoint][] = [
      ['lead', listLeads],
      ['application', listApplications],
      ['merchant', listMerchants],
      ['ticket', listTickets],
      ['user', listUsers],
      ['team', listTeams],
      ['webhook', listWebhooks],
      ['api_key', listApiKeys],
      ['event', listEvents],
    ];
    for (const [kind, list] of lists) expect([kind, end.counts[kind]]).toEqual([kind, await total(list)]);
  });

  test('an export contains no secrets, and shows sensitive values only with `reveal`, after an event has recorded the disclosure', async () => {
    const before = (await storedEvents(acme.accountId)).length;
    let masked = '';
    for await (const line of exportAccount(acme.accountId)) masked += line;
    for (const value of [...sensitive, acme.apiSecret, acme.adminPassword])
      expect(masked).not.toContain(value);
    expect(masked).not.toMatch(/"(secretHash|passwordHash|secrets|appKey|jwe|indexKey|sessionEpoch)"/);
    expect(masked).toContain('"accountNumberLast4":"6857"');
    for (const kind of ['payout_account', 'payout'])
      expect(linesOf(masked, kind)).toContain('"accountNumber":"REDACTED"');
    expect((await storedEvents(acme.accountId)).length).toBe(before);

    let shown = '';
    for await (const line of exportAccount(acme.accountId, { reveal: true })) {
      shown += line;
      if (!line.includes(merchantCanaries.ssn)) continue;
      const { id } = JSON.parse(line) as ExportedRecord;
      const written = (await storedEvents(acme.accountId)).slice(before);
      expect(written.filter(({ subject }) => (subject as { id: unknown }).id === id)).toMatchObject([
        { kind: 'application_sensitive_data_revealed', actor: { user: 'operator', apiKey: null } },
      ]);
    }
    for (const value of sensitive) expect(shown).toContain(value);
    for (const kind of ['payout_account', 'payout'])
      expect(linesOf(shown, kind)).toMatch(/"accountNumber":"\d{4,17}"/);
    expect(shown).not.toContain(acme.apiSecret);
    expect(shown).not.toMatch(/"(secretHash|passwordHash|secrets|appKey|jwe)"/);
  });

  test('an export contains the connection to the partner, its health and its requests, but no secret', async () => {
    const owner = await tenant();
    const secrets = await connectPartner(owner, 'partner');
    await drain();
    expect(secrets).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
    for (const reveal of [false, true]) {
      const { records } = await imported(bytesOf(exportAccount(owner.accountId, { reveal })));
      const exported = [...records.values()];
      const ofKind = (kind: string) =>
        exported.flatMap((one) => (one.kind === kind ? [one.record as Record<string, unknown>] : []));
      const [connection, ...others] = ofKind('partner_connection');
      expect(others).toEqual([]);
      expect(connection).toMatchObject({ url: 'http://127.0.0.1:9/partner', active: true });
      expect(connection).not.toHaveProperty('secrets');
      expect(ofKind('partner_health')).toMatchObject([{ lastFailureAt: expect.any(String) }]);
      expect(ofKind('partner_request')).toMatchObject([{ content: { request: 'test' }, status: 'waiting' }]);
      expect(ofKind('text_message')).toEqual([]);
      const text = JSON.stringify(exported);
      expect(text).not.toContain('"jwe"');
      for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length));
    }
  });

  test('an export contains the mails of the account in every direction and state, but no key of a raw mail, and no mail of others', async () => {
    const [owner, other] = [await tenant(), await tenant()];
    const [inbound, othersInbound] = [await addressOf(owner.accountId), await addressOf(other.accountId)];
    const opening = await received(owner.accountId, { to: inbound, body: 'No receipt comes out.' });
    await received(owner.accountId, { to: inbound, body: 'Buy this.', verdicts: { spam: 'FAIL' } });
    await received(other.accountId, { to: othersInbound, body: 'A text of another account.' });
    await owner.admin.ok(sendTicketMail, {
      params: { ticketId: String(opening.recordId) },
      body: { body: 'Which lamp is on?' },
    });
    await drain();
    const { records } = await imported(bytesOf(exportAccount(owner.accountId, { reveal: true })));
    const exported = [...records.values()];
    const mails = exported.flatMap(({ kind, record }) => (kind === 'mail' ? [record] : []));
    expect(mails.map(({ direction, state, text }) => [direction, state, text]).sort()).toEqual([
      ['incoming', 'quarantined', 'Buy this.'],
      ['incoming', 'received', 'No receipt comes out.'],
      ['outgoing', 'sent', 'Which lamp is on?'],
    ]);
    const text = JSON.stringify(exported);
    expect(text).toContain('"kind":"mail_thread"');
    // The keys of the two raw mails, and the secret of the mail address.
    const internal = (await scanTable())
      .filter(({ pk }) => readTenantPartition(pk)?.account === owner.accountId)
      .flatMap(({ rawKey, inboundSecret }) =>
        [rawKey, inboundSecret].filter((one) => typeof one === 'string'),
      );
    expect(internal).toHaveLength(3);
    for (const absent of [...internal, 'rawKey', '"jwe"', 'A text of another account.'])
      expect(text).not.toContain(absent);
  });

  test('the command writes a new private file and the files of documents, and verifies the export', async () => {
    const [out, files] = [join(folder, 'acme.jsonl'), join(folder, 'files')];
    const options = ['--account', acme.accountId, ...local, '--out', out];
    const exported = await run.asProcess(...options, '--files', files);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const { records } = await imported(bytesOf([readFileSync(out, 'utf8')]));
    const fetched = [...records.values()].flatMap(({ file }) => file ?? []);
    const counts = `${records.size} records and ${fetched.length} files:\naccount 1\n`;
    expect(exported.stdout.startsWith(`The export of ${acme.accountId} has ${counts}`)).toBe(true);
    expect(fetched.length).toBeGreaterThan(0);
    for (const file of fetched) expect(readFileSync(join(files, file), 'utf8')).toBe('%PDF-1.7\nA scan.\n');

    const again = await run.here(...options);
    expect([again.code, again.stderr]).toEqual([1, `EEXIST: file already exists, open '${out}'\n`]);
    const verified = await run.here('--verify', out, '--files', files);
    expect(verified.stdout).toContain(`is complete.\n${counts}`);
    const [first = ''] = fetched.map((file) => join(files, file));
    writeFileSync(first, 'something else');
    const changed = await run.here('--verify', out, '--files', files);
    expect([changed.code, changed.stderr]).toEqual([1, `The file ${first} differs from the document.\n`]);
    rmSync(first);
    const missing = await run.here('--verify', out, '--files', files);
    expect([missing.code, missing.stderr]).toEqual([1, `The file ${first} is missing.\n`]);
    expect((await run.here('--verify', out)).code).toBe(0);
  });

  test('the verification of a changed export reads no file outside of the folder', async () => {
    const files = join(folder, 'changed-files');
    mkdirSync(join(files, 'ticket'), { recursive: true });
    symlinkSync(tmpdir(), join(files, 'linked'));
    symlinkSync('/etc/hostname', join(files, 'ticket', '1'));
    const verify = async (file: string) => {
      const record = { kind: 'document', id: 'doc_1', record: { sha256: '' }, file };
      const header = { kind: 'export', format: 'merchant-ops/account', version: 1, account: 'acc_1', at: '' };
      const text = `${JSON.stringify(header)}\n${JSON.stringify(record)}\n`;
      const sha256 = createHash('sha256').update(text).digest('hex');
      const path = join(folder, 'changed.jsonl');
      writeFileSync(path, `${text}${JSON.stringify({ kind: 'end', counts: { document: 1 }, sha256 })}\n`);
      return run.here('--verify', path, '--files', files);
    };
    for (const file of ['../../etc/hostname', '/etc/hostname', 'ticket/../../x', '..', ''])
      expect(await verify(file)).toEqual({
        code: 1,
        stdout: '',
        stderr: `The export names the file ${file}, which is outside of the folder ${files}.\n`,
      });
    for (const [file, link] of [
      ['linked/hostname', 'linked'],
      ['ticket/1', 'ticket/1'],
    ] as const)
      expect((await verify(file)).stderr).toBe(
        `${join(files, link)} is a link. The files of an export contain no links.\n`,
      );
    expect((await verify('ticket/2')).stderr).toBe(`The file ${join(files, 'ticket/2')} is missing.\n`);
  });

  test('an export to stdout prints its summary on stderr', async () => {
    const fresh = await tenant();
    const { code, stdout, stderr } = await run.here('--account', fresh.accountId, ...local);
    const { records } = await imported(bytesOf([stdout]));
    expect(code).toBe(0);
    expect(stderr).toContain(`The export of ${fresh.accountId} has ${records.size} records and 0 files:\n`);
  });

  test('an export decrypts values encrypted with a key that was created during the export', async () => {
    const fresh = await tenant();
    const lines = exportAccount(fresh.accountId, { reveal: true });
    let shown = (await lines.next()).value;
    await fresh.admin.ok(createMerchant, { body: filledMerchant });
    for await (const line of lines) shown += line;
    expect(shown).toContain(merchantCanaries.ssn);
  });

  test('an export reuses valid files, rejects wrong files and omits deleted documents', async () => {
    const { s3, bucket } = filesBucket();
    const files = join(folder, 'broken-off');
    const fresh = await tenant();
    await documentedMerchant(fresh);
    const params = await documentedMerchant(fresh);
    const documentsIn = async (end?: (document: ExportedRecord) => Promise<void>) => {
      const lines = exportAccount(fresh.accountId, {
        fetchFile: async (document) => {
          await end?.(document);
          return fetchFile({ s3, bucket }, files, document);
        },
      });
      const { records } = await imported(bytesOf(lines));
      return [...records.values()].filter(({ kind }) => kind === 'document');
    };
    const before = await documentsIn();
    expect(before).toHaveLength(2);
    expect(await documentsIn()).toEqual(before);
    const { merchantId: parentId, documentId } = params;
    const isOwn = ({ id }: ExportedRecord) => String(id) === documentId;
    const file = before.find(isOwn)?.file ?? '';
    writeFileSync(join(files, file), 'something else');
    await expect(documentsIn()).rejects.toThrow('exists but differs from the document');
    rmSync(join(files, file));

    const Key = documentObject({
      account: fresh.accountId,
      parent: 'merchant',
      parentId,
      documentId: Number(documentId),
    });
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'something else' }));
    await expect(documentsIn()).rejects.toThrow("its hash differs from the document's hash");
    expect(existsSync(join(files, file))).toBe(false);
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
    await expect(documentsIn()).rejects.toThrow(`Cannot download the file ${Key}`);
    const rest = await documentsIn(async (one) => {
      if (isOwn(one)) await fresh.admin.ok(deleteMerchantDocument, { params });
    });
    expect(rest).toEqual(before.filter((one) => !isOwn(one)));
    s3.destroy();
  });

  test('an export omits expired items that DynamoDB has not deleted yet', async () => {
    const fresh = await tenant();
    const now = clock.now();
    const eventAt = (seconds: number, label: string) => {
      const event = eventOf(fresh.accountId, { request: requestOf(label) });
      const expiresAtSeconds = Math.floor(now.getTime() / 1000) + seconds;
      return { ...eventKey(fresh.accountId, event.id), type: 'event', ...event, expiresAtSeconds };
    };
    await putAll([eventAt(-1, 'expired event'), eventAt(3600, 'valid event')]);
    let all = '';
    for await (const line of exportAccount(fresh.accountId)) all += line;
    expect([all.includes('expired event'), all.includes('valid event')]).toEqual([false, true]);
  });

  test('missing options are explained, and an unknown account fails without creating a file', async () => {
    expect((await run.here()).stderr).toBe('--account or --verify is required. See --help.\n');
    const out = join(folder, 'none.jsonl');
    const none = await run.here('--account', 'acc_none', '--out', out, ...local);
    expect([none.code, none.stderr]).toEqual([1, 'No account acc_none in this table.\n']);
    expect(existsSync(out)).toBe(false);
  });

  test('records of any kind are counted, also of kinds that are names of an object’s methods', async () => {
    const kinds = ['constructor', 'toString', '__proto__', 'lead', 'lead'];
    const header = { kind: 'export', format: 'merchant-ops/account', version: 1, account: 'acme', at: 'now' };
    const records = kinds.map((kind, n) => ({ kind, id: n + 1, record: {} }));
    const body = [header, ...records].map((one) => `${JSON.stringify(one)}\n`).join('');
    const sha256 = createHash('sha256').update(body).digest('hex');
    const counted = '{"constructor":1,"toString":1,"__proto__":1,"lead":2}';
    const read = (counts: string) =>
      readExport(inParts(Buffer.from(`${body}{"kind":"end","counts":${counts},"sha256":"${sha256}"}\n`)));
    const { end } = await read(counted);
    expect(Object.entries(end.counts)).toEqual(Object.entries(JSON.parse(counted)));
    await expect(read('{"lead":2}')).rejects.toThrow(
      'The export has 1 records of the kind constructor, expected 0.',
    );
  });

  test('an export that was truncated or changed anywhere is invalid', async () => {
    let small = '';
    for await (const line of exportAccount((await tenant()).accountId)) small += line;
    await imported(bytesOf([small]));
    const bytes = Buffer.from(small);
    const at = fc.nat({ max: bytes.length - 1 });
    const wrong = async (changed: Uint8Array) => {
      // Calls `readExport` directly. The function `imported` would fail with another error if the change
      // makes two ids equal.
      const fault = await readExport(inParts(changed), () => {}).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(InvalidExport);
      expect(String((fault as Error).message)).toMatch(/^(Line|The export|The first line|A line) [^\n]*\.$/);
    };
    await fc.assert(
      fc.asyncProperty(at, (end) => wrong(bytes.subarray(0, end))),
      { numRuns: 60 },
    );
    const flipped = fc.tuple(at, fc.integer({ min: 1, max: 127 }));
    await fc.assert(
      fc.asyncProperty(flipped, ([place, bits]) => {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ bits;
        return wrong(changed);
      }),
      { numRuns: 120, examples: [[[small.indexOf('version'), 1]]] },
    );
    const all = small.split(/(?<=\n)/);
    for (let n = 0; n < all.length; n++) await wrong(Buffer.from(all.toSpliced(n, 1).join('')));
    await wrong(Buffer.from(all.toSpliced(1, 2, all[2] ?? '', all[1] ?? '').join('')));
    await wrong(Buffer.from(`${small}${all[1]}`));
    await wrong(Buffer.from(all.with(2, all[1] ?? '').join('')));
  });
});

describe('accounts erase', () => {
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const { s3, bucket } = filesBucket();
  afterAll(() => {
    sqs.destroy();
    s3.destroy();
  });
  const erase = operatorsCommand('accounts', 'erase');
  const urlOf = async (name: string) =>
    (await sqs.send(new GetQueueUrlCommand({ QueueName: `merchant-ops-local-${name}` }))).QueueUrl;
  const objectsFolder = join(dirname(process.env.SECRET_FILE ?? ''), 'objects');

  /** All stored data as text: the items of the table and its indexes, the objects and the messages. */
  async function allData(include: (item: Item) => boolean = () => true): Promise<string> {
    const files = readdirSync(objectsFolder).map((name) => readFileSync(join(objectsFolder, name), 'utf8'));
    const names = [...queueNames, ...deadLetterSources.map((source) => `${source}-dead-letters`)];
    const messages = await Promise.all(
      names.map(async (name) => {
        const input = { QueueUrl: await urlOf(name), MaxNumberOfMessages: 10, VisibilityTimeout: 0 };
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(input));
        return Messages.map(({ Body }) => Body).sort();
      }),
    );
    const indexed = await Promise.all(
      tableDefinition.indexes.map(async ({ name: IndexName }) => {
        const scan = new ScanCommand({ TableName: process.env.TABLE_NAME, IndexName });
        return (await documents.send(scan)).Items;
      }),
    );
    return canonicalJson([(await scanTable()).filter(include), indexed, files, messages]);
  }
  const itemsOf = async (account: string) =>
    (await scanTable())
      .filter(({ pk }) => readTenantPartition(pk)?.account === account)
      .sort((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));

  let globex: Tenant;
  /** This user is stored in the erased account and is also a member of the other account. */
  let shared: Member;
  /** This user is stored in the other account and is also a member of the erased account. */
  let guest: Member;
  /**
   * A user whose record is in a third account. The user is no longer a member there, and is invited to the erased
   * account.
   */
  let stray: Member;
  /** This user is stored in the erased account, and is invited to the other account. */
  let invited: Member;
  /** Returns the message of each event of the account. */
  const bodies = async () =>
    (await storedEvents(acme.accountId)).map((item) => messageBody(eventInItem(item)));

  beforeAll(async () => {
    globex = await tenant();
    // The event of this request mentions the account that is erased.
    const headers = { referer: `https://portal.example/${acme.accountId}` };
    await globex.admin.ok(createTeam, { headers, body: { name: 'West' } });
    await globex.admin.ok(createLead, {
      query: { skipTeamAndSourceRequirement: true },
      body: { firstName: 'Grace', lastName: 'Hopper' },
    });
    shared = await member(acme, [], { name: `Shared ${canary}` });
    await joins(shared, globex, { accountAdmin: true });
    guest = await member(globex);
    await joins(guest, acme);
    await guest.client.ok(setNotificationPreferences, {
      params: { email: guest.user.email },
      body: [{ event: 'lead_created', accountId: acme.accountId, deliveryPref: ['website'] }],
    });
    await shared.client.ok(setNotificationPreferences, {
      params: { email: shared.user.email },
      body: [{ event: 'lead_created', deliveryPref: ['website'] }],
    });
    invited = await member(acme);
    await globex.admin.ok(addUserToAccount, { params: { email: invited.user.email }, body: {} });
    const asked = await member(globex);
    await acme.admin.ok(addUserToAccount, { params: { email: asked.user.email }, body: {} });
    const initech = await tenant();
    stray = await member(initech);
    const { email } = stray.user;
    await acme.admin.ok(addUserToAccount, { params: { email }, body: {} });
    await initech.admin.ok(removeUserFromAccount, { params: { email, accountId: initech.accountId } });
    await client({}).ok(requestPasswordReset, { body: { email } });
    await drain();
    // Creates abandoned uploads and dead letters.
    for (const prefix of ['incoming', 'documents'])
      await s3.send(
        new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/${acme.accountId}/ticket/7/8`, Body: canary }),
      );
    const [body = ''] = (await bodies()).filter((one) => one.includes(canary));
    const trigger = JSON.stringify({ trigger: { account: acme.accountId, workQueue: 'MAIL' } });
    const letters = deadLetterSources.map((source) => ({ source, body }));
    const unsent = { source: 'relay', body: JSON.stringify({ queue: 'jobs', body: trigger }) };
    for (const { source, body: MessageBody } of [...letters, unsent])
      await sqs.send(
        new SendMessageCommand({ QueueUrl: await urlOf(`${source}-dead-letters`), MessageBody }),
      );
  });

  test('an erasure removes the local dead letters of the account (events, trigger messages and stream records), and no others', async () => {
    vi.stubEnv('DATA_DIR', folder);
    const bodyOf = (account: string) => ({
      event: { accountId: account, kind: 'nothing_known' },
      trigger: { trigger: { account, workQueue: 'MAIL' } },
      record: { dynamodb: { Keys: { pk: { S: `ACCOUNT#${account}#EVENT` } } } },
      parked: { queue: 'audit', body: JSON.stringify({ accountId: account }) },
    });
    const letters = join(folder, 'dead-letters', 'relay');
    mkdirSync(letters, { recursive: true });
    for (const account of [acme.accountId, `${acme.accountId}2`])
      for (const [shape, body] of Object.entries(bodyOf(account)))
        writeFileSync(join(letters, `${shape}-${account}.json`), JSON.stringify(body));
    writeFileSync(join(letters, 'note.json'), '{"DDBStreamBatchInfo":{}}');
    writeFileSync(join(letters, 'garbage.json'), acme.accountId);
    const { sqs: client, urlOf: url, depthOf } = await cloudService(stageNamed('local'));
    const remove = (count: boolean) =>
      removeDeadLetters({ sqs: client, urlOf: url, depthOf }, acme.accountId, { count });
    expect([await remove(true), readdirSync(letters).length]).toEqual([4, 10]);
    expect([await remove(false), await remove(false), readdirSync(letters).length]).toEqual([4, 0, 6]);
    client.destroy();
    vi.unstubAllEnvs();
  });

  test('a dry run and a confirmation with a wrong name change nothing', async () => {
    const before = await allData();
    const options = ['--account', acme.accountId, '--stage', 'local'];
    const dry = await erase.here(...options, '--dry-run', '--json');
    expect([dry.code, dry.stderr]).toEqual([0, '']);
    const { name, items, users, usersRemoved, files, deadLetters } = JSON.parse(dry.stdout);
    expect(items).toMatchObject({ lead: expect.any(Number), event: expect.any(Number), 'listed-account': 1 });
    expect([usersRemoved < users, files >= 3, deadLetters]).toEqual([
      true,
      true,
      deadLetterSources.length + 1,
    ]);
    const lines = (await erase.here(...options, '--dry-run')).stdout.split('\n');
    expect(lines[0]).toBe(`Account ${acme.accountId} (${name}) has:`);
    expect(lines).toContain(`  ${users} users, ${usersRemoved} of them in no other account`);
    const stderr = `This is not the name of account ${acme.accountId}. Nothing was changed.\n`;
    expect(await erase.here(...options, '--name', 'Globex')).toEqual({ code: 2, stdout: '', stderr });
    expect((await erase.asProcess(...options)).stderr).toBe(
      '--name is required when there is no terminal.\n',
    );
    const stdin = vi.spyOn(process, 'stdin', 'get');
    stdin.mockReturnValue(
      Object.assign(Readable.from(['Globex\n']), { isTTY: true, fd: 0 as const }) as NodeJS.ReadStream & {
        fd: 0;
      },
    );
    const prompt = `Type the name of account ${acme.accountId} to erase it permanently: `;
    expect(await erase.here(...options)).toMatchObject({ code: 2, stderr: prompt + stderr });
    stdin.mockRestore();
    expect(await allData()).toBe(before);
  });

  test('an account with a child account is not erased', async () => {
    const parent = await tenant();
    await childAccount(parent);
    const name = ['--name', (await parent.admin.ok(readAccount, { params: { id: parent.accountId } })).name];
    const { code, stderr } = await erase.here('--account', parent.accountId, '--stage', 'local', ...name);
    expect([code, stderr]).toEqual([2, expect.stringContaining('has child accounts')]);
    await parent.admin.ok(listLeads);
  });

  test('an erasure that is interrupted at any request can be continued, and removes exactly this account', async () => {
    const before = await itemsOf(globex.accountId);
    const { id: strayId } = (await users.addressByEmailAcrossAccounts(stray.user.email)) ?? {};
    const strayLog = await itemsOf(`user_${strayId}`);
    expect(strayLog.map(({ pk }) => pk)).toContain(`ACCOUNT#user_${strayId}#WORKQUEUE#MAIL`);
    const service = await cloudService(stageNamed('local'));
    const outside = {
      files: (of: AccountId, how: { count: boolean }) => removeAccountFiles({ s3, bucket }, of, how),
      deadLetters: (of: AccountId, how: { count: boolean }) => removeDeadLetters(service, of, how),
      rawMails: async () => undefined,
      queues: (since: number) => waitForQueues(service, since, Date.now() + 5_000),
    };
    let kills = 0;
    let result: Awaited<ReturnType<typeof eraseAccount>> | undefined;
    // Each run is killed later than the previous run. The first run sends two requests, of which the second
    // closes the account.
    for (let calls = 2; result === undefined; calls += Math.ceil(calls / 2)) {
      let left = calls;
      const stop = watchWire({
        before() {
          left -= 1;
          if (left < 0) throw new Error('killed');
        },
      });
      result = await eraseAccount(acme.accountId, outside, 0).catch(() => undefined);
      stop();
      if (result) continue;
      kills += 1;
      expect((await acme.admin.call(listLeads)).status).toBeGreaterThan(400);
    }
    expect(kills).toBeGreaterThan(5);
    expect(result.proof).toMatchObject({ items: 0, files: 0, deadLetters: 0, queues: { held: [] } });

    const nothingIsLeft = async () => {
      // Ignores the events and the search index of the other account. They are kept, even if they name the erased account or
      // a shared user.
      const kept = ['event', 'search-entries', 'search-index'];
      const own = new Set(
        before.filter(({ type }) => kept.includes(String(type))).map(({ pk, sk }) => `${pk} ${sk}`),
      );
      const everything = await allData(({ pk, sk }) => !own.has(`${pk} ${sk}`));
      expect(everything).not.toContain(acme.accountId);
      expect(everything).not.toContain(acme.adminEmail);
      expect(await itemsOf(`user_${strayId}`)).toEqual([]);
      expect(everything.replaceAll(`Shared ${canary}`, '')).not.toContain(canary);
    };
    await nothingIsLeft();
    const named = before.filter(
      (item) => item.type === 'event' && JSON.stringify(item).includes(acme.accountId),
    );
    expect(result.proof.elsewhere).toEqual({ event: named.length });
    // Delivers all events of the account again.
    const late = (await wholeStream()).filter(
      (record) => isRelayed(record) && record.dynamodb.NewImage?.accountId?.S === acme.accountId,
    );
    expect(late.length).toBeGreaterThan(30);
    await deliver(late);
    await nothingIsLeft();

    const isUser = ({ sk }: { sk: string }) => sk === 'USER' || sk === 'INVITATIONS';
    const after = await itemsOf(globex.accountId);
    expect(after.filter((item) => !isUser(item))).toEqual(before.filter((item) => !isUser(item)));
    const keptUsers = after.filter(({ type }) => type === 'user');
    expect(keptUsers).toHaveLength(before.filter(({ type }) => type === 'user').length + 2);
    for (const user of keptUsers)
      expect(user).toMatchObject({
        home: globex.accountId,
        accountIds: user.id === invited.user.id ? [] : [globex.accountId],
      });
    expect(after.filter(({ type }) => type === 'open-invitations')).toEqual([
      {
        ...invitationsKey(globex.accountId, invited.user.id),
        type: 'open-invitations',
        accounts: [globex.accountId],
      },
    ]);
  });

  test('an erasure first removes the directory entry, and waits again if a scan finds a late file', async () => {
    const { accountId } = await tenant();
    const wait = 10_000;
    const scans: number[] = [];
    let listed: AccountId[] | undefined;
    const stop = watchWire({
      before: ({ operation }) =>
        operation === 'Scan' && !listed
          ? asTest(async () => {
              listed = [];
              listed = await listedAccounts();
            })
          : undefined,
    });
    const { proof } = await inVirtualTime(async () => {
      const start = Date.now();
      const files = async () => {
        scans.push(Date.now() - start);
        // The first scan after the wait finds a late file.
        return scans.filter((at) => at > 0).length === 1 ? 1 : 0;
      };
      const outside = {
        files,
        deadLetters: async () => 0,
        rawMails: async () => undefined,
        queues: async () => ({ held: [], delayed: 0 }),
      };
      return eraseAccount(accountId, outside, wait);
    }).finally(stop);
    expect(scans.filter((at) => at > 0)).toEqual([wait, wait, 2 * wait]);
    expect(proof).toMatchObject({ items: 0, files: 0 });
    expect(listed).toContain(globex.accountId);
    expect(listed).not.toContain(accountId);
  });

  test('an account id inside a longer id is not reported as a mention', async () => {
    const [erased, other] = [await tenant(), await tenant()];
    const naming = (label: string) => {
      const event = eventOf(other.accountId, { request: requestOf(label) });
      return { ...eventKey(other.accountId, event.id), type: 'event', ...event };
    };
    const { accountId: id } = erased;
    await putAll([`${id}9`, `x${id}`, `${id}-b`, `a_${id}`, `${id}_b`].map(naming));
    const elsewhere = async () => (await scanned(id, true)).elsewhere;
    expect(await elsewhere()).toEqual({});
    await putAll([naming(`see ${id}.`)]);
    expect(await elsewhere()).toEqual({ event: 1 });
  });

  test('all object versions, delete markers and unfinished uploads on several pages are removed', async () => {
    const removed: string[] = [];
    const client = new S3Client({});
    client.middlewareStack.add(
      (_, { commandName }) =>
        async ({ input }) => {
          const { Prefix, Key, VersionId, UploadId, KeyMarker } = input as Record<string, string | undefined>;
          const isNext = KeyMarker === 'last';
          const more = {
            IsTruncated: !isNext,
            NextKeyMarker: 'last',
            NextVersionIdMarker: 'v',
            NextUploadIdMarker: 'u',
          };
          const own = Prefix?.startsWith('documents/') ? { ...more } : undefined;
          const page = isNext ? '2' : '1';
          const outputs: Record<string, object> = {
            ListObjectVersionsCommand: {
              ...own,
              Versions: own && [{ Key: `object-${page}`, VersionId: 'v' }],
              DeleteMarkers: own && [{ Key: `object-${page}`, VersionId: 'marker' }],
            },
            ListMultipartUploadsCommand: {
              ...own,
              Uploads: own && [{ Key: `upload-${page}`, UploadId: 'u' }],
            },
          };
          const output = outputs[commandName ?? ''];
          if (!output) removed.push(`${commandName} ${Key} ${VersionId ?? UploadId}`);
          return { response: undefined, output: { $metadata: {}, ...output } };
        },
      { step: 'initialize' },
    );
    const at = { s3: client, bucket: 'files' };
    expect(await removeAccountFiles(at, acme.accountId, { count: true })).toBe(6);
    expect(removed).toEqual([]);
    expect(await removeAccountFiles(at, acme.accountId, { count: false })).toBe(6);
    expect(removed.sort()).toEqual([
      'AbortMultipartUploadCommand upload-1 u',
      'AbortMultipartUploadCommand upload-2 u',
      'DeleteObjectCommand object-1 marker',
      'DeleteObjectCommand object-1 v',
      'DeleteObjectCommand object-2 marker',
      'DeleteObjectCommand object-2 v',
    ]);
  });

  test('an erasure ends even if requests with old tokens and wrong keys continue', async () => {
    const service = await cloudService(stageNamed('local'));
    let checks = 0;
    const params = { applicationId: 'app_guessed' };
    const outside = {
      files: async () => 0,
      deadLetters: (of: AccountId, how: { count: boolean }) => removeDeadLetters(service, of, how),
      rawMails: async () => undefined,
      queues: async () => {
        checks += 1;
        if (checks > 5) throw new Error('The erasure does not end');
        clock.advance(60_000);
        expect((await acme.admin.call(listLeads)).status).toBe(401);
        const query = { acctId: acme.accountId, appKey: mintAppKey() };
        expect((await client({}).call(readApplication, { params, query })).status).toBe(401);
        return { held: [], delayed: 0 };
      },
    };
    const { removed, proof } = await eraseAccount(acme.accountId, outside, 50);
    expect([checks, proof.items, proof.calls, removed.items]).toEqual([1, 0, 2, { counter: 2 }]);
  });

  test('an email item without a user is removed, unless the item moves to another account in the meantime', async () => {
    const emailItem = (id: number, home: AccountId) => ({
      ...emailAcrossAccountsKey(`${id}@left.test`),
      ...{ type: 'email', id, home },
    });
    const put = (Item: Item) => documents.send(new PutCommand({ TableName: process.env.TABLE_NAME, Item }));
    for (const id of [1, 2]) await put(emailItem(id, acme.accountId));
    const { pk, sk } = userKey(acme.accountId, 2);
    const stop = watchWire({
      before: ({ operation, input }) =>
        operation === 'GetItem' &&
        canonicalJson([input.Key]) === canonicalJson([{ pk: { S: pk }, sk: { S: sk } }])
          ? put(emailItem(2, globex.accountId))
          : undefined,
    });
    await scanned(acme.accountId, false);
    stop();
    const left = (await scanTable()).filter((item) => item.pk.endsWith('@left.test'));
    expect(left).toEqual([emailItem(2, globex.accountId)]);
  });

  test('an erasure that was interrupted asks for the name of the account again', async () => {
    const { accountId } = await tenant();
    const outside = {
      files: async () => 0,
      deadLetters: async () => 0,
      rawMails: async () => undefined,
      queues: async () => {
        throw new Error('interrupted');
      },
    };
    await expect(eraseAccount(accountId, outside, 0)).rejects.toThrow('interrupted');
    const options = ['--account', accountId, '--wait', '1', '--stage', 'local'];
    const refused = { code: 2, stdout: '' };
    expect(await erase.here(...options, '--name', 'Other')).toEqual({
      ...refused,
      stderr: `This is not the name of account ${accountId}. Nothing was changed.\n`,
    });
    expect(await erase.asProcess(...options)).toEqual({
      ...refused,
      stderr: '--name is required when there is no terminal.\n',
    });
  });

  test('an erasure is confirmed with the trimmed name of the account, or with its id if the name is blank', () => {
    const confirmations = ['Acme', ' Acme\t', ' '].map((name) => confirmationOf(acme.accountId, name));
    expect(confirmations).toEqual(['Acme', 'Acme', acme.accountId]);
  });

  test('a second erasure finds nothing', async () => {
    const options = ['--account', acme.accountId, '--wait', '1', '--stage', 'local', '--json'];
    const again = await erase.asProcess(...options);
    expect([again.code, again.stderr]).toEqual([0, '']);
    const { removed, proof } = JSON.parse(again.stdout);
    expect(removed).toEqual({ items: {}, users: 0, usersRemoved: 0, files: 0, deadLetters: 0 });
    expect(proof).toMatchObject({ items: 0, files: 0, deadLetters: 0, queues: { held: [], delayed: 0 } });
  });

  test('members of another account can log in to that account, and other users are removed', async () => {
    for (const { user } of [shared, guest]) {
      const authorization = await signIn({ email: user.email, password: memberPassword });
      const session = await client({ authorization }).ok(readSession);
      expect(session.accounts.map(({ accountId }) => accountId)).toEqual([globex.accountId]);
    }
    expect((await shared.client.call(readSession)).status).toBe(401);
    expect((await guest.client.call(readSession)).status).toBe(200);
    const { adminEmail: email, adminPassword: password } = acme;
    await expect(signIn({ email, password })).rejects.toThrow('401');
    expect((await acme.directKey.call(listLeads)).status).toBe(401);
  });
});
