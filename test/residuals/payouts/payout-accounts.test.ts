import { describe, expect, test } from 'vitest';
import deletePayoutAccount from '../../../functions/residual-payouts/delete-payout-account.ts';
import listPayoutAccounts from '../../../functions/residual-payouts/list-payout-accounts.ts';
import readPayoutAccount from '../../../functions/residual-payouts/read-payout-account.ts';
import readPayoutSettings from '../../../functions/residual-payouts/read-payout-settings.ts';
import savePayoutAccount from '../../../functions/residual-payouts/save-payout-account.ts';
import savePayoutSettings from '../../../functions/residual-payouts/save-payout-settings.ts';
import type { CallResponse, ErrorBody } from '../../harness/call.ts';
import { childAccount } from '../../harness/child-account.ts';
import { clock } from '../../harness/clock.ts';
import { member, provesAgain } from '../../harness/member.ts';
import { scanTable, storedEvents } from '../../harness/raw-table.ts';
import { tenant } from '../../harness/tenant.ts';
import { accountOf, agent, bank, setBank, settings } from './world.ts';

const acme = await tenant();
const { admin } = acme;

const faultOf = ({ status, body }: CallResponse<unknown>) => {
  const { error, details = [] } = body as ErrorBody;
  return [status, error, ...details.map(({ field, message }) => `${field} ${message}`)].join(' ');
};
const paramsOf = (id: number | string) => ({ params: { id: accountOf(id) } });

describe('a payout account', () => {
  test('shows its number only on request, and an event records it', async () => {
    const ada = await agent(acme, { accountNumber: '000918273645' });
    const shown = await admin.ok(readPayoutAccount, paramsOf(ada.id));
    expect(shown).toMatchObject({ accountNumber: 'REDACTED', accountNumberLast4: '3645', version: 1 });
    expect((await admin.ok(listPayoutAccounts)).data).toContainEqual(shown);
    const revealed = await admin.ok(readPayoutAccount, { ...paramsOf(ada.id), query: { reveal: true } });
    expect(revealed).toEqual({ ...shown, accountNumber: '000918273645' });
    const events = await storedEvents(acme.accountId);
    expect(events.at(-1)).toMatchObject({
      kind: 'application_sensitive_data_revealed',
      subject: { type: 'payout_account', id: accountOf(ada.id) },
      data: { fields: ['accountNumber'] },
    });
    expect(JSON.stringify(await scanTable())).not.toContain('000918273645');
  });

  test('needs a permission that readers and writers of residuals lack, and a fresh proof', async () => {
    const ada = await agent(acme);
    const reader = await member(acme, ['readResiduals', 'writeResiduals', 'approveResiduals']);
    const payer = await member(acme, ['payResiduals']);
    const body = { ...bank, holderName: 'Grace Hopper' };
    expect((await reader.client.call(readPayoutAccount, paramsOf(ada.id))).status).toBe(403);
    expect((await reader.client.call(savePayoutAccount, { ...paramsOf(ada.id), body })).status).toBe(403);
    expect((await payer.client.ok(savePayoutAccount, { ...paramsOf(ada.id), body })).version).toBe(2);
    clock.advance(11 * 60_000);
    expect(faultOf(await payer.client.call(savePayoutAccount, { ...paramsOf(ada.id), body }))).toBe(
      '403 step_up_required',
    );
    expect(
      faultOf(await payer.client.call(readPayoutAccount, { ...paramsOf(ada.id), query: { reveal: true } })),
    ).toBe('403 step_up_required');
    await provesAgain(payer.client);
    await provesAgain(admin);
  });

  test('keeps its number for REDACTED, and an equal number changes nothing', async () => {
    const ada = await agent(acme);
    const put = (more: object) =>
      admin.ok(savePayoutAccount, { ...paramsOf(ada.id), body: { ...bank, ...more } });
    expect((await put({})).version).toBe(1);
    expect((await put({ accountNumber: 'REDACTED' })).version).toBe(1);
    expect((await put({ accountNumber: 'REDACTED', accountType: 'savings' })).version).toBe(2);
    const { accountNumber } = await admin.ok(readPayoutAccount, {
      ...paramsOf(ada.id),
      query: { reveal: true },
    });
    expect(accountNumber).toBe(bank.accountNumber);
  });

  test.each([
    [{ routingNumber: '011000016' }, 'routingNumber is not a valid routing number: its check digit is wrong'],
    [{ routingNumber: '11000015' }, 'routingNumber is not a routing number'],
    [{ accountNumber: '123456789012345678' }, 'accountNumber must have at most 17 digits'],
    [{ accountNumber: 'ABC' }, 'accountNumber must have at most 17 digits'],
    [{ accountNumber: 'REDACTED' }, 'accountNumber cannot be REDACTED'],
    [{ holderName: '李小龙' }, 'holderName must contain Latin letters'],
  ])('with %j is refused', async (fields, message) => {
    const { user } = await member(acme, []);
    const response = await admin.call(savePayoutAccount, {
      ...paramsOf(user.id),
      body: { ...bank, ...fields },
    });
    expect(faultOf(response)).toContain(`400 invalid_input ${message}`);
  });

  test('belongs to a user or a child account, and can be deleted and created again', async () => {
    const put = (id: number | string) => admin.call(savePayoutAccount, { ...paramsOf(id), body: bank });
    const other = await tenant();
    for (const id of [17, other.accountId]) expect(await put(id)).toMatchObject({ status: 404 });
    const { accountId: id } = await childAccount(acme);
    expect((await put(id)).body).toMatchObject({ beneficiary: { type: 'account', id } });
    const ada = await agent(acme);
    await admin.ok(deletePayoutAccount, paramsOf(ada.id));
    expect((await admin.call(readPayoutAccount, paramsOf(ada.id))).status).toBe(404);
    expect((await admin.ok(savePayoutAccount, { ...paramsOf(ada.id), body: bank })).version).toBe(1);
  });
});

describe('the settings of payouts', () => {
  test('are created and replaced, and an omitted field is cleared', async () => {
    expect((await admin.call(readPayoutSettings)).status).toBe(404);
    expect(await setBank(acme, { addenda: true })).toMatchObject({ version: 1, addenda: true });
    const second = await setBank(acme);
    expect(second).toMatchObject({ ...settings, version: 2 });
    expect(second).not.toHaveProperty('addenda');
    expect(await setBank(acme)).toEqual(second);
    expect(await admin.ok(readPayoutSettings)).toEqual(second);
  });

  test.each([
    [{ odfiRoutingNumber: '121042883' }, 'odfiRoutingNumber is not a valid routing number'],
    [{ immediateDestination: '000000000' }, 'immediateDestination is a placeholder'],
    [{ companyId: '12345' }, 'companyId'],
    [{ companyName: 'Zahlungsanstalt für alle' }, 'companyName'],
    [{ bankName: '   ' }, 'bankName'],
  ])('with %j are refused', async (fields, message) => {
    const response = await admin.call(savePayoutSettings, { body: { ...settings, ...fields } });
    expect(faultOf(response)).toContain(`400 invalid_input ${message}`);
  });
});
