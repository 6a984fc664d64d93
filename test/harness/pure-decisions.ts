import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll } from 'vitest';
import type { CommitsParts } from '../../shared/endpoints/commits-parts.ts';
import type { Endpoint, Request, WithDataKeys } from '../../shared/endpoints/endpoint.ts';
import type { RunOnce } from '../../shared/endpoints/run-once.ts';
import { table } from '../../shared/table/client.ts';

const deciding = new AsyncLocalStorage<string>();
// An enabled AsyncLocalStorage slows down every promise of this process, also in later test files.
afterAll(() => deciding.disable());
const isWrite = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

table.middlewareStack.add(
  (next, { commandName = '' }) =>
    (sent) => {
      const route = deciding.getStore();
      if (route !== undefined && isWrite.test(commandName))
        throw new Error(
          `${route} sends ${commandName} in \`decide\`, which may run several times. Move the write to \`runOnce\`.`,
        );
      return next(sent);
    },
  { step: 'initialize', name: 'decisionsWriteNothing' },
);

/**
 * Wraps an endpoint so that a call fails if `decide` writes to the table. `decide` must not write, because it may run
 * several times. Only functions of the request may write: `runOnce`, `dataKeys`, and functions that commit parts.
 */
export const watchDecisions = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  decide: (request, loaded) =>
    deciding.run(`${endpoint.contract.method} ${endpoint.contract.path}`, () =>
      endpoint.decide(mayWriteOnce(request), loaded),
    ),
});

/** Wraps the functions of the request that may write to the table, such as `runOnce`. */
function mayWriteOnce<R extends Pick<Request, 'runOnce'> & Partial<WithDataKeys & CommitsParts>>(
  request: R,
): R {
  const { runOnce, dataKeys, commit, newPart } = request;
  const writing =
    (taking: RunOnce): RunOnce =>
    (take, preview) =>
      taking(() => deciding.exit(take), preview);
  return {
    ...request,
    runOnce: writing(runOnce),
    ...(dataKeys && { dataKeys: () => deciding.exit(dataKeys) }),
    ...(commit && {
      commit: (...part: Parameters<CommitsParts['commit']>) => deciding.exit(() => commit(...part)),
    }),
    ...(newPart && { newPart: () => ({ runOnce: writing(newPart().runOnce) }) }),
  };
}
