import { AsyncLocalStorage } from 'node:async_hooks';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { table } from '../../shared/table/client.ts';

const deciding = new AsyncLocalStorage<string>();
const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

table.middlewareStack.add(
  (next, { commandName = '' }) =>
    (sent) => {
      const route = deciding.getStore();
      if (route !== undefined && isWrite.test(commandName))
        throw new Error(
          `${route} sends ${commandName} while it decides: what happens once belongs in \`once\``,
        );
      return next(sent);
    },
  { step: 'initialize', name: 'decisionsWriteNothing' },
);

/** The same endpoint, whose calls fail where its `decide`, which may run again, writes to the table. */
export const watchDecisions = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  decide: (...given) =>
    deciding.run(`${endpoint.contract.method} ${endpoint.contract.path}`, () => endpoint.decide(...given)),
});
