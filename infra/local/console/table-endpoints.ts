import { asAccountId } from '../../../shared/id/account-id.ts';
import { accessPatterns } from '../../../shared/resources/derived.ts';
import type { AddEndpoints } from './add-endpoints.ts';

interface PartitionQuery {
  Querystring: { index?: string; partition?: string; prefix?: string; after?: string; newestFirst?: string };
}

/** The endpoints of the screen Table. They import their modules at the first request; see home.ts. */
export const tableEndpoints: AddEndpoints = (app) => {
  const browser = () => import('./browse-table.ts');

  app.get('/table', async () => {
    const { readAccounts } = await browser();
    return { accounts: await readAccounts(), patterns: accessPatterns };
  });
  app.get<{ Params: { account: string } }>('/table/accounts/:account', async ({ params }, reply) => {
    const { readNouns } = await browser();
    const account = asAccountId(params.account);
    return account ? readNouns(account) : reply.code(404).send({ message: 'This account does not exist.' });
  });
  app.get<PartitionQuery>('/table/items', async ({ query }, reply) => {
    const { InvalidCursor, isIndex, readPartition } = await browser();
    const { index, partition, newestFirst, ...others } = query;
    if (!partition || (index !== undefined && !isIndex(index)))
      return reply.code(400).send({ message: 'The partition or the index is not valid.' });
    try {
      return await readPartition({
        ...others,
        partition,
        newestFirst: newestFirst === 'true',
        ...(index !== undefined && { index }),
      });
    } catch (error) {
      if (!(error instanceof InvalidCursor)) throw error;
      return reply.code(400).send({ message: error.message });
    }
  });
  app.get<{ Querystring: { pk?: string; sk?: string } }>('/table/item', async ({ query }, reply) => {
    const { readItem } = await browser();
    const { pk, sk } = query;
    const found = pk && sk ? await readItem({ pk, sk }) : undefined;
    return found ?? reply.code(404).send({ message: 'The table has no item with this key.' });
  });
};
