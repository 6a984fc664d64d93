import type { SQSEvent } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import incoming from '../../events/consumers/incoming.ts';
import moveMail from '../../functions/mails/move-mail.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import readMail from '../../functions/mails/read-mail.ts';
import releaseMail from '../../functions/mails/release-mail.ts';
import listTicketDocuments from '../../functions/tickets/list-ticket-documents.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import { replyAddress } from '../../shared/correspondence/threads/thread-token.ts';
import { deleteObject } from '../../shared/documents/bucket.ts';
import { maxFilesPerKey, maxFilesPerRecord } from '../../shared/documents/rules.ts';
import { clock } from '../harness/clock.ts';
import { consumerFunction, drain } from '../harness/drain.ts';
import { killAt } from '../harness/kill.ts';
import { storedEvents } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';
import { asTest } from '../harness/wire.ts';
import { addressOf, received, type TestMail, withFiles } from './incoming-mail.ts';

/** A mail that fails authentication, and is quarantined. */
const forged: Partial<TestMail> = { verdicts: { dmarc: 'FAIL', dmarcPolicy: 'reject' } };
const fromBob: Partial<TestMail> = { from: 'Bob <bob@example.com>' };
const day = 86_400_000;

/** An account with a ticket that a mail of Ada opened. Bob does not take part in it. */
async function world() {
  const acme = await tenant();
  const { accountId: account, directKey: key } = acme;
  const inbound = await addressOf(account);
  const first = await received(account, { to: inbound });
  const thread = { recordType: 'ticket', recordId: first.recordId ?? '' } as const;
  const reply = await replyAddress(account, thread, 'ada@example.com');
  const ticketOf = async ({ recordId }: Pick<StoredMail, 'recordId'>) =>
    (await key.ok(listTickets, { query: { pageSize: 100 } })).data.find(
      ({ id }) => String(id) === recordId,
    ) ?? expect.fail('The ticket does not exist.');
  const documentsOf = async (mail: Pick<StoredMail, 'recordId'>) => {
    const { uniqueId: ticketId, attachmentCount } = await ticketOf(mail);
    const page = await key.ok(listTicketDocuments, { params: { ticketId }, query: { pageSize: 100 } });
    expect(page.data).toHaveLength(attachmentCount);
    return page.data;
  };
  const read = ({ id }: { id: number }) => key.ok(readMail, { params: { mailId: id } });
  const leftOut = async (mail: { id: number }) =>
    (await read(mail)).attachments.map((one) => one.leftOut ?? 'document');
  const release = ({ id }: { id: number }) => key.ok(releaseMail, { params: { mailId: id } });
  const move = ({ id }: { id: number }, body: { recordId: string }) =>
    key.ok(moveMail, { params: { mailId: id }, body: { recordType: 'ticket' as const, ...body } });
  const eventsNamed = async (happening: string) =>
    (await storedEvents(account)).filter(
      ({ data }) => (data as { happening?: string }).happening === happening,
    );
  await drain();
  return { account, key, inbound, reply, thread, documentsOf, read, leftOut, release, move, eventsNamed };
}

const consume = consumerFunction(incoming);

/** Delivers the last event with a name to the consumer, in parallel. */
async function deliver(events: readonly object[], times: number): Promise<void> {
  const body = JSON.stringify(events.at(-1));
  const Records = Array.from({ length: times }, (_, n) => ({ messageId: String(n), body }));
  expect(await consume({ Records } as SQSEvent)).toEqual({ batchItemFailures: [] });
}

test('the attachments of a quarantined mail become documents of the ticket that its release opens', async () => {
  const { account, inbound, documentsOf, read, release, eventsNamed } = await world();
  const files = [{}, { name: 'fake.pdf', content: 'MZ program' }];
  const mail = await received(account, { to: inbound, ...forged, ...withFiles('See the files.', files) });
  expect(mail.attachments.map(({ leftOut }) => leftOut)).toEqual(
    Array.from({ length: 2 }, () => 'The mail is quarantined.'),
  );
  const { recordId } = await release(mail);
  await drain();
  const documents = await documentsOf({ recordId });
  expect(documents).toMatchObject([{ name: 'scan.pdf', size: 13 }]);
  expect((await read(mail)).attachments).toMatchObject([
    { fileName: 'scan.pdf', documentId: Number(documents[0]?.id) },
    { fileName: 'fake.pdf', leftOut: 'The file does not have the stated type.' },
  ]);
  expect(await eventsNamed('mail_attachments_stored')).toMatchObject([
    { actor: { user: 'system' }, data: { recordId: mail.id, detail: { documents: 1, recordId } } },
  ]);
});

test('five deliveries of the event of a released mail add its attachment once', async () => {
  const { account, reply, documentsOf, thread, read, release, eventsNamed } = await world();
  const held = await received(account, { to: reply, ...fromBob, ...withFiles('Hello') });
  expect(held).toMatchObject({ state: 'held', attachments: [{ leftOut: 'The mail is held.' }] });
  await release(held);
  const released = await eventsNamed('mail_released');
  await deliver(released, 4);
  const { attachments, version } = await read(held);
  await deliver(released, 1);
  await drain();
  expect(await read(held)).toMatchObject({ attachments, version });
  expect(attachments).toMatchObject([{ documentId: expect.any(Number) }]);
  expect(await documentsOf(thread)).toHaveLength(1);
});

