import type { Caller, Params, Scene } from './caller.ts';
import { createAt, perform } from './perform.ts';

/** The path of a statement, which `records` creates. */
const statementPath = '/residual-statements/{id}';

/** The company and the bank of payouts. The routing number has a valid check digit. */
export const settingsOfPayouts = (companyName: string) => ({
  ...{ companyName, companyId: '1234567890' },
  ...{ odfiRoutingNumber: '121042882', bankName: 'First Harbor Bank' },
});

/** Adds the bank account of a new user, and returns its path. */
export async function newPayoutAccount(caller: Caller): Promise<Params> {
  const { record } = await createAt(caller, '/users/{email}');
  const params = { id: `user:${record.id}` };
  await perform(caller, 'PUT /payout-accounts/{id}', { params });
  return params;
}

/** Approves a new statement whose beneficiary has a bank account, and returns its id. */
async function payableStatement(caller: Caller): Promise<number> {
  const { params } = await createAt(caller, statementPath);
  await caller.send('POST /residual-statements/approve', { body: { statementIds: [params.id] } });
  const { beneficiary } = await caller.send<{ beneficiary: { type: string; id: string } }>(
    `GET ${statementPath}`,
    { params },
  );
  const account = { id: `${beneficiary.type}:${beneficiary.id}` };
  await perform(caller, 'PUT /payout-accounts/{id}', { params: account });
  return Number(params.id);
}

const savePayoutSettings = (caller: Caller) =>
  caller.send('PUT /payout-settings', { body: settingsOfPayouts('Harbor Payments') });

export const withPayoutSettings: Scene = async (caller) => {
  await savePayoutSettings(caller);
  return {};
};

/** Creates a payout of one statement. */
export const payingScene: Scene = async (caller) => {
  await savePayoutSettings(caller);
  return { body: { format: 'nacha', statementIds: [await payableStatement(caller)] } };
};

/** Downloads the file of the payout in the path, so that its payments can have results. */
export const afterDownload =
  (body?: object): Scene =>
  async (caller, params) => {
    await caller.send('POST /residual-payouts/{id}/file', { params: { id: params.id ?? 0 } });
    return body ? { body } : {};
  };

const zeros = (value: number, width: number): string => String(value).padStart(width, '0');

/** Returns the file with which the bank returns one payment because of insufficient funds. */
function returnFileOf(trace: string, amount: number): string {
  const odfi = trace.slice(0, 8);
  const own = '021000020000001';
  const sums = `${zeros(Number(odfi), 10)}${zeros(0, 12)}${zeros(amount, 12)}`;
  return [
    `101 121042882 0210000212612020815A094101${' '.repeat(54)}`,
    `5220HARBOR PAYMENTS ${' '.repeat(20)}1234567890PPDRESIDUALS OCT 26261201   102100002${zeros(1, 7)}`,
    `621${odfi}2${' '.repeat(17)}${zeros(amount, 10)}${' '.repeat(39)}1${own}`,
    `799R01${trace}${' '.repeat(6)}02100002${' '.repeat(44)}${own}`,
    `8220${zeros(2, 6)}${sums}1234567890${' '.repeat(25)}02100002${zeros(1, 7)}`,
    `9${zeros(1, 6)}${zeros(1, 6)}${zeros(2, 8)}${sums}${' '.repeat(39)}`,
  ].join('\n');
}

/** Returns a payment of a new payout. */
export const returnScene: Scene = async (caller) => {
  const payout = await perform<{ id: number; entries: { trace: string; amount: number }[] }>(
    caller,
    'POST /residual-payouts',
  );
  await caller.send('POST /residual-payouts/{id}/file', { params: { id: payout.id } });
  const { trace = '', amount = 0 } = payout.entries[0] ?? {};
  return { body: { fileContent: returnFileOf(trace, amount) } };
};
