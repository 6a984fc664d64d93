import type { ApiClient } from './api-client.ts';
import type { Steps } from './run-steps.ts';
import { uploadFile } from './upload-file.ts';

interface Key {
  apiKey: string;
  apiSecret: string;
}

/** Somebody who signed in, in the account of the key. */
interface SignedInClient {
  api: ApiClient;
  account: string;
}

/** Of nobody, and in the shape that forms ask for. */
const socialSecurityNumber = '123-45-6789';
const form = {
  basics: {
    dbaStreet1: '12 Harbor Street',
    dbaCity: 'San Francisco',
    dbaState: 'CA',
    dbaZip: '94110',
    dbaStruct: 'llc',
    tinType: 'EIN',
    dbaTaxId: '12-3456789',
  },
  businessDetails: { mccNumber: 5814, productsServicesSold: 'Coffee and pastries' },
  businessHistory: { yearsInBiz: 6 },
  businessBanking: { bankName: 'First Harbor Bank', bankRouting: '011000015', bankAccount: '000123456789' },
  businessOwners: [
    {
      uniqueId: 'smoke',
      name: 'Smoke Test',
      socialSecurityNumber,
      driversLicenseNumber: 'D1234567',
      dateOfBirth: '1985-12-10',
    },
  ],
  orderProcessing: { cardSwipePercent: 90, cardKeyedPercent: 10 },
  scheduleABasics: { avgSaleAmount: 18, maxSaleAmount: 400, highMonthlyVolume: 25_000 },
  scheduleADiscountRates: { billType: 'tiered', flatRate: 275 },
};

/** Signs in, reads, and is refused what must be refused. It makes nothing but its session. */
export async function readService({ step, atEnd }: Steps, api: ApiClient, key: Key): Promise<SignedInClient> {
  await step('the service responds', () => api.send('GET', '/health'));
  await step('its reference is there', () => api.send('GET', '/openapi.json'));
  await step('nobody reads without a token', () => api.send('GET', '/leads', { status: 401 }));
  const signedIn = await step('the API key signs in', async () => {
    const { token, accounts } = await api.send<{ token: string; accounts: { accountId: string }[] }>(
      'POST',
      '/auth/login',
      { body: { ...key } },
    );
    const account = accounts[0]?.accountId ?? '';
    return { api: api.with({ authorization: `Bearer ${token}`, 'x-account-id': account }), account };
  });
  const inside = signedIn.api;
  atEnd('the session is ended', () => inside.send('POST', '/auth/logout'));
  await step('lists are read', async () => {
    for (const path of ['/leads', '/applications', '/merchants', '/tickets', '/webhooks', '/events'])
      await inside.send('GET', `${path}?pageSize=1`);
  });
  await step('another account is closed', () =>
    inside.send('GET', '/leads', { headers: { 'x-account-id': `acc_${'0'.repeat(16)}` }, status: 403 }),
  );
  await step('what is not there is not found', () => inside.send('GET', '/leads/1', { status: 404 }));
  await step('what is not valid is refused', () => inside.send('POST', '/leads', { body: {}, status: 400 }));
  return signedIn;
}

/**
 * The way of a merchant: a lead, its application with files, what an underwriter would decide, a ticket. All of it is
 * deleted at the end. Only a rejected application can be, so none becomes a merchant.
 */
export async function walkService(
  { step, atEnd, until }: Steps,
  outside: ApiClient,
  { api, account }: SignedInClient,
): Promise<void> {
  const company = `Smoke test ${new Date().toISOString()}`;
  const lead = await step('a lead is made', async () => {
    const { id } = await api.send<{ id: number }>('POST', '/leads?skipTeamAndSourceRequirement=true', {
      body: {
        firstName: 'Smoke',
        lastName: 'Test',
        company,
        email: 'smoke@example.com',
        phone: '+1 415 555 0134',
      },
    });
    atEnd('the lead is deleted', () => api.send('DELETE', `/leads/${id}`));
    return `/leads/${id}`;
  });
  const application = await step('it becomes an application', async () => {
    const { application: made } = await api.send<{ application: { id: string } }>('POST', `${lead}/convert`);
    atEnd('the application is deleted', () => api.send('DELETE', `/applications/${made.id}`));
    return `/applications/${made.id}`;
  });
  const merchant = await step('it has a key for the merchant', async () => {
    const { system } = await api.send<{ system: { appKey: string } }>('GET', application);
    const query = new URLSearchParams({ appKey: system.appKey, acctId: account });
    return <T>(method: string, path: string, body?: Record<string, unknown>) =>
      outside.send<T>(method, `${application}${path}?${query}`, { body });
  });
  await step('the merchant fills it in', () => merchant('PATCH', '', form));
  await step('the merchant uploads what it asks for', async () => {
    type Readiness = { next: { field?: string; documentKey?: string }[] };
    const { next } = await merchant<Readiness>('GET', '/readiness');
    for (const { documentKey } of next) if (documentKey) await uploadFile(merchant, { documentKey });
    const left = await merchant<Readiness>('GET', '/readiness');
    const [missing] = left.next;
    if (missing) throw new Error(`It still asks for ${missing.field ?? missing.documentKey}.`);
  });
  await step('the merchant submits it', async () => {
    await merchant('POST', '/submit');
    const body = { decision: 'rejected', reason: 'It was a smoke test.' };
    atEnd('the application is rejected', () => api.send('POST', `${application}/decision`, { body }));
  });
  await step('what is sensitive is shown to whoever may see it', async () => {
    type Shown = { businessOwners: { socialSecurityNumber: string }[] };
    const seen = async (read: Promise<Shown>) => (await read).businessOwners[0]?.socialSecurityNumber;
    const [hidden, shown] = [await seen(merchant('GET', '')), await seen(api.send('GET', application))];
    if (hidden !== 'REDACTED') throw new Error('The merchant’s key shows what is sensitive.');
    if (shown !== socialSecurityNumber) throw new Error('A sensitive value comes back as another one.');
  });
  await step('an approval would make a merchant', async () => {
    type Tried = { changes: { type: string; action: string }[] };
    const path = `${application}/decision?dryRun=true`;
    const { changes } = await api.send<Tried>('POST', path, { body: { decision: 'approved' } });
    if (!changes.some(({ type, action }) => type === 'merchant' && action === 'created'))
      throw new Error('It would make none.');
  });
  await step('a ticket is made and answered', async () => {
    const { uniqueId } = await api.send<{ uniqueId: string }>('POST', '/tickets', {
      body: {
        subject: company,
        description: 'It will be deleted at once.',
        category: 'technical',
        requesterType: 'application',
        requesterId: application.split('/')[2],
        requesterName: 'Smoke Test',
        requesterEmail: 'smoke@example.com',
      },
    });
    atEnd('the ticket is deleted', () => api.send('DELETE', `/tickets/${uniqueId}`));
    await api.send('POST', `/tickets/${uniqueId}/comments`, { body: { body: 'It is being looked at.' } });
    await api.send('GET', `/tickets/${uniqueId}/sla`);
  });
  await step('events reach the audit log', () =>
    until(async () => {
      const { auditLog } = await api.send<{ auditLog: { event: string }[] }>('GET', lead);
      return auditLog.find(({ event }) => event === 'lead_converted');
    }),
  );
}
