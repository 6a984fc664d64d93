import type { FastifyReply } from 'fastify';
import type { AccountId } from '../../../shared/id/account-id.ts';
import type { LocalCredentials } from '../../administration/credentials.ts';
import type { Client } from '../../client/client.ts';

/** The parts of the service that a screen needs to show an account and to change it through the API. */
export interface ApiScreen {
  account: AccountId;
  credentials: LocalCredentials;
}

/** The caller of the API: the first API key, or the administrator for endpoints that only a user may call. */
type Caller = 'key' | 'administrator';

/** Added to the error message after the administrator's password was changed. */
const firstPassword = ' The console signs in with the first password of the administrator.';

/**
 * Returns a function that calls the API. An error response of the API becomes the response of the console, which names the
 * invalid fields. After a success, `answer` converts the result of the call to the response of the console. Reads the
 * credentials at the first call, because `baseUrl` is set only after the gateway has started.
 */
export function changeThroughApi(credentials: LocalCredentials, caller: Caller = 'key') {
  let client: Client | undefined;
  return async <R>(
    reply: FastifyReply,
    call: (client: Client) => Promise<R>,
    answer: (result: R) => unknown = () => ({}),
  ) => {
    const { createClient, ResponseError } = await import('../../client/client.ts');
    client ??= createClient(caller === 'key' ? credentials : administratorOf(credentials));
    try {
      return answer(await call(client));
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      const fields = error.details.map(({ field, message }) => `${field} ${message}.`);
      const message = fields.join(' ') || error.message;
      const hint = caller === 'administrator' && error.status === 401 ? firstPassword : '';
      return reply.code(error.status).send({ message: message + hint });
    }
  };
}

/** The administrator of the account that the first start created. */
export const administratorOf = ({ baseUrl, accountId, adminEmail, adminPassword }: LocalCredentials) => ({
  ...{ baseUrl, account: accountId, email: adminEmail, password: adminPassword },
});
