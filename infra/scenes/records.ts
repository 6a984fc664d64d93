import type { LoggedEvent } from '../../shared/events/schema.ts';
import type { DeclaredName } from '../../shared/resources/registry.ts';
import { describedBy, putFile } from '../administration/upload-file.ts';
import type { Caller, Scenes } from './caller.ts';
import { newPayoutAccount } from './payouts.ts';
import { createAt, perform } from './perform.ts';
import { postedStatement, previewedRun } from './residuals.ts';

/**
 * The path of the records of each resource. The POST of its collection creates a record with the example of its body. Where
 * that is not enough, `requests` has the rest, or `records` creates the record.
 */
export const recordPaths = {
  lead: '/leads/{leadId}',
  application: '/applications/{applicationId}',
  user: '/users/{email}',
  account: '/accounts/{id}',
  account_type: '/account-types/{id}',
  api_key: '/apikeys/{id}',
  lead_rotation: '/lead-rotations/{id}',
  team: '/teams/{id}',
  role: '/roles/{id}',
  document: '/merchants/{merchantId}/documents/{documentId}',
  note: '/merchants/{merchantId}/notes/{noteId}',
  lead_source: '/lead-sources/{id}',
  webhook: '/webhooks/{id}',
  merchant: '/merchants/{merchantId}',
  underwriting_rule: '/underwriting-rules/{id}',
  vanity_domain: '/domains/{id}',
  mid: '/merchants/{merchantId}/mids/{midId}',
  ticket_type: '/ticket-types/{id}',
  ticket_rotation: '/ticket-rotations/{id}',
  ticket: '/tickets/{ticketId}',
  equipment: '/merchants/{merchantId}/equipment/{equipmentId}',
  lookup_option: '/lookup/{table}/{field}/id/{id}',
  ticket_type_mapping: '/integrations/partner/ticket-type-mappings/{id}',
  invoice: '/invoices/{invoiceId}',
  unmatched_payment: '/billing/unmatched-payments/{unmatchedId}',
  bank_account: '/billing/bank-accounts/{id}',
  mail: '/mails/{mailId}',
  mail_domain: '/mail-domains/{id}',
  mail_address: '/mail-addresses/{id}',
  residual_format: '/residual-formats/{id}',
  residual_file: '/residual-files/{id}',
  residual_agreement: '/residual-agreements/{id}',
  residual_adjustment: '/residual-adjustments/{id}',
  residual_run: '/residual-runs/{id}',
  residual_statement: '/residual-statements/{id}',
  payout: '/residual-payouts/{id}',
  payout_account: '/payout-accounts/{id}',
  view: '/views/{id}',
} as const satisfies Record<DeclaredName, string>;

const ownAccount = ({ account }: Caller) => ({ id: account });
const inOwnAccount = ({ account }: Caller) => ({ accountId: account });

/** The lookup tables and their fields are the same in every account. */
const lookupField = { table: 'merchant', field: 'category' };

/** A bank statement, whose first transaction pays an invoice over 270.63 USD with this number. */
export const statementFile = `date,amount,purpose
2026-03-02,270.63,INV-000001
2026-03-02,12.00,Coffee
2026-03-02,13.00,INV-000099
`;

/** The description of an uploadable bank statement. */
export const describedStatement = { fileName: 'example.csv', ...describedBy(statementFile) };

/** A file of residuals, which is different for each caller of this function. */
export const residualFile = ({ unique }: Pick<Caller, 'unique'>): string =>
  `MID,DBA,Volume,Income,Expense,Net\n444501234${unique()},Harbor Street Coffee,1000.00,25.00,12.66,12.34\n4445012340009,Lakeside Records,500.00,12.50,6.25,6.25\n`;

/** The description of an uploadable file of residuals. */
export const describedResiduals = (content: string) => ({
  ...{ processor: 'Northwind', month: '2026-10', fileName: 'residuals.csv' },
  ...describedBy(content),
});

/** The number of attempts to create a record while capture is on. Another caller may switch capture off. */
const mostAttempts = 5;

