import type { FastifyReply } from 'fastify';
import type { AccountId } from '../../../shared/id/account-id.ts';
import type { LocalCredentials } from '../../administration/credentials.ts';
import type { Client } from '../../client/client.ts';

/** The parts of the service that a screen needs to show an account and to change it through the API. */
export interface ApiScreen {
  account: AccountId;
  credentials: LocalCredentials;
}

/**
 * Returns a function that calls the API with the first API key. An error response of the API becomes the response of the
 * console. Reads the credentials at the first call, because `baseUrl` is set only after the gateway has started.
 */
export function changeThroughApi(credentials: LocalCredentials) {
  let client: Client | undefined;
  return async (reply: FastifyReply, call: (client: Client) => Promise<unknown>) => {
    const { createClient, ResponseError } = await import('../../client/client.ts');
    client ??= createClient(credentials);
    try {
      await call(client);
      return {};
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      return reply.code(error.status).send({ message: error.message });
    }
  };
}

/** The administrator of the account that the first start created. */
export const administratorOf = ({ baseUrl, accountId, adminEmail, adminPassword }: LocalCredentials) => ({
  ...{ baseUrl, account: accountId, email: adminEmail, password: adminPassword },
});
