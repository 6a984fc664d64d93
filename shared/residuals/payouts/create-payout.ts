import type { StoredAccount } from '../../accounts/schema.ts';
import { ApiError, invalid } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { dayIn, daysAfter } from '../../instant.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Write } from '../../table/operations.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { listOfIndex } from '../../table/secondary-indexes.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { isBankingDay, nextBankingDay } from '../nacha/banking-days.ts';
import { achLimit, inFileOrder } from '../nacha/write-nacha-file.ts';
import { decryptAccountNumber, payoutAccounts } from '../payout-accounts/store.ts';
import { residualStatements } from '../statements/store.ts';
import { type ChosenPayment, choosePayments, skipMessages, type WantedStatement } from './choose-payments.ts';
import { payoutChanged } from './events.ts';
import { type PayoutNumbers, takenPayoutNumbers, takePayoutNumbers } from './numbers.ts';
import { renderPayout } from './render-payout.ts';
import {
  type CreatedPayout,
  leftMessage,
  mostPayments,
  type PayoutInput,
  type SkippedStatement,
} from './schema.ts';
import { originatorOf, type PayoutSettings, payoutSettings } from './settings.ts';
import {
  encryptPaymentNumber,
  type NachaFacts,
  payouts,
  type StoredPayment,
  type StoredPayout,
  sha256Of,
  showPayout,
} from './store.ts';

interface PayoutRequest extends Authored {
  account: AccountId;
  accountRecord: Pick<StoredAccount, 'timezone'>;
  body: PayoutInput;
  dataKeys(): Promise<DataKeys>;
}

/** What a new payout depends on. */
interface PayoutSources {
  wanted: WantedStatement[];
  settings: PayoutSettings | undefined;
  taken: PayoutNumbers | undefined;
}

/** The most statements of a month that a request reads. */
const mostRead = 5_000;
/** The most days from the creation of a payout to its effective date. */
const mostDaysAhead = 60;

/** Reads the statements of a request with the bank accounts of their beneficiaries. Throws `invalid_input`. */
export async function readPayoutSources({
  account,
  body,
}: Pick<PayoutRequest, 'account' | 'body'>): Promise<PayoutSources> {
  const [wanted, settings, taken] = await inParallel([
    readWanted(account, body),
    payoutSettings.find(account),
    takenPayoutNumbers(account),
  ]);
  return { wanted, settings, taken };
}

async function readWanted(
  account: AccountId,
  { month, statementIds }: PayoutInput,
): Promise<WantedStatement[]> {
  if ((month === undefined) === (statementIds === undefined))
    throw invalid('month', 'or statementIds is required, but not both');
  const ids = statementIds ?? (await idsOfMonth(account, month ?? ''));
  const statements = new Map(
    (await residualStatements.findMany(account, ids)).map((statement) => [statement.id, statement]),
  );
  const keys = [...new Set([...statements.values()].map(({ beneficiary }) => beneficiaryKey(beneficiary)))];
  const banks = new Map((await payoutAccounts.findMany(account, keys)).map((bank) => [bank.id, bank]));
  return ids.map((id) => {
    const statement = statements.get(id);
    return { id, statement, bank: statement && banks.get(beneficiaryKey(statement.beneficiary)) };
  });
}

/** Returns the ids of the statements of a month that a payout could pay, oldest first. */
async function idsOfMonth(account: AccountId, month: string): Promise<number[]> {
  const { newest } = listOfIndex(residualStatements, account, 'state', [[month]], async () => 0);
  const { items } = await newest({ limit: mostRead });
  return items.flatMap(({ id, state }) => (state === 'paid' || state === 'withdrawn' ? [] : id)).reverse();
}

/**
 * Creates a payout with its file. Each of its statements becomes paid in the same transaction, so that no other payout can
 * pay it. Throws `invalid_input` if the request names a statement that cannot be paid, `payout_empty` if no statement of the
 * month can be paid, and `payout_settings_missing`.
 */
