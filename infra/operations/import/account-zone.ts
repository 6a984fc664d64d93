import { ResponseError } from '../../client/client.ts';
import type { Connection } from '../sign-in.ts';
import type { CellReading } from './read-number.ts';

/** Returns a function that reads the time zone of the account once, when it is needed. */
export function accountZone(connect: () => Promise<Connection>): () => Promise<CellReading<string>> {
  let reading: Promise<CellReading<string>> | undefined;
  const read = async (): Promise<CellReading<string>> => {
    const { client, account: id } = await connect();
    try {
      const { data } = await client.GET('/accounts/{id}', { params: { path: { id } } });
      return { value: (data as { timezone: string }).timezone };
    } catch (error) {
      if (!(error instanceof ResponseError) || error.status !== 403) throw error;
      return { message: 'Add --zone, because only an administrator can read the time zone of the account' };
    }
  };
  return () => {
    reading ??= read();
    return reading;
  };
}
