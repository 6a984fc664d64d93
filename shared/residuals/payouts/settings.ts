import { ApiError, invalid } from '../../errors.ts';
import type { Effects } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { AccountId } from '../../id/account-id.ts';
import { routingFaults } from '../../sales/value-checks/formats.ts';
import { valueMessages } from '../../sales/value-checks/messages.ts';
import { boolean, clearable, object, optional, partial, type Static, string } from '../../schema.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { putIfAbsent, putIfVersion } from '../../table/operations.ts';
import { getItem } from '../../table/read.ts';
import { newRecord, recordFields } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import type { AchOriginator } from '../nacha/write-nacha-file.ts';
import { payoutSettingsKey } from './keys.ts';

/** A text that NACHA files can contain: printable ASCII with a visible character. */
const ascii = (maxLength: number, description: string, example: string) =>
  string({
    minLength: 1,
    maxLength,
    pattern: '^[\\x20-\\x7e]*[\\x21-\\x7e][\\x20-\\x7e]*$',
    description,
    examples: [example],
  });

const routing = (description: string) => string({ maxLength: 9, description, examples: ['121042882'] });

const required = {
  companyName: ascii(16, 'The name that the recipients see.', 'Harbor Payments'),
  companyId: string({
    pattern: '^[A-Za-z0-9]{10}$',
    maxLength: 10,
    description: 'The ten characters that the bank assigned, often `1` and the EIN.',
    examples: ['1234567890'],
  }),
  odfiRoutingNumber: routing('The routing number of the bank that sends the payments (ODFI).'),
  bankName: ascii(23, 'The name of the bank that receives the file.', 'First Harbor Bank'),
};

const optionalFields = {
  immediateDestination: optional(
    routing('The routing number of the bank that receives the file. Default: odfiRoutingNumber.'),
  ),
  immediateOrigin: optional(
    ascii(
      10,
      'The id by which the bank identifies the sender of the file. Default: companyId.',
      '1234567890',
    ),
  ),
  entryDescription: optional(
    ascii(10, 'The purpose that the recipients see. Default: RESIDUALS.', 'RESIDUALS'),
  ),
  addenda: optional(
    boolean({
      description:
        'If true, each entry has an addenda record with the month and the id of the statement. Some banks charge for them. Default: false.',
    }),
  ),
};

export const PayoutSettingsInput = object({ ...required, ...partial(clearable(optionalFields)).properties });
type PayoutSettingsInput = Static<typeof PayoutSettingsInput>;

/** The bank and the company of the account’s payouts. */
export const PayoutSettings = object({ ...recordFields, ...required, ...optionalFields });
export type PayoutSettings = Static<typeof PayoutSettings>;

const itemOf = (settings: PayoutSettings): Item => ({
  ...payoutSettingsKey(settings.accountId),
  type: 'payout-settings',
  ...settings,
});

/** The settings of an account's payouts. */
export const payoutSettings = {
  async find(account: AccountId): Promise<PayoutSettings | undefined> {
    const item = await getItem(payoutSettingsKey(account));
    return item && recordOf<PayoutSettings>(item);
  },

  /** Throws `not_found`. */
  async get(account: AccountId): Promise<PayoutSettings> {
    const found = await this.find(account);
    if (!found) throw new ApiError('not_found', { message: 'The account has no settings of payouts.' });
    return found;
  },
};

interface SettingsRequest extends Authored {
  account: AccountId;
  body: PayoutSettingsInput;
}

/** Creates the settings, or replaces all their fields. Throws `invalid_input` for a routing number that cannot be right. */
export function savePayoutSettings(
  request: SettingsRequest,
  before: PayoutSettings | undefined,
): Effects & { response: PayoutSettings } {
  const { account, body } = request;
  checkRouting('odfiRoutingNumber', body.odfiRoutingNumber);
  if (body.immediateDestination) checkRouting('immediateDestination', body.immediateDestination);
  const cleared = {
    immediateDestination: null,
    immediateOrigin: null,
    entryDescription: null,
    addenda: null,
  };
  const after = before
    ? revise(before, { ...cleared, ...body }, request)
    : { ...newRecord(request), ...given(body) };
  const put = before ? putIfVersion(itemOf(after), before.version) : putIfAbsent(itemOf(after));
  const happening = before ? 'payout_settings_updated' : 'payout_settings_created';
  const { companyName, bankName } = after;
  return {
    response: after,
    writes: before === after ? [] : [put],
    events: before === after ? [] : unnamedChange(account, happening, after, { companyName, bankName }),
  };
}

/** Returns the sent values without null, which clears a field. */
const given = (body: PayoutSettingsInput) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as Omit<
    PayoutSettings,
    keyof typeof recordFields
  >;

function checkRouting(field: string, text: string): void {
  const [fault] = routingFaults(text);
  if (fault) throw invalid(field, valueMessages[fault]);
}

/** Returns the company and the bank as a NACHA file contains them. */
export const originatorOf = (settings: PayoutSettings): AchOriginator => ({
  companyName: settings.companyName,
  companyId: settings.companyId,
  odfiRoutingNumber: settings.odfiRoutingNumber,
  destination: settings.immediateDestination ?? settings.odfiRoutingNumber,
  destinationName: settings.bankName,
  origin: settings.immediateOrigin ?? settings.companyId,
  originName: settings.companyName,
  entryDescription: settings.entryDescription ?? 'RESIDUALS',
});