export async function createPayout(
  request: PayoutRequest,
  { wanted, settings, taken }: PayoutSources,
): Promise<Effects & { response: CreatedPayout }> {
  const { body } = request;
  const { chosen, skipped } = choosePayments(wanted, body.format);
  refuseSkipped(body, chosen, skipped);
  if (body.format === 'nacha' && !settings) throw new ApiError('payout_settings_missing');
  const record = newRecord(request);
  const day = dayIn(request.accountRecord.timezone, request.now);
  const effectiveDate = effectiveDateOf(body.effectiveDate, day);
  const ordered = inFileOrder(chosen.map((one) => ({ ...one, holderType: one.bank.holderType })));
  const ofFile =
    body.format === 'nacha' && settings
      ? nachaFacts(request, { settings, taken, day, payoutId: record.id, payments: ordered })
      : { traces: [], writes: [] };
  const keys = await request.dataKeys();
  const numbers = await Promise.all(ordered.map(({ bank }) => decryptAccountNumber(keys, bank)));
  const entries = await Promise.all(
    ordered.map(async (one, index): Promise<StoredPayment> => {
      const n = index + 1;
      const jwe = await encryptPaymentNumber(keys, record, n, numbers[index] ?? '');
      return paymentOf(one, n, jwe, ofFile.traces[index]);
    }),
  );
  const file = {
    ...{ effectiveDate, currency: ordered[0]?.statement.currency ?? 'USD', entries },
    ...(ofFile.facts && { nacha: ofFile.facts }),
  };
  const payout: StoredPayout = {
    ...{ ...record, format: body.format, state: 'created', payments: entries.length },
    ...{ total: entries.reduce((sum, { amount }) => sum + amount, 0), returned: 0, returnedTotal: 0 },
    ...{ sha256: sha256Of(renderPayout(file, (n) => numbers[n - 1] ?? '')), ...file },
  };
  const left = skipped.filter(({ reason }) => reason === 'too_many').length;
  const paid = ordered.flatMap(({ statement }) =>
    residualStatements.replace(statement, revise(statement, { state: 'paid', payoutId: record.id }, request)),
  );
  return {
    response: {
      ...showPayout(payout),
      skipped,
      ...(left > 0 && { left: { statements: left, message: leftMessage(left) } }),
    },
    writes: [...payouts.insert(payout), ...ofFile.writes, ...paid],
    events: payoutChanged('payout_created', payout),
  };
}

/** A request that names statements pays all of them or none. A request for a month lists those that it does not pay. */
function refuseSkipped(
  { statementIds }: PayoutInput,
  chosen: readonly ChosenPayment[],
  skipped: readonly SkippedStatement[],
): void {
  const details = skipped.map(({ statementId, reason }) => ({
    field: statementIds ? `statementIds[${statementIds.indexOf(statementId)}]` : String(statementId),
    message: skipMessages[reason],
  }));
  if (statementIds && details.length > 0) throw new ApiError('invalid_input', { details });
  if (chosen.length === 0) throw new ApiError('payout_empty', { details: details.slice(0, mostPayments) });
}

function effectiveDateOf(sent: string | undefined, today: string): string {
  const next = nextBankingDay(today);
  if (sent === undefined) return next;
  if (sent < next || sent > daysAfter(today, mostDaysAhead))
    throw invalid('effectiveDate', `must be from ${next} to ${daysAfter(today, mostDaysAhead)}`);
  if (!isBankingDay(sent))
    throw invalid(
      'effectiveDate',
      `is not a banking day of the Federal Reserve. The next one is ${nextBankingDay(sent)}`,
    );
  return sent;
}

interface NachaInput {
  settings: PayoutSettings;
  taken: PayoutNumbers | undefined;
  day: string;
  payoutId: number;
  payments: readonly ChosenPayment[];
}

function nachaFacts(
  { account, accountRecord, now }: PayoutRequest,
  { settings, taken, day, payoutId, payments }: NachaInput,
): { facts?: NachaFacts; traces: string[]; writes: Write[] } {
  const problem = achLimit(payments.map(({ statement }) => statement.payable));
  if (problem !== undefined) throw new ApiError('invalid_input', { message: problem });
  const { odfiRoutingNumber } = settings;
  const numbers = takePayoutNumbers(taken, {
    ...{ account, payoutId, day, odfiRoutingNumber, payments: payments.length },
  });
  const months = payments.map(({ statement }) => statement.month).sort();
  const facts: NachaFacts = {
    ...{ originator: originatorOf(settings), createdOn: day, createdAt: timeIn(accountRecord.timezone, now) },
    ...{ modifier: numbers.modifier, descriptiveDate: shortMonth(months.at(-1) ?? '') },
    addenda: settings.addenda ?? false,
  };
  return { facts, traces: numbers.traces, writes: numbers.writes };
}

/** The local time, such as `16:05`. */
const timeIn = (timeZone: string, now: Date): string =>
  now.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** Returns `OCT 26` for `2026-10`. */
const shortMonth = (month: string): string =>
  `${new Date(`${month}-01`).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })} ${month.slice(2, 4)}`.toUpperCase();

function paymentOf(
  { statement, bank }: ChosenPayment,
  n: number,
  jwe: string,
  trace: string | undefined,
): StoredPayment {
  const { holderName, holderType, routingNumber, accountType, accountNumber } = bank;
  const { id: statementId, beneficiary, month, payable: amount } = statement;
  return {
    ...{ n, statementId, beneficiary, month, amount, holderName, holderType, routingNumber, accountType },
    accountNumber: { ...accountNumber, jwe },
    ...(trace !== undefined && { trace }),
    result: 'open',
  };
}