/** Creates a lead while the account captures bodies, and returns the event. Then switches capture off again. */
async function capturedEvent(caller: Caller): Promise<{ id: number }> {
  const account = { params: { id: caller.account } };
  const { bodyCaptureUntil = '' } = await caller.send<{ bodyCaptureUntil?: string }>(
    'GET /accounts/{id}',
    account,
  );
  const wasOn = Date.parse(bodyCaptureUntil) > Date.now();
  for (let attempt = 1; ; attempt++) {
    if (!wasOn) await caller.send('PUT /accounts/{id}/body-capture', { ...account, body: { days: 1 } });
    const lead = createAt(caller, recordPaths.lead);
    const { params } = await lead.finally(
      () => wasOn || caller.send('DELETE /accounts/{id}/body-capture', account),
    );
    const query = { kind: 'lead_created', subjectId: params.leadId };
    const { data } = await caller.send<{ data: LoggedEvent[] }>('GET /events', { query });
    const event = data.find(({ hasRequestBody, hasResponseBody }) => hasRequestBody && hasResponseBody);
    if (event) return { id: event.id };
    if (attempt === mostAttempts) throw new Error('The service captured no body of the request.');
  }
}

/** The records that no POST of their collection creates, by the start of the path. The longest start of a path applies. */
export const records: Scenes['records'] = {
  '/lookup/{table}/{field}/id/{id}': async (caller) => {
    const { lookupValue } = await perform<{ lookupValue: { id: number } }>(
      caller,
      'POST /lookup/{table}/{field}',
    );
    return { ...lookupField, id: lookupValue.id };
  },
  '/lookup/{table}/{field}': () => lookupField,
  '/tickets/bulk/{bulkId}': async (caller) => ({
    bulkId: (await perform<{ bulkId: string }>(caller, 'POST /tickets/bulk')).bulkId,
  }),
  '/events/{id}/request-body': capturedEvent,
  '/events/{id}/response-body': capturedEvent,
  '/events/{id}': async (caller) => {
    const { data } = await caller.send<{ data: LoggedEvent[] }>('GET /events');
    return { id: data[0]?.id ?? 0 };
  },
  '/reassignments/{id}': async (caller) => ({
    id: (await perform<{ id: number }>(caller, 'POST /reassignments')).id,
  }),
  '/billing/bank-statements/{id}': async (caller) => {
    const statement = await perform<{ id: number }>(caller, 'POST /billing/bank-statements');
    await putFile(statement, statementFile);
    return { id: statement.id };
  },
  '/residual-files/{id}': async (caller) => {
    const content = residualFile(caller);
    const body = describedResiduals(content);
    const file = await caller.send<{ id: number }>('POST /residual-files', { body });
    await putFile(file, content);
    return { id: file.id };
  },
  '/residual-runs/{id}': async (caller) => ({ id: (await previewedRun(caller)).id }),
  '/residual-statements/{id}/lines/{line}': async (caller) => ({
    id: await postedStatement(caller),
    line: 1,
  }),
  '/residual-statements/{id}': async (caller) => ({ id: await postedStatement(caller) }),
  '/received-residual-statements/{id}/lines/{line}': async (caller) => ({
    id: await postedStatement(caller),
    line: 1,
  }),
  '/received-residual-statements/{id}': async (caller) => ({ id: await postedStatement(caller) }),
  '/billing/provider/{accountId}': inOwnAccount,
  '/billing/bank-accounts/{id}': async (caller) => {
    const params = { id: `bank-${caller.unique()}` };
    await caller.send('PUT /billing/bank-accounts/{id}', {
      params,
      body: { name: 'Checking', currency: 'USD' },
    });
    return params;
  },
  '/billing/unmatched-payments/{unmatchedId}': async (caller) => {
    await perform(caller, 'POST /billing/provider/{accountId}/notifications');
    const { data } = await caller.send<{ data: { id: number }[] }>('GET /billing/unmatched-payments');
    return { unmatchedId: data[0]?.id ?? 0 };
  },
  '/payout-accounts/{id}': newPayoutAccount,
  '/residual-payouts/{id}/entries/{n}': async (caller) => ({
    ...(await createAt(caller, recordPaths.payout)).params,
    n: 1,
  }),
  '/scim/v2/{document}/{id}': () => ({
    document: 'Schemas',
    id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  }),
  '/scim/v2/{document}': () => ({ document: 'Schemas' }),
  '/received-invoices/{invoiceId}': async (caller) => (await createAt(caller, recordPaths.invoice)).params,
  '/auth/sso/logout/{accountId}': inOwnAccount,
  '/integrations/partner/{accountId}': inOwnAccount,
  '/accounts/{id}/body-capture': ownAccount,
  '/accounts/{id}/export': ownAccount,
  '/accounts/{id}/reopen': ownAccount,
  // The other routes below an account are about a child account of the account.
  '/accounts/{id}/': async (caller) => ({ id: (await perform<{ id: string }>(caller, 'POST /accounts')).id }),
  '/accounts/{id}': ownAccount,
};
