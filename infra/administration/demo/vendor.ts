import { type DemoCompany, readAll } from './company.ts';

interface SentApplication {
  externalKeyId?: number;
}

/**
 * Creates the API key of a lead vendor, who sends leads and an application through the external API. The secret of a key
 * is shown only once. So if an earlier run stopped before it sent the application, its key is replaced.
 */
export async function createVendor(company: DemoCompany): Promise<void> {
  const { plan, client, send } = company;
  const description = `Demo ${plan.seed}: lead vendor`;
  await company.each('records of a vendor', [plan.vendor], async ({ leads, application }) => {
    type Key = { id: number; description: string };
    const known = (await readAll<Key>(company, '/apikeys')).find((key) => key.description === description);
    const sent = known && (await readAll<SentApplication>(company, '/applications'));
    if (known && sent?.some(({ externalKeyId }) => externalKeyId === known.id)) return;
    if (known) await send('DELETE', `/apikeys/${known.id}`);
    const { apiKey, apiSecret } = await send<{ apiKey: string; apiSecret: string }>('POST', '/apikeys', {
      description,
      flatPermissionsList: ['useExternalApi'],
    });
    const { token } = await send<{ token: string }>('POST', '/auth/login', { apiKey, apiSecret });
    // Nothing interrupts the two requests, because a later run does not know the secret.
    const headers = { authorization: `Bearer ${token}` };
    await client.POST('/extapi/leads/batch', { body: { leads: [...leads] }, headers });
    await client.POST('/extapi/applications', { body: application, headers });
  });
}
