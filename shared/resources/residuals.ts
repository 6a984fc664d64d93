import { integer, object, oneOf, optional, string } from '../schema.ts';
import { area, changeHappenings, happening, happeningsOf, resource } from './declare.ts';
import { because, changedText, did, noticeOf } from './text.ts';

const fileName = string({ examples: ['northwind-2026-10.xlsx'] });
const month = string({ examples: ['2026-10'] });
const processor = string({ examples: ['Northwind'] });
const beneficiaryId = string({
  description: 'The id of a user or a child account.',
  examples: ['214563398120449'],
});
const beneficiaryType = oneOf(['user', 'account']);
const reason = optional(string({ examples: ['The terminal was returned.'] }));
const micros = (description: string) =>
  integer({ description: `${description} In millionths of the currency.`, examples: [1_250_000_000] });
const minorAmount = (description: string) =>
  integer({ description: `${description} In the smallest unit of the currency.`, examples: [125_000] });
const currency = string({ examples: ['USD'] });
const sha256 = (description: string) =>
  string({
    description: `${description} (SHA-256, hexadecimal).`,
    examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
  });

const format = object({ processor, formatVersion: integer({ examples: [1] }) });

/** How the files of a processor are read. Their changes emit `no_event_name`. */
export const residualFormatResource = resource({
  name: 'residual_format',
  readers: { of: ['residual_file'] },
  portal: 'record',
  exported: true,
  unlogged: { RESIDUALFORMAT: 'without an event' },
  events: {},
  happenings: happeningsOf(
    'residual_format',
    changeHappenings('residual_format', format, 'A format of residual files', { label: 'processor' }),
  ),
});

/** The files of processors, with their rows. The other records of residuals are read with the same permissions. */
export const residualFileResource = resource({
  name: 'residual_file',
  readers: { own: 'Residuals' },
  permissions: {
    approveResiduals: 'Approve runs and statements of residuals.',
    payResiduals:
      'Create payouts, record their results, and read and change the bank accounts of beneficiaries.',
    readOwnResiduals: 'Read the caller’s own statements of residuals.',
  },
  portal: 'record',
  exported: true,
  items: {
    'residual-rows': { as: 'residual_rows' },
    'residual_file-summary': 'derived',
    'residual-latest-file': 'derived',
    'residual-tries': 'temporary',
  },
  unlogged: {
    RESIDUALFILE: 'without an event',
    RESIDUALROWS: 'without an event',
    RESIDUALMONTH: 'without an event',
  },
  reference: {
    place: 18.2,
    name: 'Residuals',
    description:
      'Files of processors, agreements, runs, statements and payouts: the shares of agents in the income of each month.',
    segments: [
      'residual-formats',
      'residual-files',
      'residual-anomalies',
      'residual-agreements',
      'residual-adjustments',
      'residual-runs',
      'residual-statements',
      'received-residual-statements',
      'residual-payouts',
      'payout-accounts',
      'payout-settings',
    ],
  },
  events: {},
  happenings: happeningsOf('residual_file', {
    residual_file_created: happening(
      'created',
      object({ processor, month, fileName, sha256: sha256('The hash of the file') }),
      'The upload of a file of a processor was requested.',
      did('created'),
      { label: 'fileName' },
    ),
    residual_file_imported: happening(
      'updated',
      object({
        processor,
        month,
        fileName,
        fileVersion: integer({ examples: [1] }),
        rows: integer({ examples: [9_800] }),
        total: micros('The sum of the net amounts.'),
        sha256: sha256('The hash of the file'),
      }),
      'A file of a processor was imported.',
      noticeOf('imported', '{actor} imported {record} of {processor} for {month}.'),
      { label: 'fileName' },
    ),
  }),
});

const agreement = object({
  beneficiaryType,
  beneficiaryId,
  agreementVersion: integer({ description: 'The version after the change.', examples: [1] }),
  validFrom: month,
});

export const residualAgreementResource = resource({
  name: 'residual_agreement',
  readers: { of: ['residual_file'] },
  portal: 'record',
  exported: true,
  items: { 'residual_agreement-summary': 'derived', 'residual-scope': 'derived', 'residual-turn': 'derived' },
  unlogged: { RESIDUALAGREEMENT: 'without an event', RESIDUALSCOPES: 'without an event' },
  events: {},
  happenings: happeningsOf('residual_agreement', {
    residual_agreement_created: happening('created', agreement, 'An agreement was created.', did('created')),
    residual_agreement_updated: happening(
      'updated',
      agreement,
      'An agreement got a new version.',
      changedText,
    ),
  }),
});

const adjustment = object({
  kind: string({ examples: ['bonus'] }),
  beneficiaryType,
  beneficiaryId,
  month,
  reason,
});

export const residualAdjustmentResource = resource({
  name: 'residual_adjustment',
  readers: { of: ['residual_file'] },
  portal: 'record',
  exported: true,
  items: { 'residual-open-adjustment': 'derived' },
  unlogged: { RESIDUALADJUSTMENT: 'without an event', RESIDUALOPEN: 'without an event' },
  events: {},
  happenings: happeningsOf('residual_adjustment', {
    residual_adjustment_created: happening(
      'created',
      adjustment,
      'An adjustment of residuals was created.',
      noticeOf('created', `{actor} created {record} for {month}.${because}`),
      { label: 'kind' },
    ),
    residual_adjustment_deleted: happening(
      'deleted',
      adjustment,
      'An adjustment of residuals was deleted before it was on a statement.',
      did('deleted'),
      { label: 'kind' },
    ),
  }),
});

