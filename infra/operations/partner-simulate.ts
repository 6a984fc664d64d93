import { once } from 'node:events';
import { join } from 'node:path';
import type { PartnerConnectionInput } from '../../shared/partner/schema.ts';
import { readCredentials } from '../administration/credentials.ts';
import { contents } from '../administration/data-folder-contents.ts';
import { type PartnerBehaviour, startPartnerSimulator } from '../administration/partner/simulator.ts';
import { type Client, createClient, ResponseError } from '../client/client.ts';
import { print } from './print.ts';
import { dataFolder, notRunning, runningService } from './service-at.ts';

type Options = Pick<
  PartnerBehaviour,
  'slow' | 'failing' | 'duplicating' | 'reordering' | 'supportCategory'
> & { port: number; pace: number };

export default async function ({ port, pace, ...behaviour }: Options): Promise<void> {
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
    port,
    pace,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Port ${port} is in use. Select another port with --port.`)
      : error;
  });
  try {
    const earlier = await readConnection(client);
    const { url, publicKey } = partner;
    const defaultTicketTypeId = earlier?.defaultTicketTypeId;
    // The service sends no request until the simulator has the new secret.
    await save(client, { url, publicKey, defaultTicketTypeId, active: false });
    const rotated = await client.POST('/integrations/partner/connection/rotate-secret', {
      body: { expireNow: true },
    });
    secret = String((rotated.data as { secret?: string }).secret);
    await save(client, { url, publicKey, defaultTicketTypeId, active: true });
    print(undefined, [`The partner runs at ${url} with the secret ${secret}. Ctrl-C stops it.`]);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    if (earlier) await save(client, earlier);
    else await client.DELETE('/integrations/partner/connection');
  } finally {
    await partner.stop();
  }
}

const save = (client: Client, body: PartnerConnectionInput) =>
  client.PUT('/integrations/partner/connection', { body });

/** Returns what a later PUT needs to restore the connection, or undefined without a connection. */
async function readConnection(client: Client): Promise<PartnerConnectionInput | undefined> {
  try {
    const { data } = await client.GET('/integrations/partner/connection');
    const { url, publicKey, active, defaultTicketTypeId } = data as PartnerConnectionInput;
    return { url, publicKey, active, defaultTicketTypeId };
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return undefined;
    throw error;
  }
}
