import { describe, expect, test } from 'vitest';
import deleteBankAccount from '../../functions/billing/delete-bank-account.ts';
import listBankAccounts from '../../functions/billing/list-bank-accounts.ts';
import readBankAccount from '../../functions/billing/read-bank-account.ts';
import saveBankAccount from '../../functions/billing/save-bank-account.ts';
import listEvents from '../../functions/events/list-events.ts';
import importBankStatement from '../../functions/invoices/import-bank-statement.ts';
import type { BankAccountInput } from '../../shared/billing/bank-accounts/schema.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { customer, opened } from './world.ts';

const body = { name: 'Checking', currency: 'EUR' };
const params = { id: 'main-1' };

describe('a bank account', () => {
  test('is created, changed, listed and deleted with an id of the caller', async () => {
    const { admin } = await tenant();
    const style = { dates: 'dmy', decimals: 'comma', columns: { date: 'Tag', amount: 'Betrag' } } as const;
    const created = await admin.ok(saveBankAccount, { params, body: { ...body, ...style } });
    expect(created).toMatchObject({ id: 'main-1', version: 1, ...body, ...style });
    expect(created).not.toHaveProperty('listId');
    expect(await admin.ok(saveBankAccount, { params, body: { ...body, ...style } })).toEqual(created);
    // A PUT replaces all fields.
    const changed = await admin.ok(saveBankAccount, { params, body: { ...body, name: 'Main' } });
    expect(changed).toMatchObject({ id: 'main-1', version: 2, name: 'Main', createdAt: created.createdAt });
    for (const field of Object.keys(style)) expect(changed).not.toHaveProperty(field);
    expect(await admin.ok(readBankAccount, { params })).toEqual(changed);
    const other = await admin.ok(saveBankAccount, { params: { id: 'main-2' }, body });
    const { data, totalCount } = await admin.ok(listBankAccounts);
    expect([data, totalCount]).toEqual([[other, changed], 2]);
    expect(await admin.ok(deleteBankAccount, { params })).toEqual(changed);
    expect((await admin.call(readBankAccount, { params })).status).toBe(404);
    expect((await admin.call(deleteBankAccount, { params })).status).toBe(404);
    expect((await admin.ok(listBankAccounts)).totalCount).toBe(1);
    expect(await admin.ok(saveBankAccount, { params, body })).toMatchObject({ version: 1 });
    const { data: events } = await admin.ok(listEvents, { query: { kind: 'no_event_name' } });
    expect(events.map((one) => (one as { data?: { change?: string } }).data?.change)).toEqual([
      ...['created', 'deleted', 'created', 'updated', 'created'],
    ]);
  });

  test('belongs to one account', async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.admin.ok(saveBankAccount, { params, body });
    expect((await other.admin.call(readBankAccount, { params })).status).toBe(404);
    expect((await other.admin.ok(listBankAccounts)).data).toEqual([]);
  });

  test('is changed by one of two concurrent requests with an ETag', async () => {
    const { admin } = await tenant();
    await admin.ok(saveBankAccount, { params, body });
    const sent = ['A', 'B'].map((name) =>
      admin.call(saveBankAccount, { params, body: { ...body, name }, headers: { 'if-match': '"1"' } }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  test.each([
    [{ id: '4111111111111111' }, body],
    [params, { ...body, name: 'Card 4111 1111 1111 1111' }],
    [params, { ...body, columns: { date: '4111111111111111' } }],
    [params, { ...body, currency: 'XXX' }],
    [params, { ...body, dates: 'american' }],
  ] as [{ id: string }, BankAccountInput][])('with %j %j is refused', async (to, sent) => {
    const { admin } = await tenant();
    expect((await admin.call(saveBankAccount, { params: to, body: sent })).status).toBe(400);
  });

  test.each(['a/b', '..', 'a#b', 'x'.repeat(65)])('does not have the id %j', async (id) => {
    const { admin } = await tenant();
    expect((await admin.call(saveBankAccount, { params: { id }, body })).status).toBe(404);
  });

  test('beyond 100 is refused, and again possible after a deletion', async () => {
    const { admin } = await tenant();
    for (let n = 0; n < 100; n++) await admin.ok(saveBankAccount, { params: { id: `n${n}` }, body });
    const next = () => admin.call(saveBankAccount, { params: { id: 'next' }, body });
    expect(await next()).toMatchObject({ status: 400, body: { error: 'quota_exceeded' } });
    await admin.ok(deleteBankAccount, { params: { id: 'n7' } });
    expect((await next()).status).toBe(200);
  });
});

/** An account with an open invoice of 5,000 EUR cents, INV-000001. */
async function billed() {
  const owner = await tenant();
  const lines = [{ description: 'Fee', quantity: 1, unitAmount: 5_000 }];
  await opened(owner, { customerId: await customer(owner), currency: 'EUR', lines });
  return owner;
}
const send = ({ admin }: Tenant, more: object) => admin.call(importBankStatement, { body: more });

describe('the import of a bank account', () => {
  const unknown = 'Wann;Wieviel;Wozu\n03/04/2026;50,00;INV-000001\n';
  const columns = { date: 'Wann', amount: 'Wieviel', description: ['Wozu'] };

  test('uses what is stored for it', async () => {
    const owner = await billed();
    const statement = { statement: unknown, bankAccount: params.id };
    expect((await send(owner, statement)).status).toBe(400);
    await owner.admin.ok(saveBankAccount, { params, body: { ...body, columns, dates: 'mdy' } });
    const { transactions, suggestion } = await owner.admin.ok(importBankStatement, { body: statement });
    expect(transactions).toMatchObject([{ result: 'matched', amount: 5_000, paidOn: '2026-03-04' }]);
    expect(suggestion).toBeUndefined();
  });

  test('prefers what the request sends', async () => {
    const owner = await billed();
    const stored = { ...body, currency: 'USD', columns: { date: 'Tag' }, dates: 'mdy' as const };
    await owner.admin.ok(saveBankAccount, { params, body: stored });
    const sent = { statement: unknown, bankAccount: params.id, columns, currency: 'EUR', dates: 'dmy' };
    const { body: result } = await send(owner, sent);
    expect(result).toMatchObject({ transactions: [{ result: 'matched', paidOn: '2026-04-03' }] });
  });

  test('suggests what a person can store as it is, so that the next file is read in the same way', async () => {
    const owner = await billed();
    const file = (day: string) =>
      `Buchungstag;Empfänger;Verwendungszweck;Betrag\n${day};Bob;INV-000001;50,00\n`;
    const first = { statement: file('13/03/2026'), bankAccount: 'DE89', currency: 'EUR' };
    const { suggestion, matched } = await owner.admin.ok(importBankStatement, { body: first });
    expect(matched).toBe(1);
    expect(suggestion).toEqual({
      ...{ name: 'DE89', currency: 'EUR', dates: 'dmy', decimals: 'comma' },
      columns: { date: 'Buchungstag', amount: 'Betrag', description: ['Empfänger', 'Verwendungszweck'] },
    });
    // Alone, this file is ambiguous. The error has both readings.
    const second = { statement: file('03/04/2026'), bankAccount: 'DE89' };
    const refused = await send(owner, second);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      400,
      expect.stringMatching(/2026-04-03 or 2026-03-04/),
    ]);
    const stored = suggestion as BankAccountInput;
    await owner.admin.ok(saveBankAccount, { params: { id: 'DE89' }, body: stored });
    expect(await owner.admin.ok(importBankStatement, { body: second })).toMatchObject({
      transactions: [{ paidOn: '2026-04-03', amount: 5_000, reason: 'invoice_not_open' }],
    });
    // The file that suggested the style changes nothing.
    const again = await owner.admin.ok(importBankStatement, { body: { ...first, currency: undefined } });
    expect(again.transactions).toMatchObject([{ result: 'duplicate' }]);
  });

  test('of another format suggests the currency and the end of the account', async () => {
    const owner = await tenant();
    const statement =
      ':20:X\n:25:DE89370400440532013000\n:60F:C260301EUR1,\n:61:2603020302C2,NTRFNONREF//A\n:62F:C260302EUR3,\n';
    const { suggestion } = await owner.admin.ok(importBankStatement, { body: { statement } });
    expect(suggestion).toEqual({ name: 'Bank account 3000', currency: 'EUR' });
    await owner.admin.ok(saveBankAccount, { params, body: suggestion as BankAccountInput });
  });
});