/** The amounts of a run after the change. */
const run = object({
  month,
  processors: string({
    description: 'The processors, separated by commas.',
    examples: ['Northwind, Harbor'],
  }),
  sha256: sha256('The hash of the result'),
  net: micros('The net amounts of the files.'),
  shares: micros('The shares of all beneficiaries.'),
  house: micros('The rest, which the account keeps.'),
});

export const residualRunResource = resource({
  name: 'residual_run',
  readers: { of: ['residual_file'] },
  portal: 'record',
  exported: true,
  items: { 'residual-result': 'derived', 'residual-book': 'derived' },
  unlogged: {
    RESIDUALRUN: 'without an event',
    RESIDUALRESULT: 'without an event',
    RESIDUALBOOK: 'without an event',
  },
  events: {},
  happenings: happeningsOf('residual_run', {
    residual_run_created: happening(
      'created',
      object({
        month,
        processors: string({ description: 'Separated by commas.', examples: ['Northwind, Harbor'] }),
      }),
      'A run was started.',
      noticeOf('started', '{actor} started {record}.'),
      { label: 'month' },
    ),
    residual_run_approved: happening('updated', run, 'A run was approved.', did('approved'), {
      label: 'month',
    }),
    residual_run_posted: happening('updated', run, 'A run was posted.', did('posted'), { label: 'month' }),
    residual_run_reversed: happening('updated', run, 'A posted run was reversed.', did('reversed'), {
      label: 'month',
    }),
  }),
});

const statement = {
  beneficiaryType,
  beneficiaryId,
  month,
  currency,
  total: minorAmount('The sum of the lines.'),
  payable: minorAmount('The amount to pay, with the balance of earlier statements.'),
  sha256: sha256('The hash of the statement'),
};

export const residualStatementResource = resource({
  name: 'residual_statement',
  readers: { of: ['residual_file'] },
  portal: 'record',
  exported: true,
  items: { 'residual-lines': { as: 'residual_lines' }, 'residual-balance': 'derived' },
  unlogged: {
    RESIDUALSTATEMENT: 'without an event',
    RESIDUALLINES: 'without an event',
    RESIDUALBALANCE: 'without an event',
  },
  events: {},
  happenings: happeningsOf('residual_statement', {
    residual_statement_ready: happening(
      'created',
      object(statement),
      'A statement of residuals is ready.',
      noticeOf('ready', 'The statement for {month} is ready.'),
      { label: 'month' },
    ),
    residual_statement_approved: happening(
      'updated',
      object(statement),
      'A statement of residuals was approved for payment.',
      did('approved'),
      { label: 'month' },
    ),
  }),
});

const payout = {
  format: oneOf(['nacha', 'csv']),
  currency,
  payments: integer({ examples: [4] }),
  total: minorAmount('The sum of the payments.'),
};

export const payoutResource = resource({
  name: 'payout',
  readers: { of: ['residual_file'] },
  portal: 'record',
  exported: true,
  items: { 'payout-summary': 'derived', 'payout-numbers': 'derived', 'payout-trace': 'derived' },
  unlogged: {
    PAYOUT: 'without an event',
    PAYOUTNUMBERS: 'without an event',
    PAYOUTTRACES: 'without an event',
  },
  events: {},
  happenings: happeningsOf('payout', {
    payout_created: happening('created', object(payout), 'A batch of payments was created.', did('created')),
    payout_downloaded: happening(
      'updated',
      object(payout),
      'The file of a payout, with account numbers, was shown.',
      did('downloaded'),
    ),
    payout_cancelled: happening('updated', object(payout), 'A payout was cancelled.', did('cancelled')),
    payout_result_recorded: happening(
      'updated',
      object(payout),
      'Results of payments, or notifications of change, were recorded.',
      noticeOf('changed', '{actor} recorded results of {record}.'),
    ),
    payout_returned: happening(
      'updated',
      object({
        ...payout,
        returned: integer({ description: 'The number of payments that were returned.', examples: [1] }),
        returnedTotal: minorAmount('The sum of these payments.'),
        codes: string({ description: 'The reasons, separated by commas.', examples: ['R01, R03'] }),
      }),
      'Payments were returned. Their statements can be paid again.',
      noticeOf('returned', 'Payments of {record} were returned: {returned}. Codes: {codes}.'),
    ),
  }),
});

const payoutAccount = object({ beneficiaryType, beneficiaryId });

/** The bank accounts of beneficiaries. */
export const payoutAccountResource = resource({
  name: 'payout_account',
  readers: { of: ['residual_file'] },
  portal: 'list',
  exported: true,
  unlogged: { PAYOUTACCOUNT: 'without an event' },
  events: {},
  happenings: happeningsOf('payout_account', {
    ...changeHappenings('payout_account', payoutAccount, 'A bank account for payouts'),
    payout_account_created: happening(
      'created',
      payoutAccount,
      'A bank account for payouts was added.',
      did('added'),
    ),
  }),
});

const payoutSettings = object({
  companyName: string({ examples: ['Harbor Payments'] }),
  bankName: string({ examples: ['First Harbor Bank'] }),
});
const payoutSettingsPage = {
  label: 'companyName',
  link: { path: '/payout-settings', opens: 'settings of payouts' },
} as const;

/** The bank and the company of payouts. */
export const payoutSettingsArea = area({
  items: { 'payout-settings': { as: 'payout_settings' } },
  unlogged: { PAYOUTSETTINGS: 'without an event' },
  happenings: happeningsOf('payout_settings', {
    payout_settings_created: happening(
      'created',
      payoutSettings,
      'The settings of payouts were created.',
      did('created'),
      payoutSettingsPage,
    ),
    payout_settings_updated: happening(
      'updated',
      payoutSettings,
      'The bank or the company of payouts changed.',
      changedText,
      payoutSettingsPage,
    ),
  }),
});
