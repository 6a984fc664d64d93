import { randomInt, randomUUID } from 'node:crypto';
import { signedHeaders } from '../../../shared/messaging/webhooks/signature.ts';
import type { Happening } from '../../../shared/resources/registry.ts';
import type { SendRequest } from '../../administration/send-requests.ts';
import { responseErrorOf } from '../../client/response-error.ts';
import type { Caller, TriggeredSubject } from './caller.ts';
import { type Act, type NotPossible, on, type Trigger } from './on.ts';
import { otherAccount } from './other-account.ts';
import { draftInvoice, openedInvoice, temporary, ticketType, user } from './records.ts';

/** The subject of the event of a happening is the account. */
const inAccount =
  (act: (caller: Caller) => Promise<unknown>): Act =>
  async (caller) => {
    await act(caller);
    return { id: caller.account };
  };

const onDraft = on(draftInvoice);
const onInvoice = on(openedInvoice);

const view = (caller: Caller) =>
  temporary(caller, '/views', { resource: 'lead', name: 'Trigger', query: {}, sharedWith: 'me' });
const onView = on(view);
const onUser = on(user);

const mappingTo = (serviceTicketTypeId: string) => ({
  partnerCategoryId: randomInt(2 ** 31),
  serviceTicketTypeId,
});
async function mapping(caller: Caller) {
  const { id: type } = await ticketType(caller);
  const body = mappingTo(type);
  const made = await temporary(caller, '/integrations/partner/ticket-type-mappings', body);
  return { ...made, body };
}

async function bankAccount(caller: Caller) {
  const path = `/billing/bank-accounts/trigger-${randomUUID()}`;
  await caller.send('PUT', path, { name: 'Trigger', currency: 'USD' });
  caller.atEnd(() => caller.send('DELETE', path));
  return { id: caller.account, path };
}

/** Acts in another account, because an account has at most one payment provider and one partner. */
const elsewhere =
  (act: (send: SendRequest, account: string, caller: Caller) => Promise<unknown>) =>
  async (caller: Caller): Promise<TriggeredSubject> => {
    const { accountId: id, apiKey, apiSecret } = await otherAccount(caller);
    const log = caller.as({ apiKey, apiSecret, account: id });
    await act(log, id, caller);
    return { id, log };
  };

/** Saves the payment provider, and sends a further request about it. */
const onProvider = (method?: 'PUT' | 'POST' | 'DELETE', below = '', body?: object) =>
  elsewhere(async (send) => {
    await send('PUT', '/billing/provider', { name: 'Trigger', active: true });
    if (method) await send(method, `/billing/provider${below}`, body);
  });

const onConnection = (method?: 'PUT' | 'POST' | 'DELETE', below = '', more?: object) =>
  elsewhere(async (send, _, { local }) => {
    const url = local ? 'http://127.0.0.1:9/' : 'https://trigger.invalid/';
    const path = '/integrations/partner/connection';
    await send('PUT', path, { url, active: true });
    if (method) await send(method, path + below, more && { url, ...more });
  });

/** Sends a notification of a payment for an unknown invoice. Then sends a further request about the unmatched payment. */
const onUnmatched = (further?: (send: SendRequest, path: string, caller: Caller) => Promise<unknown>) =>
  elsewhere(async (send, account, caller) => {
    const body = { name: 'Trigger', active: true };
    const { secret } = await send<{ secret: string }>('PUT', '/billing/provider', body);
    await notify(`${caller.baseUrl}/billing/provider/${account}/notifications`, secret);
    const { data } = await send<{ data: { id: number }[] }>('GET', '/billing/unmatched-payments');
    await further?.(send, `/billing/unmatched-payments/${data[0]?.id}`, caller);
  });

async function notify(url: string, secret: string): Promise<void> {
  const now = new Date();
  const data = { invoiceNumber: 'INV-999999', amount: 500, currency: 'USD', reference: randomUUID() };
  const body = Buffer.from(JSON.stringify({ type: 'payment.received', timestamp: now.toISOString(), data }));
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(body, [secret], `evt_${randomUUID()}`, now),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw await responseErrorOf(response);
}

/** A user has to set the password with a mailed token before the user can add a factor. */
const needsProvedUser: NotPossible = {
  because:
    'Users add factors in their own sessions, after they set their passwords with mailed tokens. Send POST /auth/factors in such a session.',
};

/** The actions for the happenings of `no_event_name`. */
export const happeningTriggers: Readonly<Record<Happening, Trigger>> = {
  invoice_updated: inAccount(onDraft('PATCH', '', { memo: 'Thank you.' })),
  invoice_deleted: inAccount(onDraft('DELETE')),
  invoice_opened: inAccount(onDraft('POST', '/open')),
  invoice_voided: inAccount(async (caller) => {
    const { path } = await draftInvoice(caller);
    await caller.send('POST', `${path}/open`);
    await caller.send('POST', `${path}/void`);
  }),
  invoice_credited: inAccount(onInvoice('POST', '/credits', { amount: 500, reason: 'Trigger' })),
  invoice_written_off: inAccount(onInvoice('POST', '/uncollectible')),

  unmatched_payment_created: onUnmatched(),
  unmatched_payment_assigned: onUnmatched(async (send, path, caller) => {
    const { id } = await openedInvoice({ ...caller, send });
    await send('POST', `${path}/assign`, { invoiceId: Number(id) });
  }),
  unmatched_payment_deleted: onUnmatched((send, path) => send('DELETE', path)),

  payment_provider_created: onProvider(),
  payment_provider_updated: onProvider('PUT', '', { name: 'Trigger, changed', active: true }),
  payment_provider_secret_rotated: onProvider('POST', '/rotate-secret', {}),
  payment_provider_deleted: onProvider('DELETE'),

  bank_account_created: inAccount(bankAccount),
  bank_account_updated: inAccount(async (caller) => {
    const { path } = await bankAccount(caller);
    await caller.send('PUT', path, { name: 'Trigger, changed', currency: 'USD' });
  }),
  bank_account_deleted: inAccount(on(bankAccount)('DELETE')),

  view_created: inAccount(view),
  view_updated: inAccount(onView('PATCH', '', { name: 'Trigger, changed' })),
  view_deleted: inAccount(onView('DELETE')),

  ticket_type_mapping_created: inAccount(mapping),
  ticket_type_mapping_updated: inAccount(async (caller) => {
    const { path, body } = await mapping(caller);
    await caller.send('PUT', path, { ...body, partnerCategoryName: 'Trigger' });
  }),
  ticket_type_mapping_deleted: inAccount(on(mapping)('DELETE')),

  partner_connection_created: onConnection(),
  partner_connection_updated: onConnection('PUT', '', { active: false }),
  partner_connection_secret_rotated: onConnection('POST', '/rotate-secret'),
  partner_connection_deleted: onConnection('DELETE'),

  impersonation_ended: inAccount(async (caller) => {
    const { path } = await user(caller);
    await caller.send('POST', `${path}/impersonation`, { reason: 'npm run ops -- events trigger' });
    await caller.send('DELETE', `${path}/impersonation`);
  }),

  factor_added: needsProvedUser,
  factor_removed: needsProvedUser,
  factor_reset: inAccount(onUser('DELETE', '/factors')),
  recovery_codes_renewed: needsProvedUser,
};
