import { once } from 'node:events';
import { join } from 'node:path';
import { readCredentials } from '../administration/credentials.ts';
import { contents } from '../administration/data-folder-contents.ts';
import { startPartnerSimulator } from '../administration/partner/simulator.ts';
import { createClient } from '../client/client.ts';
import { print } from './print.ts';
import { dataFolder, notRunning, runningService } from './service-at.ts';

type Options = {
  slow?: number;
  failing?: number;
  duplicating?: boolean;
  reordering?: boolean;
  pace: number;
};

export default async function ({ pace, ...behaviour }: Options): Promise<void> {
  runningService();
  const credentials = readCredentials(join(dataFolder(), contents.credentials));
  if (!credentials) throw new Error(notRunning());
  const { baseUrl, apiKey, apiSecret, accountId } = credentials;
  const client = createClient({ baseUrl, apiKey, apiSecret });
  let secret = '';
  const partner = await startPartnerSimulator({
    secret: () => secret,
    eventsUrl: () => `${baseUrl}/integrations/partner/${accountId}/events`,
    log: (line) => print(undefined, [`${new Date().toISOString()}  ${line}`]),
    behaviour,
    pace,
  });
  try {
    const { url, publicKey } = partner;
    await client.PUT('/integrations/partner/connection', { body: { url, publicKey, active: true } });
    const rotated = await client.POST('/integrations/partner/connection/rotate-secret', {
      body: { expireNow: true },
    });
    secret = String((rotated.data as { secret?: string }).secret);
    print(undefined, [`The partner runs at ${url} with the secret ${secret}. Ctrl-C stops it.`]);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await client.DELETE('/integrations/partner/connection');
  } finally {
    await partner.stop();
  }
}
