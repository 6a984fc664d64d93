import { table } from '../../shared/table/client.ts';

interface Handler {
  handle(request: { headers: Record<string, string> }, options?: unknown): Promise<unknown>;
}

/**
 * Lets something happen between what the next transaction was decided on and the transaction itself, once: the race
 * that a condition has to lose.
 */
export function beforeNextTransaction(happen: () => Promise<unknown>): void {
  const config = table.config as unknown as { requestHandler: Handler };
  const { requestHandler } = config;
  config.requestHandler = {
    async handle(request, options) {
      if (!request.headers['x-amz-target']?.endsWith('.TransactWriteItems'))
        return requestHandler.handle(request, options);
      config.requestHandler = requestHandler;
      await happen();
      return requestHandler.handle(request, options);
    },
  };
}