test('a moved mail adds the attachments that are no documents yet to its new ticket', async () => {
  const { account, inbound, thread, documentsOf, leftOut, move } = await world();
  const sales = await addressOf(account, { address: 'sales@acme.test', purpose: 'leads' });
  const ofLead = await received(account, { to: sales, ...withFiles('Hello') });
  expect(ofLead).toMatchObject({ recordType: 'lead' });
  expect(await leftOut(ofLead)).toEqual(['Only files of tickets become documents.']);
  await move(ofLead, thread);
  await drain();
  expect(await leftOut(ofLead)).toEqual(['document']);
  const files = Array.from({ length: maxFilesPerKey + 1 }, (_, n) => ({ name: `${n}.pdf` }));
  const ofTicket = await received(account, { to: inbound, ...fromBob, ...withFiles('Hello', files) });
  await move(ofTicket, thread);
  await drain();
  expect((await leftOut(ofTicket)).at(-1)).toBe('A mail can add 10 documents.');
  expect(await documentsOf(ofTicket)).toHaveLength(maxFilesPerKey);
  expect(await documentsOf(thread)).toHaveLength(1);
});

test('a mail that was moved or quarantined after its release adds no document to the former ticket', async () => {
  const { account, key, inbound, reply, thread, documentsOf, leftOut, release, move, eventsNamed } =
    await world();
  const other = await received(account, { to: inbound, from: 'Eve <eve@example.com>' });
  const held = await received(account, { to: reply, ...fromBob, ...withFiles('Hello') });
  await release(held);
  await move(held, { recordId: other.recordId ?? '' });
  await deliver(await eventsNamed('mail_released'), 2);
  await drain();
  expect([await documentsOf(thread), await leftOut(held)]).toEqual([[], ['document']]);
  expect(await documentsOf(other)).toHaveLength(1);

  const second = await received(account, { to: reply, from: 'Eve <eve@example.com>', ...withFiles('Hi') });
  await release(second);
  await key.ok(quarantineMail, { params: { mailId: second.id } });
  await drain();
  expect([await documentsOf(thread), await leftOut(second)]).toEqual([[], ['The mail is held.']]);
  await release(second);
  await drain();
  expect([await documentsOf(thread), await leftOut(second)]).toMatchObject([[{}], ['document']]);
});

test('a full ticket accepts no attachments of a released mail, and the record says so', async () => {
  const { account, reply, thread, documentsOf, leftOut, release } = await world();
  const files = Array.from({ length: maxFilesPerKey }, () => ({}));
  for (let n = 0; n < maxFilesPerRecord / maxFilesPerKey; n++)
    await received(account, { to: reply, ...withFiles(`Hello ${n}`, files) });
  const held = await received(account, { to: reply, ...fromBob, ...withFiles('One more') });
  await release(held);
  await drain();
  expect(await leftOut(held)).toEqual(['The ticket accepts no more documents.']);
  expect(await documentsOf(thread)).toHaveLength(maxFilesPerRecord);
});

test('after the raw mail was deleted, the record says why its attachments are no documents', async () => {
  const { account, inbound, leftOut, release, documentsOf } = await world();
  onTestFinished(clock.reset);
  const quarantined = (from: string) =>
    received(account, { to: inbound, from, ...forged, ...withFiles('Hello') });
  const [removed, expired] = [await quarantined('a@example.com'), await quarantined('b@example.com')];
  await asTest(() => deleteObject(removed.rawKey ?? '', { now: clock.now(), deadline: Date.now() + 10_000 }));
  const opened = [await release(removed)];
  await drain();
  clock.advance(31 * day);
  opened.push(await release(expired));
  await drain();
  for (const mail of [removed, expired])
    expect(await leftOut(mail)).toEqual(['The raw mail was deleted after 30 days.']);
  for (const mail of opened) expect(await documentsOf(mail)).toEqual([]);
});

test('the files of a mail with a virus, and of a mail that opens a lead, stay in the raw mail', async () => {
  const { account, inbound, leftOut, release, documentsOf } = await world();
  const infected = await received(account, {
    ...{ to: inbound, verdicts: { virus: 'FAIL' } },
    ...withFiles('Hello'),
  });
  const sales = await addressOf(account, { address: 'sales@acme.test', purpose: 'leads' });
  const ofLead = await received(account, { to: sales, ...forged, ...withFiles('Hello') });
  const opened = await release(infected);
  expect(await release(ofLead)).toMatchObject({ recordType: 'lead' });
  await drain();
  expect(await documentsOf(opened)).toEqual([]);
  expect(await leftOut(infected)).toEqual(['The check for viruses found a virus, or did not end.']);
  expect(await leftOut(ofLead)).toEqual(['Only files of tickets become documents.']);
});

test.each(['before', 'after'] as const)(
  'the consumer is killed %s each call: a released mail adds its attachment once',
  async (moment) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => void vi.restoreAllMocks());
    const { account, reply, thread, documentsOf, leftOut, release } = await world();
    let kills = 0;
    for (let n = 1; ; n++) {
      const from = `Bob <bob${n}@example.com>`;
      const held = await received(account, { to: reply, from, ...withFiles(`Hello ${n}`) });
      await release(held);
      const wasKilled = await killAt(n, moment, drain, 'events-incoming');
      await drain();
      expect([n, await leftOut(held)]).toEqual([n, ['document']]);
      expect(await documentsOf(thread)).toHaveLength(n);
      if (!wasKilled) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
  },
);
