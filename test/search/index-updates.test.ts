import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import { leads } from '../../shared/sales/leads/store.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import { deleteAll, putAll } from '../../shared/table/batch-write.ts';
import type { Key } from '../../shared/table/keys.ts';
import { searchEntriesKey } from '../../shared/table/keys.ts';
import { queryItems } from '../../shared/table/read.ts';
import { compareIndex } from '../../shared/table/update-index.ts';
import { drain } from '../harness/drain.ts';
import { killEvery, runs } from '../harness/heavy.ts';
import { firstKill, killAt } from '../harness/kill.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin, accountId: account } = acme;
const options = ['--account', account, '--stage', 'local'];
const check = operatorsCommand('search-index', 'check');
const build = operatorsCommand('search-index', 'build');

/** The items of the index with this word. */
const itemsWith = (word: string) =>
  queryItems({
    partition: `ACCOUNT#${account}#SEARCH#LEAD#${word.charAt(0)}`,
    sortKey: { from: `${word} `, to: `${word} ~` },
  });

const nothing = { missing: [], unexpected: [] };

test('the index converges after the consumer was killed at any of its calls, for each kind of change', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  onTestFinished(() => void vi.restoreAllMocks());
  const body = { firstName: 'Ada', lastName: 'Byron', company: 'Harbor Coffee', phone: '(415) 555-0134' };
  let kills = 0;
  for (const moment of ['before', 'after'] as const)
    for (let n = firstKill(moment, killEvery); n <= 12; n += killEvery) {
      const { id } = await admin.ok(createLead, { body });
      const params = { leadId: id };
      const killed = [await killAt(n, moment, drain, 'events-search')];
      await drain();
      expect(await compareIndex(leads, account, id), `created ${moment} ${n}`).toMatchObject(nothing);
      await admin.ok(updateLead, { params, body: { company: 'Navy Yard', firstName: 'Grace' } });
      killed.push(await killAt(n, moment, drain, 'events-search'));
      await drain();
      expect(await compareIndex(leads, account, id), `changed ${moment} ${n}`).toMatchObject(nothing);
      await admin.ok(deleteLead, { params });
      killed.push(await killAt(n, moment, drain, 'events-search'));
      await drain();
      const compared = await compareIndex(leads, account, id);
      expect(compared, `deleted ${moment} ${n}`).toEqual({ compared: 0, ...nothing });
      kills += killed.filter(Boolean).length;
      if (!killed.includes(true) || killEvery === Number.POSITIVE_INFINITY) break;
    }
  expect(kills).toBeGreaterThan(0);
  expect([...(await itemsWith('harbor')), ...(await itemsWith('navy'))]).toEqual([]);
  // The administrator of the account remains.
  expect((await check.here(...options)).stdout).toBe(
    '1 records with 2 entries in the search index: all agree.\n',
  );
});

test('the search-index commands write missing entries, and find and mend entries that do not agree', async () => {
  const { id } = await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await admin.ok(createLead, { body: { firstName: 'Bob', lastName: 'Harbor' } });
  expect(await check.here(...options)).toMatchObject({ code: 1 });
  expect((await build.here(...options)).stdout).toBe('The search index has the entries of 3 records.\n');
  const agree = '3 records with 16 entries in the search index: all agree.\n';
  expect(await check.asProcess(...options)).toEqual({ code: 0, stderr: '', stdout: agree });

  const [ada] = await itemsWith('ada');
  const { pk, sk = '' } = ada as Key;
  const orphan = { ...ada, pk, sk: sk.replace('ada', 'adam') };
  const gone = { ...ada, pk, sk: sk.replace(/\d+$/, '9007199254740990'), id: 1 };
  await deleteAll([{ pk, sk }]);
  await putAll([orphan, gone]);
  const mended = await check.here(...options, '--json');
  expect(mended.code).toBe(1);
  expect(JSON.parse(mended.stdout)).toMatchObject({ records: 3, entries: 16 });
  expect(JSON.parse(mended.stdout).differences.sort()).toEqual([
    `${account} lead 1: 0 entries were missing, 1 were unexpected.`,
    `${account} lead ${id}: 1 entries were missing, 1 were unexpected.`,
  ]);
  expect((await check.here(...options)).stdout).toBe(agree);
  expect(await itemsWith('ada')).toEqual([ada]);
  expect(await itemsWith('adam')).toEqual([]);

  await deleteAll([searchEntriesKey(account, 'LEAD', id)]);
  expect(await check.here(...options)).toMatchObject({ code: 1 });
  expect((await check.here(...options)).stdout).toBe(agree);
  expect((await admin.ok(listLeads, { query: { search: 'ada' } })).totalCount).toBe(1);
});

test('the index agrees with a ticket after any comments, also those whose events the consumer does not receive', async () => {
  const other = await tenant();
  const comment = fc.oneof(
    fc.record({ authorType: fc.constant('customer'), status: fc.constant(undefined) }),
    fc.record(
      {
        authorType: fc.constant('staff'),
        visibility: fc.constantFrom('public', 'internal'),
        status: fc.constantFrom('open', 'waiting_customer', 'resolved'),
      },
      { requiredKeys: ['authorType', 'visibility'] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(comment, { minLength: 1, maxLength: 5 }), async (comments) => {
      const ticket = await newTicketOf(other.admin);
      await drain();
      for (const one of comments) {
        const body = { ...JSON.parse(JSON.stringify(one)), body: 'Thanks' };
        await other.admin.ok(createTicketComment, { params: { ticketId: String(ticket.id) }, body });
        await drain();
        const compared = await compareIndex(tickets, other.accountId, ticket.id);
        expect(compared).toMatchObject(nothing);
        expect(compared.compared).toBeGreaterThan(0);
      }
    }),
    { numRuns: 10 * runs },
  );
});
