import { applicationForm, fictional } from '../administration/fictional-data.ts';
import { uploadFile } from '../administration/upload-file.ts';
import type { ApiClient } from './api-client.ts';
import type { Steps } from './run-steps.ts';

interface Key {
  apiKey: string;
  apiSecret: string;
}

interface SignedInClient {
  api: ApiClient;
  account: string;
}

const tester = {
  firstName: 'Smoke',
  lastName: 'Test',
  email: 'smoke@example.com',
  phone: '+1 415 555 0134',
};

/** Signs in, reads lists, and checks that invalid requests are refused. Creates only a session. */
export async function readService({ step, atEnd }: Steps, api: ApiClient, key: Key): Promise<SignedInClient> {
  await step('the service responds', () => api.send('GET', '/health'));
  await step('the API reference is served', () => api.send('GET', '/openapi.json'));
  await step('a request without a token is refused', () => api.send('GET', '/leads', { status: 401 }));
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
  await step('a request for another account is refused', () =>
    inside.send('GET', '/leads', { headers: { 'x-account-id': `acc_${'0'.repeat(16)}` }, status: 403 }),
  );
  await step('an unknown lead is not found', () => inside.send('GET', '/leads/1', { status: 404 }));
  await step('an invalid lead is refused', () => inside.send('POST', '/leads', { body: {}, status: 400 }));
  return signedIn;
}

/**
 * Creates a lead, an application with documents, and a ticket. Deletes these records at the end. The approval is only
 * a preview, because an approved application cannot be deleted.
 */
export async function testOnboarding(
  { step, atEnd, poll }: Steps,
  outside: ApiClient,
  { api, account }: SignedInClient,
): Promise<void> {
  const company = `Smoke test ${new Date().toISOString()}`;
  const of = fictional(company);
  const form = applicationForm(of, { ...of.company(), name: company }, tester);
  const lead = await step('a lead is created', async () => {
    const { id } = await api.send<{ id: number }>('POST', '/leads?skipTeamAndSourceRequirement=true', {
      body: { ...tester, company },
    });
    atEnd('the lead is deleted', () => api.send('DELETE', `/leads/${id}`));
    return `/leads/${id}`;
  });
  const application = await step('the lead becomes an application', async () => {
    const { application: made } = await api.send<{ application: { id: string } }>('POST', `${lead}/convert`);
    atEnd('the application is deleted', () => api.send('DELETE', `/applications/${made.id}`));
    return `/applications/${made.id}`;
  });
  const merchant = await step('the application has an app key', async () => {
    const { system } = await api.send<{ system: { appKey: string } }>('GET', application);
    const query = new URLSearchParams({ appKey: system.appKey, acctId: account });
    return <T>(method: string, path: string, body?: Record<string, unknown>) =>
      outside.send<T>(method, `${application}${path}?${query}`, { body });
  });
  await step('the merchant fills in the application', () => merchant('PATCH', '', form));
  await step('the merchant uploads the required documents', async () => {
    type Readiness = { next: { field?: string; documentKey?: string }[] };
    const { next } = await merchant<Readiness>('GET', '/readiness');
    for (const { documentKey } of next) if (documentKey) await uploadFile(merchant, { documentKey });
    const left = await merchant<Readiness>('GET', '/readiness');
    const [missing] = left.next;
    if (missing) throw new Error(`${missing.field ?? missing.documentKey} is still missing.`);
  });
  await step('the merchant submits the application', async () => {
    await merchant('POST', '/submit');
    const body = { decision: 'rejected', reason: 'Smoke test.' };
    atEnd('the application is rejected', () => api.send('POST', `${application}/decision`, { body }));
  });
  await step('sensitive values are shown only with permission', async () => {
    type Shown = { businessOwners: { socialSecurityNumber: string }[] };
    const numberIn = async (read: Promise<Shown>) => (await read).businessOwners[0]?.socialSecurityNumber;
    if ((await numberIn(merchant('GET', ''))) !== 'REDACTED')
      throw new Error('The app key can read a sensitive value.');
    const [owner] = form.businessOwners;
    if ((await numberIn(api.send('GET', application))) !== owner?.socialSecurityNumber)
      throw new Error('The API key cannot read the sensitive value that was sent.');
  });
  await step('the preview of an approval has a merchant', async () => {
    type Preview = { changes: { type: string; action: string }[] };
    const path = `${application}/decision?dryRun=true`;
    const { changes } = await api.send<Preview>('POST', path, { body: { decision: 'approved' } });
    if (!changes.some(({ type, action }) => type === 'merchant' && action === 'created'))
      throw new Error('The preview contains no merchant.');
  });
  await step('a ticket is created and answered', async () => {
    const { uniqueId } = await api.send<{ uniqueId: string }>('POST', '/tickets', {
      body: {
        subject: company,
        description: 'Will be deleted immediately.',
        category: 'technical',
        requesterType: 'application',
        requesterId: application.split('/')[2],
        requesterName: 'Smoke Test',
        requesterEmail: tester.email,
      },
    });
    atEnd('the ticket is deleted', () => api.send('DELETE', `/tickets/${uniqueId}`));
    await api.send('POST', `/tickets/${uniqueId}/comments`, { body: { body: 'We are working on it.' } });
    await api.send('GET', `/tickets/${uniqueId}/sla`);
  });
  await step('events reach the audit log', () =>
    poll(async () => {
      const { auditLog } = await api.send<{ auditLog: { event: string }[] }>('GET', lead);
      return auditLog.find(({ event }) => event === 'lead_converted');
    }),
  );
}
