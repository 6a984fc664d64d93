import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll } from 'vitest';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { CommitsParts } from '../../shared/events/commits-parts.ts';
import { table } from '../../shared/table/client.ts';

const deciding = new AsyncLocalStorage<string>();
// Or every promise of the files to come hands it on.
afterAll(() => deciding.disable());
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

/**
 * The same endpoint, whose calls fail where its `decide`, which may run again, writes to the table, or its `foretell`, which
 * takes nothing. One that commits parts decides once, and writes by `request.commit` and `request.take` and by nothing else.
 */
export const watchDecisions = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  ...(endpoint.foretell && {
    foretell: (...given) =>
      deciding.run(`${endpoint.contract.method} ${endpoint.contract.path}, foretelling,`, async () =>
        endpoint.foretell?.(...given),
      ),
  }),
  decide: (request, ...given) => {
    const watched = endpoint.contract.commitsParts ? withParts(request) : request;
    const route = `${endpoint.contract.method} ${endpoint.contract.path}`;
    return deciding.run(route, () => endpoint.decide(watched, ...given));
  },
});

type Decided = Parameters<Endpoint['decide']>[0];

/** The request of an endpoint that commits parts, which writes by `commit` and `take`. */
function withParts(request: Decided): Decided {
  const { commit, take } = request as Partial<CommitsParts>;
  if (!commit || !take) return request;
  const writing: Pick<CommitsParts, 'commit' | 'take'> = {
    commit: (...part) => deciding.exit(() => commit(...part)),
    take: (...part) => deciding.exit(() => take(...part)),
  };
  return { ...request, ...writing };
}
