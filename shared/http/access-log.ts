import { principalOf } from '../auth/caller.ts';
import type { Contract } from './contract.ts';
import { failureOf, type Log, standardOutput } from './log.ts';
import { refusalFor } from './reply.ts';
import type { Passing } from './turn.ts';

/** Writes one line of JSON for every request: what was asked by whom, how it went, never what was in it. */
export function accessLog(contract: Contract, write: Log = standardOutput) {
  const log = ({ context, response, error }: Passing) => {
    const turn = context.turn;
    const refusal = error ? refusalFor(error) : undefined;
    const unexpected = refusal?.code === 'internal_error' ? error : undefined;
    write(
      `${JSON.stringify({
        level: unexpected ? 'error' : 'info',
        requestId: turn?.requestId,
        route: `${contract.method} ${contract.path}`,
        status: response?.statusCode,
        error: refusal?.code,
        account: turn?.account,
        principal: turn?.caller && principalOf(turn.caller),
        milliseconds: Math.round((performance.now() - (turn?.startedAt ?? performance.now())) * 10) / 10,
        ...(unexpected && { failure: failureOf(unexpected) }),
      })}\n`,
    );
  };
  return { after: log, onError: log };
}
