import { readBody } from './body.ts';
import type { Contract } from './contract.ts';
import { Refusal } from './errors.ts';
import type { Passing } from './turn.ts';
import { check, type Validators } from './validation.ts';

/**
 * Parses and validates path, query and body. What is wrong with them is kept for its turn: a caller that may not
 * make the request hears of that first.
 */
export const readInput = (contract: Contract, validators: Validators) => ({
  before({ event, context }: Passing) {
    const turn = context.turn;
    try {
      check(validators.params, turn.params);
      turn.query = readQuery(event.rawQueryString);
      check(validators.query, turn.query);
      if (contract.body) {
        const absent = contract.bodyOptional && !event.body;
        turn.body = absent ? {} : readBody({ body: event.body, isBase64Encoded: event.isBase64Encoded });
        check(validators.body, turn.body);
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      turn.inputRefusal = error;
    }
  },
});

/** A query as an object; a parameter that is repeated becomes an array. */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}
